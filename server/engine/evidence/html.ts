import * as z from "zod";
import kinds from "./credential-kinds.json" with { type: "json" };

/** Keys that are meant to be public are not included. */
export const CREDENTIAL_KINDS: Readonly<Record<string, { fr: string; en: string }>> = kinds;
export type CredentialKind = string;

/** The first of its kind. `isShown`: the page shows it as text, as documentation does with an example. */
export const Credential = z.object({ kind: z.string(), line: z.int(), isShown: z.boolean() });
export type Credential = z.infer<typeof Credential>;

export const FoundAddress = z.object({ url: z.string(), line: z.int() });
export type FoundAddress = z.infer<typeof FoundAddress>;

export const StyleAddress = FoundAddress.extend({ kind: z.enum(["style", "font", "image"]) });
export type StyleAddress = z.infer<typeof StyleAddress>;

/** The facts of the part of a script or style sheet that was read: kinds and lines, never the text itself. */
export const FileFacts = z.object({
  /** Whether it was read to its end; otherwise only its first 512 KiB, at most. */
  isWhole: z.boolean(),
  wireBytes: z.int(),
  /** Null without an integrity, or if not all was read. */
  integrityMatches: z.boolean().nullable(),
  /** Empty for another site's file, which is not searched. */
  credentials: z.array(Credential),
  /** Addresses on the developer's machine or network that a script sends requests to. */
  privateUrls: z.array(FoundAddress),
  plainUrls: z.array(StyleAddress),
  developmentBuild: z.string().nullable(),
  /** The declared source map; null if none is declared, or if the file contains the map itself. */
  sourceMap: z.string().nullable(),
});
export type FileFacts = z.infer<typeof FileFacts>;

/** The class of a URL's host by its name alone, without DNS. `allowed`: private, but the check may enter it. */
export const HostClass = z.enum(["public", "private", "allowed", "invalid"]);
export type HostClass = z.infer<typeof HostClass>;

const Located = z.object({ url: z.string(), line: z.int() });

/** The offset of the tag's end in the page; orders two tags on one line. */
const Offset = z.int();

export const Resource = Located.extend({
  tag: z.string(),
  /**
   * A `module` must be served as JavaScript; a `script` must only not be served as something
   * else. `other` includes scripts and styles that the page does not need to be shown (nomodule, preload, print,
   * alternate).
   */
  kind: z.enum([
    "script",
    "module",
    "style",
    "image",
    "icon",
    "font",
    "manifest",
    "media",
    "frame",
    "other",
  ]),
  hostClass: HostClass,
  /** Whether it delays the first paint: a stylesheet, or a classic script in head without async or defer. */
  blocking: z.boolean(),
  offset: Offset,
  /** The integrity of a script or link element as written, empty if it has none; null for any other element. */
  integrity: z.string().nullable(),
  crossorigin: z.enum(["anonymous", "use-credentials"]).nullable(),
  nonce: z.string(),
});
export type Resource = z.infer<typeof Resource>;

/** `handler`: a style sheet that its handler applies once it is loaded. */
export const Inline = z.object({
  tag: z.string(),
  line: z.int(),
  offset: Offset,
  kind: z.enum([...Resource.shape.kind.options, "importmap", "handler"]),
  scheme: z.enum(["", "data:"]),
  nonce: z.string(),
  /** The policies' hashes that match the item's text, such as `sha256-…`. */
  hashes: z.array(z.string()),
  /** Whether it only measures visits, or a network put it into the page. */
  isTracker: z.boolean(),
});
export type Inline = z.infer<typeof Inline>;

/** `isMenu`: in `nav` or `header`. */
export const Link = Located.extend({ hostClass: HostClass, isMenu: z.boolean() });
export type Link = z.infer<typeof Link>;

/** An address that the page states for itself or a version of it. `json_ld_part`: in a part of the top node. */
export const StatedAddress = Located.extend({
  by: z.enum(["hreflang", "json_ld", "json_ld_part"]),
});
export type StatedAddress = z.infer<typeof StatedAddress>;

/** A form, or a button that sends its form elsewhere. */
export const Form = Located.extend({
  tag: z.string(),
  /** Null if no known method is written. */
  method: z.enum(["get", "post", "dialog"]).nullable(),
  hasPassword: z.boolean(),
  /** An onsubmit handler may send the form in another way. */
  hasHandler: z.boolean(),
  /** A script may send a form without an action. */
  hasAction: z.boolean(),
  offset: Offset,
});
export type Form = z.infer<typeof Form>;

/** Lists are limited in length; their counts are not. */
export const Html = z.object({
  /** The doctype between `<!` and `>`, as sent; null if none comes before the first tag or word. */
  doctype: z.string().nullable(),
  lang: z.string().nullable(),
  /** The xml:lang of the root, which counts in XHTML sent as XML. */
  xmlLang: z.string().nullable(),
  charset: z.object({ label: z.string(), offset: z.int() }).nullable(),
  titleCount: z.int(),
  title: z.string().nullable(),
  /** Whether the root is html in the XHTML namespace, for pages sent as XML. Null without an element. */
  isXhtml: z.boolean().nullable(),
  /** `name`: the lower-cased name, property or http-equiv. `isInHead`: the parser makes the meta a child of head. */
  metas: z.array(
    z.object({
      name: z.string(),
      content: z.string(),
      line: z.int(),
      isInHead: z.boolean(),
      offset: Offset,
    }),
  ),
  canonicals: z.array(Located),
  stated: z.array(StatedAddress),
  badJsonLdLine: z.int().nullable(),
  /** Whether the whole head was read, even if the page was not. Only then is a tag known to be missing. */
  isHeadWhole: z.boolean(),
  imageCount: z.int(),
  shownCount: z.int(),
  /** Elements of the body. */
  elementCount: z.int(),
  imagesWithoutAltCount: z.int(),
  imagesWithoutAlt: z.array(z.object({ tag: z.string(), line: z.int() })),
  textLength: z.int(),
  /** Excludes headings, links, buttons, labels, headers, footers and navigation. */
  proseLength: z.int(),
  text: z.string(),
  /** The first headings outside navigation and footers; `headingCount` counts all of them. */
  headings: z.array(z.string()),
  headingCount: z.int(),
  noscriptLength: z.int(),
  /** The id of an empty element that a client-side framework fills, such as `root` or `app`. */
  emptyRootId: z.string().nullable(),
  resources: z.array(Resource),
  blockingCount: z.int(),
  scriptCount: z.int(),
  /** In order. `data:` files are listed once per kind. */
  inlines: z.array(Inline),
  /** `isUsed`: an address in the page is relative to it. */
  base: Located.extend({ offset: Offset, isUsed: z.boolean() }).nullable(),
  linkCount: z.int(),
  links: z.array(Link),
  /** Forms sent over http or with a password have priority if there is not room for all. */
  forms: z.array(Form),
  /** Lorem ipsum outside code, and short texts that fill an element: undefined, [object Object], {{name}} or a key. */
  templateTexts: z.array(z.object({ text: z.string(), tag: z.string(), line: z.int() })),
  credentials: z.array(Credential),
  privateUrls: z.array(FoundAddress),
});
export type Html = z.infer<typeof Html>;
