import type { Resource, Html } from "../../evidence/html.ts";
import { type Tag, hasAlternative, isAriaHidden } from "./html-tokens.ts";
import { extractMediaType } from "../../../base/syntax/media-type.ts";
import { Enclosure } from "./nesting.ts";
import { redactUrl } from "../privacy/redact.ts";
import { oneLine } from "../../../base/syntax/text.ts";

/** `isSample`: the file is worth requesting. */
export interface Reference {
  url: string;
  kind: Resource["kind"];
  blocking: boolean;
  isSample: boolean;
}

const SCRIPT_TYPE = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script[\d.]*)$/;
const NOT_ON_SCREEN = /^(?:print|not all)$/i;
const MAX_SRCSET_URLS = 100;

/** A preloaded script or style is `other`: if the preload fails, its own element fetches it again. */
const PRELOAD_KINDS = new Map<string, Resource["kind"]>([
  ["image", "image"],
  ["font", "font"],
  ["audio", "media"],
  ["video", "media"],
]);

const SOURCES = new Map<string, readonly (readonly [attribute: string, kind: Resource["kind"]])[]>([
  ["img", [["src", "image"]]],
  ["source", [["src", "media"]]],
  [
    "video",
    [
      ["src", "media"],
      ["poster", "image"],
    ],
  ],
  ["input", [["src", "image"]]],
  ["audio", [["src", "media"]]],
  ["track", [["src", "other"]]],
  [
    "image",
    [
      ["href", "image"],
      ["xlink:href", "image"],
    ],
  ],
  ["embed", [["src", "other"]]],
  ["object", [["data", "other"]]],
  ["iframe", [["src", "frame"]]],
  ["frame", [["src", "frame"]]],
]);

/** See HTML, 4.8.4.3.10. */
function splitSrcset(srcset: string): string[] {
  const urls: string[] = [];
  const separator = /[\s,]*/y;
  const word = /\S+/y;
  let position = 0;

  function take(pattern: RegExp): string {
    pattern.lastIndex = position;
    const taken = pattern.exec(srcset)?.[0] ?? "";
    position += taken.length;
    return taken;
  }

  function skipDescriptors(): void {
    let isInParentheses = false;
    for (; position < srcset.length; position++) {
      const character = srcset[position];
      if (character === "," && !isInParentheses) return;
      if (character === "(" || character === ")") isInParentheses = character === "(";
    }
  }

  while (urls.length < MAX_SRCSET_URLS) {
    take(separator);
    const url = take(word);
    if (!url) break;
    let end = url.length;
    while (url[end - 1] === ",") end -= 1;
    if (end === url.length) skipDescriptors();
    urls.push(url.slice(0, end));
  }
  return urls;
}

export function typeOf(tag: Tag): string {
  return (tag.attributes.get("type") ?? "").trim().toLowerCase();
}

export function isScript(tag: Tag): boolean {
  return tag.name === "script" && SCRIPT_TYPE.test(typeOf(tag));
}

/** Finds the compiler that an element's code or styles need in the browser. */
export function findCompiler(tag: Tag): Html["compilers"][number] | undefined {
  const type = typeOf(tag);
  if (tag.name === "script" && (type === "text/babel" || type === "text/jsx")) return "babel";
  const isLess =
    (tag.name === "link" && relationsOf(tag).includes("stylesheet/less")) ||
    (tag.name === "style" && type === "text/less");
  return isLess ? "less" : undefined;
}

export function isDataUrl(url: string): boolean {
  return /^\s*data:/i.test(url);
}

/** `__NEXT_DATA__` is the JSON in which Next.js describes the build of the page. */
export function isCode(tag: Tag): boolean {
  return isScript(tag) || (tag.name === "script" && tag.attributes.get("id") === "__NEXT_DATA__");
}

export function isJsonLd(tag: Tag): boolean {
  return tag.name === "script" && extractMediaType(typeOf(tag))?.essence === "application/ld+json";
}

function referencesOfScript(tag: Tag, isInHead: boolean): Reference[] {
  const { attributes, isForeign } = tag;
  const linked = isForeign ? (attributes.get("href") ?? attributes.get("xlink:href")) : undefined;
  const url = isForeign ? linked : attributes.get("src");
  if (url === undefined || !isScript(tag)) return [];
  if (typeOf(tag) === "module") return [{ url, kind: "module", blocking: false, isSample: true }];
  if (tag.attributes.has("nomodule"))
    return [{ url, kind: "other", blocking: false, isSample: true }];
  const isLate = ["async", "defer"].some((name) => tag.attributes.has(name));
  return [{ url, kind: "script", blocking: isInHead && !isLate, isSample: true }];
}

/** Browsers do not fetch or apply a style sheet declared as another type. */
export function isCss(tag: Tag): boolean {
  const type = typeOf(tag);
  return type === "" || extractMediaType(type)?.essence === "text/css";
}

function isShownWith(tag: Tag, relations: readonly string[]): boolean {
  return (
    relations.includes("stylesheet") &&
    !relations.includes("alternate") &&
    !tag.attributes.has("disabled") &&
    !NOT_ON_SCREEN.test((tag.attributes.get("media") ?? "").trim())
  );
}

export function isAppliedByHandler(tag: Tag): boolean {
  if (tag.name !== "link" || !tag.attributes.has("onload")) return false;
  const relations = relationsOf(tag);
  return kindOfLink(tag, relations) === "style" && !isShownWith(tag, relations);
}

function kindOfLink(tag: Tag, relations: readonly string[]): Resource["kind"] | null {
  if (relations.includes("stylesheet") && !isCss(tag)) return null;
  const as = (tag.attributes.get("as") ?? "").toLowerCase();
  const isStyle =
    relations.includes("stylesheet") || (relations.includes("preload") && as === "style");
  // A style sheet that an onload handler applies is a style like any other.
  if (isStyle)
    return isShownWith(tag, relations) || tag.attributes.has("onload") ? "style" : "other";
  if (relations.some((relation) => /^(?:mask-|fluid-)?icon$|^apple-touch-icon/.test(relation)))
    return "icon";
  if (relations.includes("manifest")) return "manifest";
  if (relations.includes("modulepreload")) return "other";
  if (relations.includes("preload")) return PRELOAD_KINDS.get(as) ?? "other";
  return null;
}

export function relationsOf(tag: Tag): string[] {
  return (tag.attributes.get("rel") ?? "").toLowerCase().split(/\s+/);
}

function referencesOfLink(tag: Tag, isInHead: boolean): Reference[] {
  const relations = relationsOf(tag);
  const kind = kindOfLink(tag, relations);
  const url = tag.attributes.get("href");
  if (!kind) return [];
  const blocking = isInHead && isShownWith(tag, relations);
  const main: Reference[] = url === undefined ? [] : [{ url, kind, blocking, isSample: true }];
  return [...main, ...referencesOfSrcset(tag, "imagesrcset", main.length === 0)];
}

function referencesOfSrcset(tag: Tag, attribute: string, isSampled: boolean): Reference[] {
  const srcset = tag.attributes.get(attribute);
  if (srcset === undefined) return [];
  return splitSrcset(srcset).map((url, index) => ({
    url,
    kind: "image",
    blocking: false,
    isSample: isSampled && index === 0,
  }));
}

/** Frames are separate documents; some recordings load only when played. */
export function isLoaded({ attributes }: Tag, kind: Resource["kind"]): boolean {
  const isLater = /^none$/i.test(attributes.get("preload") ?? "") && !attributes.has("autoplay");
  return kind !== "frame" && !(kind === "media" && isLater);
}

export function referencesOf(tag: Tag, isInHead: boolean): Reference[] {
  if (tag.name === "script") return referencesOfScript(tag, isInHead);
  if (tag.name === "link") return referencesOfLink(tag, isInHead);
  if (tag.name === "input" && !/^image$/i.test(tag.attributes.get("type") ?? "")) return [];
  if (tag.attributes.has("srcdoc")) return [];
  const main: Reference[] = [];
  for (const [attribute, kind] of SOURCES.get(tag.name) ?? []) {
    const url = tag.attributes.get(attribute);
    if (url !== undefined) main.push({ url, kind, blocking: false, isSample: isLoaded(tag, kind) });
  }
  return [...main, ...referencesOfSrcset(tag, "srcset", main.length === 0)];
}

const MAX_IMAGES_WITHOUT_ALT = 5;

export class Images {
  count = 0;
  readonly #ariaHidden = new Enclosure();
  #withoutAltCount = 0;
  readonly #withoutAlt: Html["imagesWithoutAlt"] = [];

  enter(tag: Tag, isShown: boolean): void {
    if (tag.name !== "img") this.#ariaHidden.enter(tag.name, isAriaHidden(tag));
    else if (isShown) this.#add(tag);
  }

  leave(name: string): void {
    this.#ariaHidden.leave(name);
  }

  #add(tag: Tag): void {
    this.count += 1;
    if (this.#ariaHidden.isInside || hasAlternative(tag)) return;
    this.#withoutAltCount += 1;
    if (this.#withoutAlt.length >= MAX_IMAGES_WITHOUT_ALT) return;
    const src = oneLine(redactUrl(tag.attributes.get("src") ?? ""), 200);
    this.#withoutAlt.push({ tag: src ? `<img src="${src}">` : "<img>", line: tag.line });
  }

  getFacts(): Pick<Html, "imageCount" | "imagesWithoutAltCount" | "imagesWithoutAlt"> {
    return {
      imageCount: this.count,
      imagesWithoutAltCount: this.#withoutAltCount,
      imagesWithoutAlt: this.#withoutAlt,
    };
  }
}
