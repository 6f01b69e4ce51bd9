import type { TargetHeaders } from "../../../../shared/check.ts";
import { MAX_URL_LENGTH } from "../../../base/syntax/url.ts";
import { Finder } from "./finder.ts";
import { hideIn, hideWith } from "./hide.ts";
import { readPlainly } from "./plain-text.ts";
import { redactParameters } from "./redact.ts";

const MIN_HEADER_LENGTH = 8;
/**
 * The line above which a value is masked. Shorter ones are page numbers, languages, sort orders and words that a page may
 * well use on its own.
 */
const MASKED = [
  /^[^@]+@[^@ .]+\.[^@ ]+$/,
  /^\d{9,}$/,
  /^(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{8,}$/,
  /^[^]{12,}$/,
];
const MIN_LENGTH = 6;
/** Longest part of a value that any text of the evidence holds; a site may set many values. */
const MAX_LENGTH = 1024;
const MAX_LEARNT_LENGTH = 8192;
const MAX_COOKIE_LENGTH = 4096;
/** More than a URL has. */
const MAX_VALUES = 1500;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:)?[/\\][^+= ]*(?:[?#]|$)/i;
/** Small letters, capital letters and digits, with no sign but base64's: no address, though it may start with a slash. */
const BASE64 = /^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)[a-zA-Z\d/+ ]+=*$/;
/** How deep an address may stand in the query of another one. */
const MAX_DEPTH = 3;
const MAX_LAYERS = 3;
/** How many groups of values are judged to find those on which findings rest. */
const MAX_GROUPS = 8;

/** The secret values of one check, which its evidence must not hold even where the site repeats them. */
export interface Secrets {
  /**
   * Adds the values in the page's URL, or in one it redirects to: of its query, its path parameters and its fragment.
   * Paths are not secret.
   */
  noteUrl(url: URL): void;
  /** Tells of a file that the page names. What its path says, if it is the site's own, is secret in no cookie. */
  noteFile(url: URL): void;
  /** Adds the values of cookies set by such an origin. `rawHeaders`: name, value, name, value. */
  noteCookies(url: URL, rawHeaders: readonly string[]): void;
  /**
   * A copy of the evidence with every secret masked: values keep their length and the kinds of their characters. A value of
   * a URL or a cookie stays where its mask would change what `findingsOf` says. Takes time linear in the evidence, and
   * calls `findingsOf` only if the site repeats a value.
   */
  hide<T>(evidence: T, findingsOf: (evidence: T) => Promise<string>): Promise<T>;
}

/** Starts with the values of the headers sent to the site and those in the URL. */
export function openSecrets(headers: TargetHeaders, url: URL): Secrets {
  const credentials = Object.values(headers)
    .filter(({ length }) => length >= MIN_HEADER_LENGTH)
    .map(toNeedle);
  const ofUrls = openValues();
  const ofCookies = openValues();
  const shown: string[] = [];
  const files: string[] = [];
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
      if (origins.has(file.origin)) files.push(showPath(file));
    },
    noteCookies({ origin }, rawHeaders) {
      if (!origins.has(origin)) return;
      for (let index = 0; index + 1 < rawHeaders.length; index += 2)
        if (rawHeaders[index]?.toLowerCase() === "set-cookie")
          ofCookies.noteValue(valueOf(rawHeaders[index + 1] ?? "").slice(0, MAX_COOKIE_LENGTH));
    },
    async hide(evidence, findingsOf) {
      const base = hideIn(evidence, listUnseen(credentials, shown.slice(0, 1)));
      const inCookies = listUnseen(ofCookies.all, [...shown, ...files]);
      const values = [...listUnseen(ofUrls.all, shown), ...inCookies];
      return hideUnlessNeeded(base, values, findingsOf);
    },
  };
}

function showPath({ origin, pathname }: URL): string {
  return (origin + redactParameters(pathname)).slice(0, MAX_URL_LENGTH);
}

function listUnseen(values: Iterable<string>, texts: readonly string[]): readonly string[] {
  const finder = new Finder(values);
  for (const text of texts) finder.find(readPlainly(text).text);
  return [...values].filter((value) => !finder.seen.has(value));
}

/** The values from one source, which leave those from others their room. */
function openValues() {
  const all = new Set<string>();
  const read = new Set<string>();
  let room = MAX_LEARNT_LENGTH;

  function note(written: string): void {
    const value = toNeedle(written);
    if (value.length > room || all.has(value) || !MASKED.some((kind) => kind.test(value))) return;
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

/** A value without one layer of escapes, without two, and so on. */
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

/**
 * Masks the values, but for those on which a finding rests: a directive may stand in the query too, such as
 * `noindex, nofollow`. Many values that the site repeats are judged in groups, which stay as a whole.
 */
async function hideUnlessNeeded<T>(
  evidence: T,
  values: readonly string[],
  findingsOf: (evidence: T) => Promise<string>,
): Promise<T> {
  if (values.length === 0) return evidence;
  const finder = new Finder(values);
  const masked = hideWith(finder, evidence);
  if (masked === evidence) return evidence;
  const wanted = await findingsOf(evidence);
  const isSame = async (hidden: T): Promise<boolean> => (await findingsOf(hidden)) === wanted;
  if (await isSame(masked)) return masked;
  const repeated = [...finder.seen];
  const size = Math.ceil(repeated.length / MAX_GROUPS);
  const needed = new Set<string>();
  for (let start = 0; start < repeated.length; start += size) {
    const group = repeated.slice(start, start + size);
    if (!(await isSame(hideIn(evidence, group)))) for (const value of group) needed.add(value);
  }
  const needless = values.filter((value) => !needed.has(value));
  const hidden = hideIn(evidence, needless);
  return (await isSame(hidden)) ? hidden : evidence;
}
