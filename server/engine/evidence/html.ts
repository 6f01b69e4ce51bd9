import * as z from "zod";
import kinds from "./credential-kinds.json" with { type: "json" };

/** The kinds of secrets that a page must not show to its visitors, and their names; keys made to be public are not among them. */
export const CREDENTIAL_KINDS: Readonly<Record<string, { fr: string; en: string }>> = kinds;
export type CredentialKind = string;

/** Where the first one of a kind is; `isShown`: the page shows it as text, as documentation does with an example. */
export const Credential = z.object({ kind: z.string(), line: z.int(), isShown: z.boolean() });
export type Credential = z.infer<typeof Credential>;

/** An address in a file, and its line there. */
export const FoundAddress = z.object({ url: z.string(), line: z.int() });
export type FoundAddress = z.infer<typeof FoundAddress>;

/** An address that a style sheet loads, and what it loads there. */
export const StyleAddress = FoundAddress.extend({ kind: z.enum(["style", "font", "image"]) });
export type StyleAddress = z.infer<typeof StyleAddress>;

/** What a script or style sheet holds, as far as it was read: what things are and where, not their text. */
export const FileFacts = z.object({
  /** Whether it was read to its end; otherwise its first 512 KB at most. */
  isWhole: z.boolean(),
  /** As it was sent, as far as it was read. */
  wireBytes: z.int(),
  /** Whether browsers accept it for the integrity of its element; null if that states none, or not all was read. */
  integrityMatches: z.boolean().nullable(),
  /** Empty for another site's file, which is not searched. */
  credentials: z.array(Credential),
  /** Addresses on the developer's machine or network that a script sends requests to. */
  privateUrls: z.array(FoundAddress),
  /** What a style sheet loads over http. */
  plainUrls: z.array(StyleAddress),
  /** The library or tool whose development build a script is. */
  developmentBuild: z.string().nullable(),
  /** Where it says that its source map is; null if it says nothing, or holds the map itself. */
  sourceMap: z.string().nullable(),
});
export type FileFacts = z.infer<typeof FileFacts>;

/**
 * Where a URL's host is, judged only by its name or literal, without DNS. `allowed`: in a private network that the
 * check may enter.
 */
export const HostClass = z.enum(["public", "private", "allowed", "invalid"]);
export type HostClass = z.infer<typeof HostClass>;

const Located = z.object({ url: z.string(), line: z.int() });

/** Where the tag ends in the page's text; tells the order of two tags on one line. */
const Offset = z.int();

export const Resource = Located.extend({
  tag: z.string(),
  /**
   * How the browser uses it. A `module` must be served as JavaScript; a `script` must only not be served as something
   * else. `other` includes scripts and styles that the page can be shown without (nomodule, preload, print,
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
  /** True for what delays the first paint: a stylesheet, or a classic script in head without async or defer. */
  blocking: z.boolean(),
  offset: Offset,
  /** The integrity of a script or link element as written, empty if it has none; null for any other element. */
  integrity: z.string().nullable(),
  /** How its crossorigin has it requested; null without one. */
  crossorigin: z.enum(["anonymous", "use-credentials"]).nullable(),
  /** Empty if it has none. */
  nonce: z.string(),
});
export type Resource = z.infer<typeof Resource>;

/**
 * What stands in the page itself, and a policy may block: a script, an import map or a style sheet between its tags, a file in
 * a `data:` address, or the handler that applies a style sheet once it is loaded.
 */
export const Inline = z.object({
  tag: z.string(),
  line: z.int(),
  offset: Offset,
  kind: z.enum([...Resource.shape.kind.options, "importmap", "handler"]),
  /** The scheme of its address; empty between tags. */
  scheme: z.enum(["", "data:"]),
  nonce: z.string(),
  /** Which hashes of the page's policies, such as `sha256-…`, are those of its text. */
  hashes: z.array(z.string()),
  /** Whether it only measures visits, or a network put it into the page. */
  isTracker: z.boolean(),
});
export type Inline = z.infer<typeof Inline>;

/** A link to another page. `isMenu`: it stands in `nav` or `header`. */
export const Link = Located.extend({ hostClass: HostClass, isMenu: z.boolean() });
export type Link = z.infer<typeof Link>;

/**
 * Where a page says that it, or a version of it, is: in a link with hreflang, in a node at the top of its JSON-LD, or in a
 * part of one.
 */
export const Stated = Located.extend({ by: z.enum(["hreflang", "json_ld", "json_ld_part"]) });
export type Stated = z.infer<typeof Stated>;

/** A form, or a button that sends its form elsewhere. `url`: where the form is sent. */
export const Form = Located.extend({
  tag: z.string(),
  /** Null if no known method is written. */
  method: z.enum(["get", "post", "dialog"]).nullable(),
  /** Whether a password field is sent with it. */
  hasPassword: z.boolean(),
  /** Whether it has an onsubmit handler, which may send it in another way. */
  hasHandler: z.boolean(),
  /** Whether it names where it is sent; a script may send one that does not. */
  hasAction: z.boolean(),
  offset: Offset,
});
export type Form = z.infer<typeof Form>;

/** What one streaming pass over the HTML found. Lists are limited in length; their counts are not. */
export const Html = z.object({
  /** The doctype between `<!` and `>`, as sent; null if none comes before the first tag or word. */
  doctype: z.string().nullable(),
  lang: z.string().nullable(),
  /** The xml:lang of the root, which counts in XHTML sent as XML. */
  xmlLang: z.string().nullable(),
  charset: z.object({ label: z.string(), offset: z.int() }).nullable(),
  titleCount: z.int(),
  title: z.string().nullable(),
  /**
   * Whether the root is an html element in the XHTML namespace, which matters for pages sent as XML; null without an
   * element.
   */
  isXhtml: z.boolean().nullable(),
  /**
   * Only metas that some rule reads. `name`: the lower-cased name, property or http-equiv. `isInHead`: the parser
   * makes it a child of head.
   */
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
  /** The first address of each origin and kind. */
  stated: z.array(Stated),
  /** The line of the first JSON-LD that is no JSON. */
  badJsonLdLine: z.int().nullable(),
  /** Whether head was read to its end, even if the page was not: what it lacks is then known to be missing. */
  isHeadWhole: z.boolean(),
  imageCount: z.int(),
  /** Elements that show something without text: frames, drawings, recordings and controls. */
  shownCount: z.int(),
  /** Elements of the body. */
  elementCount: z.int(),
  imagesWithoutAltCount: z.int(),
  imagesWithoutAlt: z.array(z.object({ tag: z.string(), line: z.int() })),
  /** Characters of visible text, white space folded. */
  textLength: z.int(),
  /** How many of these characters are outside headings, links, buttons, labels, headers, footers and navigation. */
  proseLength: z.int(),
  /** The beginning of the visible text, line by line. */
  text: z.string(),
  /** The first headings outside navigation and footers; `headingCount` counts all of them. */
  headings: z.array(z.string()),
  headingCount: z.int(),
  noscriptLength: z.int(),
  /** The id of an empty element that a client-side framework fills, such as `root` or `app`. */
  emptyRootId: z.string().nullable(),
  resources: z.array(Resource),
  blockingCount: z.int(),
  /** Scripts that a browser runs, including inline ones. */
  scriptCount: z.int(),
  /** In order, `data:` once a kind. */
  inlines: z.array(Inline),
  /** The base element, and whether an address in the page is relative to it. */
  base: Located.extend({ offset: Offset, isUsed: z.boolean() }).nullable(),
  linkCount: z.int(),
  links: z.array(Link),
  /** Those sent over http or with a password come before others where there is no room for all. */
  forms: z.array(Form),
  /**
   * Texts that may come from a template: lorem ipsum outside code, and short texts that fill a heading, paragraph,
   * link or button and contain undefined, [object Object], a mark such as {{name}} or the key of a translation.
   */
  templateTexts: z.array(z.object({ text: z.string(), tag: z.string(), line: z.int() })),
  /** Secrets anywhere in the page's source: scripts, data, attributes, comments and text. */
  credentials: z.array(Credential),
  /** Addresses on the developer's machine or network that its inline scripts send requests to. */
  privateUrls: z.array(FoundAddress),
});
export type Html = z.infer<typeof Html>;
