import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import type { Slice } from "../../net/slice.ts";
import type { Html, Resource } from "../../evidence/html.ts";
import { hideCredentials } from "../privacy/credentials.ts";
import { oneLine } from "../../../base/syntax/text.ts";

/** Has only the wanted attributes. If a name is repeated, its first attribute counts. */
export interface Tag {
  name: string;
  attributes: ReadonlyMap<string, string>;
  /** Whether an attribute's name is that of an event handler, such as onclick. */
  hasHandler: boolean;
  line: number;
  /** Whether it is `svg` or `math`, or inside one. */
  isForeign: boolean;
  start: number;
  end: number;
}

export interface TokenHandler {
  onOpen(tag: Tag): void;
  onClose(name: string): void;
  /** Text outside `svg` and `math`, with its offset. A character reference has none. */
  onText(text: string, start: number, end: number): void;
  onComment(start: number, end: number): void;
  /** `text`: what is between `<!` and `>`. */
  onDoctype(text: string): void;
}

type WantedAttributes = ReadonlyMap<string, ReadonlySet<string>>;

const LONGEST_NAME = 20;
const PIECE_LENGTH = 2048;
/** Approximate limit of the part of an attribute that is read. */
const MAX_VALUE_LENGTH = 65_536;
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const FOREIGN = new Set(["svg", "math"]);

/** Elements that a parser moves out of `svg` and `math`, so that an unclosed one does not swallow the page. */
const BREAKS_OUT = new Set(
  "body br div dl h1 h2 h3 h4 h5 h6 head hr img li meta nav ol p pre span table ul".split(" "),
);

/**
 * htmlparser2's parser keeps a stack of open elements, on which a hostile page of 1.5 MB takes minutes. Counters are
 * enough here, so only its tokenizer is used.
 */
export async function readTokens(
  text: string,
  wanted: WantedAttributes,
  handler: TokenHandler,
  slice: Slice,
): Promise<void> {
  let name = "";
  let wantedHere: ReadonlySet<string> | undefined;
  let attributes = new Map<string, string>();
  let hasHandler = false;
  let attribute = "";
  let value = "";
  let foreignDepth = 0;
  let line = 1;
  let tagLine = 1;
  let tagStart = 0;
  let counted = 0;

  function lineAt(index: number): number {
    for (; counted < index; counted++) if (text.charCodeAt(counted) === 10) line += 1;
    return line;
  }

  function open(end: number): void {
    if (FOREIGN.has(name)) foreignDepth += 1;
    else if (foreignDepth > 0 && BREAKS_OUT.has(name)) foreignDepth = 0;
    const read = wantedHere ? attributes : NO_ATTRIBUTES;
    const isForeign = foreignDepth > 0;
    const start = tagStart;
    handler.onOpen({ name, attributes: read, hasHandler, line: tagLine, isForeign, start, end });
  }

  function close(closed: string): void {
    if (FOREIGN.has(closed) && foreignDepth > 0) foreignDepth -= 1;
    handler.onClose(closed);
  }

  function passText(passed: string, start = 0, end = 0): void {
    if (foreignDepth === 0) handler.onText(passed, start, end);
  }

  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      name = text.slice(start, end).toLowerCase();
      wantedHere = wanted.get(name);
      tagLine = lineAt(start);
      tagStart = start;
      hasHandler = false;
      if (wantedHere) attributes = new Map();
    },
    onattribname(start, end) {
      hasHandler ||= end - start > 2 && text.slice(start, start + 2).toLowerCase() === "on";
      const isRead = wantedHere !== undefined && end - start <= LONGEST_NAME;
      const found = isRead ? text.slice(start, end).toLowerCase() : "";
      attribute = wantedHere?.has(found) && !attributes.has(found) ? found : "";
      value = "";
    },
    onattribdata(start, end) {
      if (attribute && value.length < MAX_VALUE_LENGTH) value += text.slice(start, end);
    },
    onattribentity(codePoint) {
      if (attribute && value.length < MAX_VALUE_LENGTH) value += String.fromCodePoint(codePoint);
    },
    onattribend() {
      if (attribute) attributes.set(attribute, value);
    },
    onopentagend: open,
    onselfclosingtag(end) {
      open(end);
      if (foreignDepth > 0) close(name);
    },
    onclosetag: (start, end) => close(text.slice(start, end).toLowerCase()),
    ontext: (start, end) => passText(text.slice(start, end), start, end),
    ontextentity: (codePoint) => passText(String.fromCodePoint(codePoint)),
    oncdata() {},
    ondeclaration: (start, end) => handler.onDoctype(text.slice(start, end)),
    isInForeignContext: () => foreignDepth > 0,
    oncomment: (start, end) => handler.onComment(start, end),
    onprocessinginstruction() {},
    onend() {},
  };

  const tokenizer = new Tokenizer({}, callbacks);
  for (let position = 0; position < text.length; position += PIECE_LENGTH) {
    tokenizer.write(text.slice(position, position + PIECE_LENGTH));
    if (slice.isOver) await slice.end();
    if (slice.isLate) break;
  }
  tokenizer.end();
}

export function readLanguages({ attributes }: Tag): Pick<Html, "lang" | "xmlLang"> {
  const read = (name: string): string | null => {
    const lang = attributes.get(name);
    return lang === undefined ? null : oneLine(lang.slice(0, 200), 64);
  };
  return { lang: read("lang"), xmlLang: read("xml:lang") };
}

/** A declarative shadow root is shown; any other template is inert. */
export function isShadowRoot(tag: Tag): boolean {
  return /^(?:open|closed)$/i.test(tag.attributes.get("shadowrootmode") ?? "");
}

export function isAriaHidden({ attributes }: Tag): boolean {
  return /^true$/i.test(attributes.get("aria-hidden") ?? "");
}

/** See HTML-AAM, 4.1.3. */
export function hasAlternative(tag: Tag): boolean {
  const { attributes } = tag;
  if (attributes.has("alt") || isAriaHidden(tag)) return true;
  if (/^(?:none|presentation)$/i.test((attributes.get("role") ?? "").trim())) return true;
  return ["aria-label", "aria-labelledby", "title"].some((name) => attributes.get(name)?.trim());
}

export function isHiddenInput({ name, attributes }: Tag): boolean {
  return name === "input" && /^hidden$/i.test((attributes.get("type") ?? "").trim());
}

const MAX_NONCE_LENGTH = 128;
/** The first limit is for reading an integrity, the second for storing it: two digests of the longest kind fit in. */
export const MAX_RAW_INTEGRITY = 1000;
export const MAX_INTEGRITY = 200;

export function nonceOf({ attributes }: Tag): string {
  return hideCredentials(oneLine(attributes.get("nonce") ?? "", MAX_NONCE_LENGTH));
}

export function readSecurityAttributes(
  tag: Tag,
): Pick<Resource, "integrity" | "crossorigin" | "nonce"> {
  const { name, attributes } = tag;
  const declared = attributes.get("crossorigin")?.toLowerCase();
  const mode = declared === "use-credentials" ? declared : ("anonymous" as const);
  const crossorigin = declared === undefined ? null : mode;
  const nonce = nonceOf(tag);
  if (name !== "script" && name !== "link") return { integrity: null, crossorigin, nonce };
  const integrity = oneLine(
    (attributes.get("integrity") ?? "").slice(0, MAX_RAW_INTEGRITY),
    MAX_INTEGRITY,
  );
  return { integrity, crossorigin, nonce };
}

const NOT_DISPLAYED = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;
const MAX_STYLE_LENGTH = 1000;

/** `until-found` is not hidden: a search in the page shows it. */
export function isHidden({ name, attributes }: Tag): boolean {
  if (name === "dialog") return !attributes.has("open");
  const hidden = name === "input" ? undefined : attributes.get("hidden");
  if (hidden !== undefined) return !/^until-found$/i.test(hidden);
  return NOT_DISPLAYED.test(attributes.get("style")?.slice(0, MAX_STYLE_LENGTH) ?? "");
}

function attributeTable(rows: Record<string, string>): WantedAttributes {
  return new Map(Object.entries(rows).map(([tag, names]) => [tag, new Set(names.split(" "))]));
}

const LINK =
  "href rel data-method data-turbo-method hx-post hx-put hx-patch hx-delete data-hx-post data-hx-put data-hx-patch data-hx-delete up-method";

export const READ_ATTRIBUTES = attributeTable({
  html: "lang xml:lang xmlns hidden style amp ⚡ ⚡\ufe0f",
  body: "hidden style background",
  base: "href",
  meta: "name property http-equiv content charset",
  link: "rel href hreflang type as media disabled imagesrcset onload integrity crossorigin referrerpolicy nonce",
  form: "action method onsubmit",
  button: "type formaction formmethod aria-hidden",
  script:
    "id src href xlink:href type language for event async defer nomodule nonce integrity crossorigin referrerpolicy",
  style: "type nonce media",
  img: "src srcset alt role aria-label aria-labelledby aria-hidden title crossorigin referrerpolicy hidden style loading",
  svg: "hidden style",
  source: "src srcset type",
  video: "src poster preload autoplay crossorigin",
  audio: "src preload autoplay crossorigin",
  track: "src",
  embed: "src",
  object: "data",
  iframe: "src srcdoc hidden style width height loading",
  frame: "src",
  input: "type src name formaction formmethod",
  image: "src href xlink:href",
  table: "background",
  tr: "background",
  td: "background",
  th: "background",
  use: "href xlink:href",
  feimage: "href xlink:href",
  a: `${LINK} aria-hidden`,
  area: LINK,
  template: "shadowrootmode",
  div: "id hidden style aria-hidden",
  main: "id hidden style",
  section: "id hidden style aria-hidden",
  article: "hidden style",
  aside: "hidden style aria-hidden",
  nav: "hidden style",
  ul: "hidden style",
  header: "hidden style",
  span: "hidden style aria-hidden",
  figure: "aria-hidden",
  picture: "aria-hidden",
  dialog: "open",
});

/** Elements that neither open a body nor close a head (HTML, 13.2.6.4.4 and 13.2.6.4.6). */
export const HEAD_ELEMENTS = new Set(
  "html head base basefont bgsound link meta noframes noscript script style template title".split(
    " ",
  ),
);
/** End tags that open a body which is not open yet. */
export const BODY_ENDS = new Set(["body", "html", "br"]);
export const XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml";

/** Elements that show something without text. */
export const SHOWN = new Set(
  "iframe frame canvas svg math video audio object embed input button select textarea meter progress".split(
    " ",
  ),
);
export const OFF_SCREEN = new Set("script style title iframe noembed noframes".split(" "));
/** Elements whose content is always text. */
export const RAW = new Set("script style iframe noembed noframes textarea xmp".split(" "));
