import type { Asset } from "../../evidence/evidence.ts";
import type { Resource, Html } from "../../evidence/html.ts";
import { type Tag, hasAlternative, isAriaHidden, isHidden } from "./html-tokens.ts";
import { extractMediaType } from "../../../base/syntax/media-type.ts";
import { Enclosure } from "./nesting.ts";
import { redactUrl } from "../privacy/redact.ts";
import { oneLine } from "../../../base/syntax/text.ts";

/** `isSample`: the file is worth requesting. `load`: `now` if not given. */
export interface Reference {
  url: string;
  kind: Resource["kind"];
  blocking: boolean;
  isSample: boolean;
  load?: Asset["load"];
}

const SCRIPT_TYPE = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script[\d.]*)$/;
const NOT_ON_SCREEN = /^(?:print|not all)$/i;
const MAX_SRCSET_URLS = 100;
const MAX_DESCRIPTOR = 100;

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
      ["src", "image"],
    ],
  ],
  ...["body", "table", "tr", "td", "th"].map((name) => [name, [["background", "image"]]] as const),
  ...["use", "feimage"].map(
    (name) =>
      [
        name,
        [
          ["href", "image"],
          ["xlink:href", "image"],
        ],
      ] as const,
  ),
  ["embed", [["src", "other"]]],
  ["object", [["data", "other"]]],
  ["iframe", [["src", "frame"]]],
  ["frame", [["src", "frame"]]],
]);

interface Candidate {
  url: string;
  /** A width such as `640w`, a density such as `2x`, or empty. */
  descriptor: string;
}

/** Parts of a drawing, which are not requested. */
const OF_DRAWING = new Set(["use", "feimage"]);

/** See HTML, 4.8.4.3.10. */
function splitSrcset(srcset: string): Candidate[] {
  const candidates: Candidate[] = [];
  const separator = /[\s,]*/y;
  const word = /\S+/y;
  let position = 0;

  function take(pattern: RegExp): string {
    pattern.lastIndex = position;
    const taken = pattern.exec(srcset)?.[0] ?? "";
    position += taken.length;
    return taken;
  }

  function takeDescriptors(): string {
    const start = position;
    let isInParentheses = false;
    for (; position < srcset.length; position++) {
      const character = srcset[position];
      if (character === "," && !isInParentheses) break;
      if (character === "(" || character === ")") isInParentheses = character === "(";
    }
    return srcset.slice(start, Math.min(position, start + MAX_DESCRIPTOR)).trim();
  }

  while (candidates.length < MAX_SRCSET_URLS) {
    take(separator);
    const url = take(word);
    if (!url) break;
    let end = url.length;
    while (url[end - 1] === ",") end -= 1;
    const descriptor = end === url.length ? takeDescriptors() : "";
    candidates.push({ url: url.slice(0, end), descriptor });
  }
  return candidates;
}

const WIDTH = /^\d+w(?:\s+\d+h)?$/;
const DENSITY = /^(?:\d+(?:\.\d*)?|\.\d+)x$/;
/** In CSS pixels, the width of a common window. */
const WINDOW_WIDTH = 1280;

function rankCandidate({ descriptor }: Candidate): number {
  const size = Number.parseFloat(descriptor || "1");
  const wanted = WIDTH.test(descriptor) ? WINDOW_WIDTH : 1;
  return size < wanted ? 1e9 - size : size;
}

/**
 * Browsers drop a candidate with an invalid descriptor. They load one of the others, and `src` only if it may be the
 * candidate of density 1 (HTML, 4.8.4.3.4).
 */
function readSrcset(srcset: string) {
  const candidates = splitSrcset(srcset);
  const valid = candidates.filter(
    ({ descriptor }) => descriptor === "" || WIDTH.test(descriptor) || DENSITY.test(descriptor),
  );
  const [usual] = valid.toSorted((one, other) => rankCandidate(one) - rankCandidate(other));
  const replacesSrc = valid.some(
    ({ descriptor }) => descriptor === "" || descriptor === "1x" || WIDTH.test(descriptor),
  );
  return { candidates, valid: new Set(valid), usual, replacesSrc };
}

export function typeOf(tag: Tag): string {
  return (tag.attributes.get("type") ?? "").trim().toLowerCase();
}

export function isScript(tag: Tag): boolean {
  return tag.name === "script" && SCRIPT_TYPE.test(typeOf(tag));
}

const COMPILED: readonly string[] = ["script", "link", "style"];

/** Finds the compiler that an element's code or styles need in the browser. */
export function findCompiler(tag: Tag): Html["compilers"][number] | undefined {
  if (!COMPILED.includes(tag.name)) return undefined;
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

export function isNotOnScreen({ attributes }: Tag): boolean {
  return NOT_ON_SCREEN.test((attributes.get("media") ?? "").trim());
}

function isShownWith(tag: Tag, relations: readonly string[]): boolean {
  return (
    relations.includes("stylesheet") && !relations.includes("alternate") && !isNotOnScreen(tag)
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

/** Browsers never request a disabled style sheet (HTML, 4.2.4). */
export function relationsOf({ attributes }: Tag): string[] {
  const relations = (attributes.get("rel") ?? "").toLowerCase().split(/\s+/);
  return attributes.has("disabled")
    ? relations.filter((relation) => relation !== "stylesheet")
    : relations;
}

function referencesOfLink(tag: Tag, isInHead: boolean): Reference[] {
  const relations = relationsOf(tag);
  const kind = kindOfLink(tag, relations);
  const url = tag.attributes.get("href");
  if (!kind) return [];
  const blocking = isInHead && isShownWith(tag, relations);
  const main: Reference[] = url === undefined ? [] : [{ url, kind, blocking, isSample: true }];
  return addSrcset(main, "now", tag.attributes.get("imagesrcset"));
}

function addSrcset(
  main: readonly Reference[],
  load: Asset["load"],
  srcset: string | undefined,
): Reference[] {
  if (srcset === undefined) return [...main];
  const { candidates, valid, usual, replacesSrc } = readSrcset(srcset);
  const written = main.map((one) => ({ ...one, isSample: one.isSample && !replacesSrc }));
  const others = candidates.map((candidate): Reference => {
    const isSample = valid.has(candidate);
    const isUsual = candidate === usual && (replacesSrc || main.length === 0);
    const { url } = candidate;
    return { url, kind: "image", blocking: false, isSample, load: isUsual ? load : "variant" };
  });
  return [...written, ...others];
}

const NO_SIZE = /^\s*[01](?:px)?\s*$/;

function isUnseen(tag: Tag): boolean {
  const sizes = ["width", "height"].map((name) => tag.attributes.get(name) ?? "");
  return isHidden(tag) || sizes.some((size) => NO_SIZE.test(size));
}

/** A frame without a size shows nothing; some recordings load only when played. */
export function isLoaded(tag: Tag, kind: Resource["kind"]): boolean {
  const { attributes } = tag;
  if (kind === "frame") return !isUnseen(tag);
  const isLater = /^none$/i.test(attributes.get("preload") ?? "") && !attributes.has("autoplay");
  return !(kind === "media" && isLater);
}

/** Browsers skip a source whose type they do not know (HTML, 4.8.4.3.4). */
const IMAGE_TYPE = /^image\/(?:apng|avif|bmp|gif|jpe?g|png|svg\+xml|webp|x-icon)$/;

function isSkippedSource(tag: Tag): boolean {
  const type = extractMediaType(typeOf(tag))?.essence ?? "";
  return tag.name === "source" && type !== "" && !IMAGE_TYPE.test(type);
}

export function referencesOf(tag: Tag, isInHead: boolean): Reference[] {
  if (tag.name === "script") return referencesOfScript(tag, isInHead);
  if (tag.name === "link") return referencesOfLink(tag, isInHead);
  if (tag.name === "input" && !/^image$/i.test(tag.attributes.get("type") ?? "")) return [];
  if (tag.attributes.has("srcdoc")) return [];
  const isLazy = /^lazy$/i.test(tag.attributes.get("loading") ?? "");
  const load = isLazy ? "lazy" : "now";
  const main: Reference[] = [];
  for (const [attribute, kind] of SOURCES.get(tag.name) ?? []) {
    const url = tag.attributes.get(attribute);
    const isSample = isLoaded(tag, kind) && !OF_DRAWING.has(tag.name);
    if (url !== undefined) main.push({ url, kind, blocking: false, isSample, load });
  }
  return isSkippedSource(tag) ? main : addSrcset(main, load, tag.attributes.get("srcset"));
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
