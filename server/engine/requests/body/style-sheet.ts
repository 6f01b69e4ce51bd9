import { LineCounter } from "../../../base/syntax/text.ts";
import type { Slice } from "../../net/slice.ts";
import type { PageNames } from "./page-names.ts";

export interface StyleFile {
  address: string;
  line: number;
  kind: "style" | "font" | "image";
}

interface FontFace extends StyleFile {
  family: string;
  isUsual: boolean;
}

/** What a style sheet loads on a page, as far as its selectors tell. */
export interface StyleSheet {
  imports: StyleFile[];
  faces: FontFace[];
  images: StyleFile[];
  /** The values of `font`, `font-family` and custom properties. */
  fonts: string[];
}

const MAX_FILES = 100;
const MAX_FONTS = 200;
/** In characters, of all style sheets. Each font is searched for in all of them. */
const MAX_FONT_TEXT = 65_536;
const MAX_VALUE = 2000;
const MAX_SELECTOR = 4000;
const MAX_DEPTH = 20;
/** Browsers load what these selectors need only after an action of the visitor. */
const LATER = /:(?:hover|focus|active|target|checked|visited|fullscreen)/i;
/** The address of a `url()`, or any other string. */
const URL_OF =
  /url\(\s{0,20}(?:"([^"]{1,1000})"|'([^']{1,1000})'|([^\s"'()]{1,1000}))\s{0,20}\)|"[^"]{0,1000}"|'[^']{0,1000}'/gi;
const IMAGE =
  /^(?:-webkit-)?(background|border-image|list-style|content|cursor|mask)(?:-image|-source)?$/;
const FORMAT = /^\s{0,20}format\(\s{0,20}["']?([\w-]{1,30})/i;
const FORMATS = /^(?:woff2?|truetype|opentype)/i;
const OLD_FONT = /\.(?:eot|svgz?)(?:[?#]|$)/i;
const NOT_ON_SCREEN = /(?:^|[\s)])(?:print|speech|not\s+all|not\s+screen)(?:$|[\s,;])/i;
const LATIN = /u\+0{1,4}(?:-|\?)/i;

interface Block {
  prelude: string;
  isSkipped: boolean;
  /** The last declaration of each property counts. */
  declared: Map<string, { value: string; at: number }>;
}

/** Reads in linear time. It knows the syntax of blocks and declarations (CSS Syntax 3), not the cascade. */
export async function readStyleSheet(
  text: string,
  names: PageNames,
  slice: Slice,
): Promise<StyleSheet> {
  const sheet: StyleSheet = { imports: [], faces: [], images: [], fonts: [] };
  if (!/url\(|@import|font/i.test(text)) return sheet;
  const lines = new LineCounter(text);
  const blocks: Block[] = [];
  let hasRule = false;
  let start = 0;
  let pause = 4096;

  function declare(end: number): void {
    const block = blocks.at(-1);
    const statement = skipComments(text.slice(start, Math.min(end, start + MAX_VALUE)));
    if (!block) return readImport(statement, start);
    const colon = statement.indexOf(":");
    if (colon <= 0 || block.isSkipped) return;
    const property = statement.slice(0, colon).trim().toLowerCase();
    const value = statement.slice(colon + 1);
    const name = IMAGE.exec(property)?.[1] ?? property;
    block.declared.set(name, { value, at: start });
  }

  function readImport(statement: string, at: number): void {
    const [, url, quoted, rest = ""] =
      /^@import\s{0,20}(?:(url\([^)]{1,1000}\))|["']([^"']{1,1000})["'])(.{0,200})/is.exec(
        statement,
      ) ?? [];
    const address = quoted ?? (url && [...findUrls(url)][0]?.address);
    if (!address || hasRule || NOT_ON_SCREEN.test(rest)) return;
    add(sheet.imports, { address, line: lineAt(at), kind: "style" });
  }

  function add<T>(list: T[], item: T): void {
    if (list.length < MAX_FILES) list.push(item);
  }

  function lineAt(at: number): number {
    const lead = /\S/.exec(text.slice(at, at + MAX_VALUE))?.index ?? 0;
    return lines.lineAt(at + lead);
  }

  function open(end: number): void {
    const prelude = skipComments(text.slice(start, Math.min(end, start + MAX_SELECTOR)));
    const isAtRule = prelude.startsWith("@");
    if (!/^@(?:charset|layer)/i.test(prelude)) hasRule = true;
    const isOff = isAtRule
      ? /^@media/i.test(prelude) && NOT_ON_SCREEN.test(prelude)
      : !matchesPage(prelude, names);
    const isSkipped = isOff || blocks.at(-1)?.isSkipped === true || blocks.length >= MAX_DEPTH;
    blocks.push({ prelude, isSkipped, declared: new Map() });
  }

  function close(): void {
    const block = blocks.pop();
    if (!block || block.isSkipped) return;
    if (/^@font-face/i.test(block.prelude)) return readFace(block);
    for (const [name, { value, at }] of block.declared) {
      const isFont = name === "font" || name === "font-family" || name.startsWith("--");
      if (isFont && sheet.fonts.length < MAX_FONTS) sheet.fonts.push(value.toLowerCase());
      if (!IMAGE.test(name) || /image-set\(/i.test(value)) continue;
      for (const { address } of findUrls(value))
        add(sheet.images, { address, line: lineAt(at), kind: "image" });
    }
  }

  function readFace({ declared }: Block): void {
    const source = declared.get("src");
    const family = (declared.get("font-family")?.value ?? "").replace(/["']/g, "").trim();
    const range = declared.get("unicode-range")?.value ?? "";
    if (!source || family === "" || (range !== "" && !LATIN.test(range))) return;
    const usable = [...findUrls(source.value)].find(({ address, after }) => {
      const format = FORMAT.exec(after)?.[1];
      return format === undefined ? !OLD_FONT.test(address) : FORMATS.test(format);
    });
    if (!usable) return;
    const isUpright = !/italic|oblique/i.test(declared.get("font-style")?.value ?? "");
    const weight = (declared.get("font-weight")?.value ?? "normal").trim();
    add(sheet.faces, {
      address: usable.address,
      line: lineAt(source.at),
      kind: "font",
      family: family.toLowerCase(),
      isUsual: isUpright && /^(?:normal|400|[1-4]00\s)/i.test(weight),
    });
  }

  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === '"' || character === "'") at = skipString(text, at);
    else if (character === "/" && text[at + 1] === "*") at = skipTo(text, "*/", at + 2) + 1;
    else if (character === "(" && isRawUrl(text, at)) at = skipTo(text, ")", at);
    else if (character === "{") {
      open(at);
      start = at + 1;
    } else if (character === "}" || character === ";") {
      declare(at);
      if (character === "}") close();
      start = at + 1;
    }
    if (at < pause) continue;
    pause = at + 4096;
    if (slice.isOver) await slice.end();
    if (slice.isLate) break;
  }
  return sheet;
}

function skipComments(text: string): string {
  let rest = text.trim();
  while (rest.startsWith("/*")) rest = rest.slice(skipTo(rest, "*/", 2) + 2).trim();
  return rest;
}

function skipTo(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  return found < 0 ? text.length : found;
}

/** A line end also ends a string. */
function skipString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === text[start] || text[at] === "\n") return at;
  }
  return text.length;
}

function isRawUrl(text: string, at: number): boolean {
  return (
    text.slice(Math.max(0, at - 3), at).toLowerCase() === "url" &&
    !/^\s*["']/.test(text.slice(at + 1, at + 20))
  );
}

function* findUrls(value: string): Generator<{ address: string; after: string }> {
  for (const match of value.matchAll(URL_OF)) {
    const [whole, double, single, raw = ""] = match;
    const address = double ?? single ?? raw;
    const after = value.slice(match.index + whole.length, match.index + whole.length + 60);
    if (address !== "" && !/^\s*(?:#|data:|about:|blob:)/i.test(address)) yield { address, after };
  }
}

const PSEUDO = /::?[\w-]+(?:\([^()]{0,500}\))?/g;
const ATTRIBUTE = /\[([^\]]{0,200})\]/g;
const CLASS_PART = /^\s{0,5}class\s{0,5}[*^~|$]?=\s{0,5}["']?\s{0,5}([\w-]{1,100})/i;
const NAME = /([.#]?)(-?[_a-z\u0080-\uffff][\w\u0080-\uffff-]*)/gi;

/** Whether the page has every name of one of the selectors. */
function matchesPage(prelude: string, names: PageNames): boolean {
  const selectors = prelude.replace(/\/\*[^*]{0,500}\*\//g, " ").split(",");
  return selectors.some((selector) => {
    if (LATER.test(selector)) return false;
    const parts = [...selector.matchAll(ATTRIBUTE)].flatMap(([, inside = ""]) => {
      const part = CLASS_PART.exec(inside)?.[1];
      return part === undefined ? [] : [part];
    });
    const hasParts = parts.every((part) => names.hasClassWith(part));
    const simple = selector.replace(ATTRIBUTE, "").replace(PSEUDO, "");
    const wanted = [...simple.matchAll(NAME)].map(([, mark = "", name = ""]) =>
      mark === "" ? name.toLowerCase() : mark + name,
    );
    return hasParts && wanted.every((name) => names.has(name));
  });
}

/** One face for each family that is used, since browsers load a face only for text of its style. */
export function findUsedFaces(sheets: readonly StyleSheet[]): ReadonlySet<StyleFile> {
  const values = new Set(sheets.flatMap((sheet) => sheet.fonts));
  const fonts = [...values].join("\n").slice(0, MAX_FONT_TEXT);
  const faces = new Map<string, FontFace>();
  for (const face of sheets.flatMap((sheet) => sheet.faces)) {
    const known = faces.get(face.family);
    if (fonts.includes(face.family) && (!known || (face.isUsual && !known.isUsual)))
      faces.set(face.family, face);
  }
  return new Set(faces.values());
}
