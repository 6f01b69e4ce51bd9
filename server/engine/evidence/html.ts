import * as z from "zod";
import kinds from "./credential-kinds.json" with { type: "json" };

/** Excludes keys that are meant to be public. */
export const CREDENTIAL_KINDS: Readonly<Record<string, { fr: string; en: string }>> = kinds;
export type CredentialKind = string;

/**
 * The first credential of its kind. `isShown`: the page shows the credential as text, as documentation does with an
 * example.
 */
export const Credential = z.object({ kind: z.string(), line: z.int(), isShown: z.boolean() });
export type Credential = z.infer<typeof Credential>;

export const FoundAddress = z.object({ url: z.string(), line: z.int() });
export type FoundAddress = z.infer<typeof FoundAddress>;

/** A request of a script to a literal address over http or ws. `isAtTop`: it is sent whenever the script runs. */
export const PlainCall = FoundAddress.extend({ isAtTop: z.boolean() });
export type PlainCall = z.infer<typeof PlainCall>;

export const StyleAddress = FoundAddress.extend({ kind: z.enum(["style", "font", "image"]) });
export type StyleAddress = z.infer<typeof StyleAddress>;

/** The facts of the part of a script or style sheet that was read: kinds and lines, never the text itself. */
export const FileFacts = z.object({
  /** True if the file was read to its end. Otherwise at most its first 512 KiB were read. */
  isWhole: z.boolean(),
  /** The body broke off before its end. Browsers drop such a file. */
  isBroken: z.boolean(),
  wireBytes: z.int(),
  /** Null if the element has no integrity attribute, or if the file was not read to its end. */
  integrityMatches: z.boolean().nullable(),
  /** Always empty for a file of another site, because the check does not search it. */
  credentials: z.array(Credential),
  /** Addresses on the developer's machine or network that a script sends requests to. */
  privateUrls: z.array(FoundAddress),
  plainUrls: z.array(StyleAddress),
  /** Requests of a script to literal addresses over http or ws, which may never be sent. */
  plainCalls: z.array(FoundAddress),
  developmentBuild: z.string().nullable(),
  /** Whether a script makes a viewport meta tag. */
  writesViewport: z.boolean(),
  /** Whether a script may add other scripts, handlers or workers to the page, or compile a text. */
  addsCode: z.boolean(),
  /** The declared source map; null if none is declared, or if the file contains the map itself. */
  sourceMap: z.string().nullable(),
});
export type FileFacts = z.infer<typeof FileFacts>;

/** The class of a URL's host, found from its name without DNS. `allowed`: private, but the check may visit the host. */
export const HostClass = z.enum(["public", "private", "allowed", "invalid"]);
export type HostClass = z.infer<typeof HostClass>;

const Located = z.object({ url: z.string(), line: z.int() });

/** The offset of the tag's end in the page. It orders two tags on one line. */
const Offset = z.int();

export const Resource = Located.extend({
  tag: z.string(),
  /**
   * Browsers run a `module` only if its type is JavaScript, and a `script` unless its type is one that they refuse.
   * `other` includes scripts and style sheets that the first display does not need (nomodule, preload, print,
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
  /** Whether the resource delays the first paint: a style sheet, or a classic script in head without async or defer. */
  blocking: z.boolean(),
  offset: Offset,
  /**
   * The integrity attribute of a script or link element, as written; empty without one. Null for all other elements.
   */
  integrity: z.string().nullable(),
  crossorigin: z.enum(["anonymous", "use-credentials"]).nullable(),
  nonce: z.string(),
});
export type Resource = z.infer<typeof Resource>;

/** An inline script that browsers refuse as a whole. `error`: the parser's message, without words of the script. */
export const ScriptFault = z.object({ line: z.int(), error: z.string() });
export type ScriptFault = z.infer<typeof ScriptFault>;

/** `handler`: the onload attribute of a style sheet that this handler applies. */
export const Inline = z.object({
  tag: z.string(),
  line: z.int(),
  offset: Offset,
  kind: z.enum([...Resource.shape.kind.options, "importmap", "handler"]),
  scheme: z.enum(["", "data:"]),
  nonce: z.string(),
  /** The policies' hashes that match the item's text, such as `sha256-…`. */
  hashes: z.array(z.string()),
  /** The hash of an inline script as a policy writes it, without `sha256-`; empty for anything else. */
  sha256: z.string(),
  /** As in `FileFacts`. */
  addsCode: z.boolean(),
  /** Whether the inline item only measures visits, or was added to the page by a network. */
  isTracker: z.boolean(),
});
export type Inline = z.infer<typeof Inline>;

/** `isMenu`: the link is inside `nav` or `header`. */
export const Link = Located.extend({ hostClass: HostClass, isMenu: z.boolean() });
export type Link = z.infer<typeof Link>;

/**
 * A URL that the page declares as its own, or as that of its version in another language. `json_ld_part`: the URL is in
 * a part of the top JSON-LD node.
 */
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
  /** For pages sent as XML: whether the root is html in the XHTML namespace. Null if the page has no element. */
  isXhtml: z.boolean().nullable(),
  /** Whether `html` has the attribute `amp` or `⚡`. */
  isAmp: z.boolean(),
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
  /**
   * Whether the whole head was read, even if the rest of the page was not. A tag is known to be missing only if this is
   * true.
   */
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
  /** Whether an inline script makes a viewport meta tag, or starts Flutter, which makes one. */
  writesViewport: z.boolean(),
  /** Compilers for which the page has code or styles, to be compiled in the browser. */
  compilers: z.array(z.enum(["babel", "less"])),
  /** Whether any element has an event handler, a `javascript:` URL or a srcdoc, which a policy for scripts governs. */
  hasHandlers: z.boolean(),
  scriptFaults: z.array(ScriptFault),
  plainCalls: z.array(PlainCall),
  /** Scripts after which an inline script loads another copy if they are missing. */
  replacedScripts: z.array(Offset),
  /** The items in document order. `data:` files are listed once per kind. */
  inlines: z.array(Inline),
  /** `isUsed`: the page contains a URL that is relative to the base. */
  base: Located.extend({ offset: Offset, isUsed: z.boolean() }).nullable(),
  linkCount: z.int(),
  links: z.array(Link),
  /** Links to no address (`#`), named or drawn as a social network. */
  idleNetworks: z.array(z.object({ network: z.string(), line: z.int() })),
  /** If there are too many forms for this list, those sent over http or with a password are listed first. */
  forms: z.array(Form),
  /** Lorem ipsum outside code, and short texts that fill an element: undefined, [object Object], {{name}} or a key. */
  templateTexts: z.array(z.object({ text: z.string(), tag: z.string(), line: z.int() })),
  credentials: z.array(Credential),
  privateUrls: z.array(FoundAddress),
});
export type Html = z.infer<typeof Html>;
