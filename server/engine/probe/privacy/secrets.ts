import type { TargetHeaders } from "../../../../shared/check.ts";
import { Finder } from "./finder.ts";
import { maskText } from "./mask.ts";
import { findFrom } from "./search.ts";
import { MAX_URL_LENGTH } from "../../../base/syntax/url.ts";

/** Shorter values are words, dates and languages that a page may well use on its own. */
const MIN_LENGTH = 16;
const MIN_HEADER_LENGTH = 8;
/** Longest part of a value that any text of the evidence holds; a site may set many values. */
const MAX_LENGTH = 1024;
const MAX_LEARNT_LENGTH = 8192;
/** The most of a secret that may remain at the end of a text that was cut. */
const MAX_REST_LENGTH = 8;
/** URLs in the evidence are cut at this length, without an ellipsis. */
const CUT_LENGTH = 1024;
const SECRET = /^(?=\D*\d)(?=[^a-z]*[a-z])[\x21-\x7e]{16,}$/i;
/** Items of lists and pairs, such as `max-age=31536000`. */
const PAIR = /[,;\s]|=[^=]/;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]/i;

/** Fields with the probe's own words, or with names by which rules find what they read. */
const OWN_WORDS = new Set(
  (
    "phase reason refusal state kind place outcome method of host notBefore notAfter checkedAt sans address addresses " +
    "name agent code protocol cipher type keyType curve signatureAlgorithm sha256 signature challenge emptyRootId"
  ).split(" "),
);
/**
 * Fields in which the site speaks to people, and addresses. Rules read words in everything else, so words stay there.
 */
const SPEECH = new Set("title start text headings detail tag url location canonical".split(" "));
const SPOKEN_METAS = /^(?:description|og:)/;

/** The secret values of one check, which its evidence must not hold even where the site repeats them. */
export interface Secrets {
  /** Adds the query values of the page's URL, or of one it redirects to. Paths are not secret. */
  noteUrl(url: URL): void;
  /** Adds the values of cookies set by such an origin that look secret. `rawHeaders`: name, value, name, value. */
  noteCookies(url: URL, rawHeaders: readonly string[]): void;
  /**
   * A copy of the evidence with every secret masked, such that rules judge it the same: values keep their length and
   * the kinds of their characters. Takes linear time.
   */
  hide<T>(evidence: T): T;
}

/** Starts with the values of the headers sent to the site and of the URL's query. */
export function openSecrets(headers: TargetHeaders, url: URL): Secrets {
  const tokens = new Set(
    Object.values(headers).filter(({ length }) => length >= MIN_HEADER_LENGTH),
  );
  const words = new Set<string>();
  const shown: string[] = [];
  const origins = new Set<string>();
  let room = MAX_LEARNT_LENGTH;

  function note(value: string): void {
    const known = looksSecret(value) ? tokens : words;
    if (value.length < MIN_LENGTH || value.length > room || known.has(value)) return;
    room -= value.length;
    known.add(value);
  }

  /** An address is no secret, but its parameters may be. */
  function noteQuery(query: string): void {
    for (const value of new URLSearchParams(query).values()) {
      if (!ADDRESS.test(value)) note(value);
      else if (value.includes("?")) for (const each of innerValues(value)) note(each);
    }
  }

  function noteUrl({ origin, pathname, search, hash }: URL): void {
    origins.add(origin);
    shown.push((origin + pathname).slice(0, MAX_URL_LENGTH));
    noteQuery(search);
    noteQuery(hash.slice(1));
    note(hash.slice(1));
  }

  noteUrl(url);
  return {
    noteUrl,
    noteCookies({ origin }, rawHeaders) {
      if (!origins.has(origin)) return;
      for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
        if (rawHeaders[index]?.toLowerCase() !== "set-cookie") continue;
        const value = valueOf(rawHeaders[index + 1] ?? "");
        if (looksSecret(value)) note(value);
      }
    },
    hide(evidence) {
      const isHidden = (value: string): boolean => shown.every((text) => findFrom(text, value) < 0);
      const [hiddenTokens, hiddenWords] = [
        [...tokens].filter(isHidden),
        [...words].filter(isHidden),
      ];
      if (hiddenTokens.length + hiddenWords.length === 0) return evidence;
      return hideIn(evidence, {
        everywhere: openFinder(hiddenTokens),
        inSpeech: openFinder([...hiddenTokens, ...hiddenWords]),
      });
    },
  };
}

/** Letters and digits in which no rule recognises a word. */
function looksSecret(value: string): boolean {
  return SECRET.test(value) && !PAIR.test(value) && !ADDRESS.test(value);
}

function innerValues(address: string): Iterable<string> {
  return new URLSearchParams(address.slice(address.indexOf("?"))).values();
}

function valueOf(cookie: string): string {
  const [pair = ""] = cookie.split(";", 1);
  const value = pair.slice(pair.indexOf("=") + 1).trim();
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}

interface Finders {
  everywhere: Finder;
  inSpeech: Finder;
}

function openFinder(secrets: readonly string[]): Finder {
  return new Finder(secrets.flatMap(writtenForms).map((form) => form.slice(0, MAX_LENGTH)));
}

/** The forms of a value in a header or text, in a URL, and in HTML. */
function writtenForms(secret: string): string[] {
  const html = secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
  const text = secret.replace(/\p{Cs}/gu, "\ufffd");
  const query = new URLSearchParams([["", text]]).toString().slice(1);
  return [secret, html, encodeURIComponent(text), encodeURI(text), query];
}

function hideIn<T>(value: T, finders: Finders): T {
  if (Array.isArray(value)) return value.map((each: unknown) => hideIn(each, finders)) as T;
  if (typeof value === "string") return hideInText(value, finders.everywhere) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]: [string, unknown]) => {
    if (OWN_WORDS.has(key)) return [key, each];
    if (key === "headers") return [key, hideInHeaders(each, finders.everywhere)];
    if (key === "drawnCookies") return [key, hideInNames(each, finders.everywhere)];
    const isSpoken = SPEECH.has(key) || (key === "content" && isSpokenMeta(value));
    return [key, hideIn(each, isSpoken ? { ...finders, everywhere: finders.inSpeech } : finders)];
  });
  return Object.fromEntries(entries) as T;
}

function isSpokenMeta(meta: object): boolean {
  return "name" in meta && SPOKEN_METAS.test(String(meta.name));
}

function hideInHeaders(headers: unknown, finder: Finder): unknown {
  if (!Array.isArray(headers)) return headers;
  return headers.map(([name, value]: [string, string]) => [name, hideInText(value, finder)]);
}

/** Masked as in their headers, so that rules can match the two. */
function hideInNames(cookies: unknown, finder: Finder): unknown {
  if (!Array.isArray(cookies)) return cookies;
  return cookies.map((cookie: { name: string }) => ({
    ...cookie,
    name: hideInText(cookie.name, finder),
  }));
}

/** Never touches a host; at the end of a cut text, the beginning of a secret counts as one too. */
function hideInText(text: string, finder: Finder): string {
  const isMarked = text.endsWith("…");
  const read = isMarked ? text.slice(0, -1) : text;
  const { spans, rest } = finder.find(read);
  const isCut = (isMarked || text.length >= CUT_LENGTH) && rest > MAX_REST_LENGTH;
  const start = Math.max(read.length - rest, spans.at(-1)?.[1] ?? 0);
  const hidden = isCut ? [...spans, [start, read.length] as const] : spans;
  return hidden.length === 0 ? text : maskText(read, hidden) + (isMarked ? "…" : "");
}
