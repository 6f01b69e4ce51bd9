import type { TargetHeaders } from "../../../shared/check.ts";
import { Finder } from "./finder.ts";
import { maskText } from "./mask.ts";
import { findFrom } from "./search.ts";
import { MAX_URL_LENGTH } from "../../syntax/url.ts";

/** Shorter values are words, dates and languages, which a page may well say of itself. */
const MIN_LENGTH = 16;
const MIN_HEADER_LENGTH = 8;
/** No text of the evidence holds more of a value, and a site may set many. */
const MAX_LENGTH = 1024;
const MAX_LEARNT_LENGTH = 8192;
/** What may stay of a secret at the end of a text that was cut. */
const MAX_REST_LENGTH = 8;
/** URLs of the evidence are cut at this length, without a mark. */
const CUT_LENGTH = 1024;
const SECRET = /^(?=\D*\d)(?=[^a-z]*[a-z])[\x21-\x7e]{16,}$/i;
/** What stands in lists and pairs, such as `max-age=31536000`. */
const PAIR = /[,;\s]|=[^=]/;
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]/i;

/** What the probe itself says, and names by which rules find what they read. */
const OWN_WORDS = new Set(
  (
    "phase reason refusal state kind place outcome method of host notBefore notAfter checkedAt sans address addresses " +
    "name agent code protocol cipher type keyType curve signatureAlgorithm sha256 signature challenge emptyRootId"
  ).split(" "),
);
/** Where the site speaks to people, and addresses. In what else it says rules read words, which therefore stay. */
const SPEECH = new Set("title start text headings detail tag url location canonical".split(" "));
const SPOKEN_METAS = /^(?:description|og:)/;

/** The values of one check that its evidence must not hold, also where the site repeats them. */
export interface Secrets {
  /** Learns the values in the query of the page's URL, or of one that it redirects to; what their paths say is no secret. */
  noteUrl(url: URL): void;
  /** Learns of the cookies that such an origin sets those that look like secrets: `rawHeaders` are name, value, name, value. */
  noteCookies(url: URL, rawHeaders: readonly string[]): void;
  /**
   * A copy of the evidence with every secret masked, of which rules read the same: whole values, of which lengths and
   * kinds of characters stay. Takes a time linear in the evidence.
   */
  hide<T>(evidence: T): T;
}

/** Knows the values of the headers that are sent to the site, and the URL's. */
export function openSecrets(headers: TargetHeaders, url: URL): Secrets {
  const tokens = new Set(
    Object.values(headers).filter(({ length }) => length >= MIN_HEADER_LENGTH),
  );
  const words = new Set<string>();
  const told: string[] = [];
  const origins = new Set<string>();
  let room = MAX_LEARNT_LENGTH;

  function note(value: string): void {
    const known = looksSecret(value) ? tokens : words;
    if (value.length < MIN_LENGTH || value.length > room || known.has(value)) return;
    room -= value.length;
    known.add(value);
  }

  /** Addresses are no secrets, but what they carry may be. */
  function noteQuery(query: string): void {
    for (const value of new URLSearchParams(query).values()) {
      if (!ADDRESS.test(value)) note(value);
      else if (value.includes("?")) for (const each of innerValues(value)) note(each);
    }
  }

  function noteUrl({ origin, pathname, search, hash }: URL): void {
    origins.add(origin);
    told.push((origin + pathname).slice(0, MAX_URL_LENGTH));
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
      const isHidden = (value: string): boolean => told.every((text) => findFrom(text, value) < 0);
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

/** Letters and digits of which no rule makes out a word. */
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

/** As it may stand in a header or a text, in a URL, or in HTML. */
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

/** As in their headers, so that rules find the one by the other. */
function hideInNames(cookies: unknown, finder: Finder): unknown {
  if (!Array.isArray(cookies)) return cookies;
  return cookies.map((cookie: { name: string }) => ({
    ...cookie,
    name: hideInText(cookie.name, finder),
  }));
}

/** Never touches a host; at the end of a text that was cut, the beginning of a secret is one too. */
function hideInText(text: string, finder: Finder): string {
  const isMarked = text.endsWith("…");
  const read = isMarked ? text.slice(0, -1) : text;
  const { spans, rest } = finder.find(read);
  const isCut = (isMarked || text.length >= CUT_LENGTH) && rest > MAX_REST_LENGTH;
  const start = Math.max(read.length - rest, spans.at(-1)?.[1] ?? 0);
  const hidden = isCut ? [...spans, [start, read.length] as const] : spans;
  return hidden.length === 0 ? text : maskText(read, hidden) + (isMarked ? "…" : "");
}
