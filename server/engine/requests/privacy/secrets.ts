import type { TargetHeaders } from "../../../../shared/check.ts";
import { MAX_URL_LENGTH } from "../../../base/syntax/url.ts";
import { hideIn } from "./hide.ts";
import { createSearch, readPlainly } from "./plain-text.ts";
import { redactParameters } from "./redact.ts";

const MIN_HEADER_LENGTH = 8;
/** Values of these forms are masked. Shorter ones are page numbers, languages, or words that a page may use. */
const MASKED = [
  /^[^@]+@[^@ .]+\.[^@ ]+$/,
  /^\d{9,}$/,
  /^(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{8,}$/,
  /^[^]{12,}$/,
];
const MIN_LENGTH = 6;
/** No text of the evidence contains a longer part of a value. The limit bounds the work, as a site may set many values. */
const MAX_LENGTH = 1024;
const MAX_SOURCE_LENGTH = 8192;
const MAX_COOKIE_LENGTH = 4096;
/** No URL has as many values. */
const MAX_VALUES = 1500;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:)?[/\\][^+= ]*(?:[?#]|$)/i;
/** Base64 with letters of both cases and digits. It is no address, though it may start with a slash. */
const BASE64 = /^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)[a-zA-Z\d/+ ]+=*$/;
/** How deeply the queries of addresses inside addresses are searched. */
const MAX_DEPTH = 3;
const MAX_LAYERS = 3;
/** Limit of the stored file paths, which may show that a cookie's value is public. */
const MAX_FILES_LENGTH = 32_768;
/** Words that rules read. A value is no secret if it has only these words and at most as many short numbers. */
const WORDS_OF_RULES = new Set(
  (
    "all none index noindex follow nofollow noarchive nosnippet noimageindex notranslate max-snippet max-image-preview large " +
    "max-age s-maxage includesubdomains preload no-store no-cache no-transform must-revalidate public private immutable " +
    "nosniff deny sameorigin allow-from no-referrer no-referrer-when-downgrade origin origin-when-cross-origin same-origin " +
    "strict-origin strict-origin-when-cross-origin unsafe-url same-site cross-origin same-origin-allow-popups unsafe-none " +
    "require-corp credentialless secure httponly samesite lax strict path default-src script-src script-src-elem " +
    "script-src-attr style-src img-src font-src connect-src media-src object-src frame-src child-src worker-src manifest-src " +
    "base-uri form-action frame-ancestors sandbox report-uri report-to upgrade-insecure-requests block-all-mixed-content self " +
    "unsafe-inline unsafe-eval unsafe-hashes wasm-unsafe-eval strict-dynamic http https data blob width height device-width " +
    "device-height initial-scale minimum-scale maximum-scale user-scalable yes no true false text html css javascript " +
    "application json xml image png jpeg gif webp svg charset utf-8 gzip br deflate camera microphone geolocation under " +
    "construction coming soon lorem ipsum dolor sit amet"
  ).split(" "),
);

/** The secret values of one check. Its evidence must not contain them, even where the site repeats them. */
export interface Secrets {
  /** Paths are not secret. */
  noteUrl(url: URL): void;
  /** If the file is the site's own, no cookie value in its path is treated as secret. */
  noteFile(url: URL): void;
  /** Adds only cookies that the origin of a noted URL set. `rawHeaders`: name, value, name, value. */
  noteCookies(url: URL, rawHeaders: readonly string[]): void;
  /** Works in slices and in time linear in the evidence. */
  hide<T>(evidence: T): Promise<T>;
}

export function openSecrets(headers: TargetHeaders, url: URL): Secrets {
  const credentials = Object.values(headers)
    .filter(({ length }) => length >= MIN_HEADER_LENGTH)
    .map(toNeedle);
  const ofUrls = openValues();
  const ofCookies = openValues();
  const shown: string[] = [];
  const files: string[] = [];
  let room = MAX_FILES_LENGTH;
  const origins = new Set<string>();

  function noteUrl(page: URL): void {
    origins.add(page.origin);
    shown.push(showPath(page));
    ofUrls.noteValues(page.href);
  }

  noteUrl(url);
  return {
    noteUrl,
    noteFile(file) {
      const path = showPath(file);
      if (!origins.has(file.origin) || path.length > room) return;
      room -= path.length;
      files.push(path);
    },
    noteCookies({ origin }, rawHeaders) {
      if (!origins.has(origin)) return;
      for (let index = 0; index + 1 < rawHeaders.length; index += 2)
        if (rawHeaders[index]?.toLowerCase() === "set-cookie")
          ofCookies.noteValue(valueOf(rawHeaders[index + 1] ?? "").slice(0, MAX_COOKIE_LENGTH));
    },
    hide(evidence) {
      const values = [
        ...excludeShown(credentials, shown.slice(0, 1)),
        ...excludeShown(ofUrls.all, shown),
        ...excludeShown(ofCookies.all, [...shown, ...files]),
      ];
      return hideIn(evidence, values);
    },
  };
}

function showPath({ origin, pathname }: URL): string {
  return (origin + redactParameters(pathname)).slice(0, MAX_URL_LENGTH);
}

function excludeShown(values: Iterable<string>, texts: readonly string[]): readonly string[] {
  const search = createSearch(values);
  const found = texts.flatMap((text) => search(readPlainly(text).text).map(([, value]) => value));
  const shownValues = [...new Set(found)];
  return [...values].filter((value) => !shownValues.some((longest) => longest.startsWith(value)));
}

function isReadByRules(value: string): boolean {
  const parts = value.match(/[\p{L}\p{N}-]+/gu) ?? [];
  const words = parts.filter((part) => !/^\d{1,8}$/.test(part));
  const isNumeric = words.length < parts.length / 2;
  return words.length > 0 && !isNumeric && words.every((word) => WORDS_OF_RULES.has(word));
}

/** Each source has its own limit, so that none takes another's room. */
function openValues() {
  const all = new Set<string>();
  const read = new Set<string>();
  let room = MAX_SOURCE_LENGTH;

  function note(written: string): void {
    const value = toNeedle(written);
    if (value.length > room || all.has(value) || !MASKED.some((kind) => kind.test(value))) return;
    if (isReadByRules(value)) return;
    room -= value.length;
    all.add(value);
  }

  /** An address is no secret, but the values in it may be. */
  function noteValue(written: string, depth = 0): void {
    if (written.length < MIN_LENGTH || room < MIN_LENGTH || read.size === MAX_VALUES) return;
    if (read.has(written)) return;
    read.add(written);
    const layers = listLayers(written);
    const addresses = layers.filter((layer) => ADDRESS.test(layer));
    if (addresses.length === 0 || layers.some((layer) => BASE64.test(layer))) note(written);
    else if (depth < MAX_DEPTH) for (const each of addresses) noteValues(each, depth + 1);
  }

  function noteValues(address: string, depth = 0): void {
    const [, path = "", query = "", fragment = ""] =
      /^([^?#]*)\??([^#]*)#?([^]*)/.exec(address) ?? [];
    const ofPath = path.split(";").slice(1);
    for (const part of [...ofPath.map(cutSegment), ...query.split("&"), ...fragment.split("&")])
      noteValue(part.slice(part.indexOf("=") + 1), depth);
  }

  return { all, noteValue, noteValues };
}

function toNeedle(written: string): string {
  return readPlainly(written).text.trim().slice(0, MAX_LENGTH);
}

function listLayers(written: string): readonly string[] {
  const layers = [unescapeQuery(written)];
  for (let last = layers[0] ?? ""; layers.length < MAX_LAYERS; layers.push(last)) {
    const next = unescapeQuery(last);
    if (next === last) break;
    last = next;
  }
  return layers;
}

function unescapeQuery(written: string): string {
  try {
    return decodeURIComponent(written.replaceAll("+", " "));
  } catch {
    return written;
  }
}

function cutSegment(parameter: string): string {
  return parameter.replace(/\/[^]*/, "");
}

function valueOf(cookie: string): string {
  const [pair = ""] = cookie.split(";", 1);
  const value = pair.slice(pair.indexOf("=") + 1).trim();
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
