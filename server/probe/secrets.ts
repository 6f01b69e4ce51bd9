import type { TargetHeaders } from "../../shared/check.ts";

/** Shorter values are words, dates and languages, which a page may well say of itself. */
const MIN_LENGTH = 16;
const MIN_HEADER_LENGTH = 8;
const MIN_CUT_LENGTH = 3;
/** URLs of the evidence are cut at this length, without a mark. */
const CUT_LENGTH = 1024;
const MAX_SECRETS = 100;
const MASK = "***";
const ORIGIN = /^https?:\/\/[^/?#]*/i;
/** Where the evidence has words of its own. */
const OWN_WORDS = new Set(
  "phase reason refusal state kind place outcome method of host notBefore notAfter checkedAt sans address addresses".split(
    " ",
  ),
);

/** The values of one check that its evidence must not hold, also where the site repeats them. */
export interface Secrets {
  /** Learns the values of a URL's query, and its fragment. */
  noteUrl(url: URL): void;
  /** Learns the values of an answer's cookies: `rawHeaders` are name, value, name, value. */
  noteCookies(rawHeaders: readonly string[]): void;
  /** A copy of the evidence with every secret masked; its names, hosts, words of its own and times stay. */
  hide<T>(evidence: T): T;
}

/** Knows the values of the headers that are sent to the site, and the URL's. What its path says is no secret. */
export function openSecrets(headers: TargetHeaders, url: URL): Secrets {
  const known = new Set<string>();
  const told = url.origin + url.pathname;
  for (const value of Object.values(headers))
    for (const each of [value, value.split(" ").at(-1) ?? ""]) note(each, MIN_HEADER_LENGTH);

  function note(value: string, minLength = MIN_LENGTH): void {
    const isLearnt = value.length >= minLength && known.size < MAX_SECRETS;
    if (isLearnt && !told.includes(value)) known.add(value);
  }

  function noteUrl({ search, hash }: URL): void {
    for (const value of new URLSearchParams(search).values()) note(value);
    note(hash.slice(1));
  }

  noteUrl(url);
  return {
    noteUrl,
    noteCookies(rawHeaders) {
      for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
        if (rawHeaders[index]?.toLowerCase() !== "set-cookie") continue;
        const [pair = ""] = (rawHeaders[index + 1] ?? "").split(";", 1);
        note(
          pair
            .slice(pair.indexOf("=") + 1)
            .trim()
            .replace(/^"|"$/g, ""),
        );
      }
    },
    hide(evidence) {
      if (known.size === 0) return evidence;
      const forms = new Set([...known].flatMap(writtenForms));
      return hideIn(
        evidence,
        [...forms].toSorted((one, other) => other.length - one.length),
      );
    },
  };
}

/** As it may stand in a header or a text, in a URL, or in HTML. */
function writtenForms(secret: string): string[] {
  const html = secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
  const text = secret.replace(/\p{Cs}/gu, "\ufffd");
  return [secret, html, encodeURIComponent(text), encodeURI(text)];
}

function hideIn<T>(value: T, secrets: readonly string[]): T {
  if (typeof value === "string") return hideInText(value, secrets) as T;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each: unknown) => hideIn(each, secrets)) as T;
  const entries = Object.entries(value).map(([key, each]: [string, unknown]) => {
    if (OWN_WORDS.has(key)) return [key, each];
    return [key, key === "headers" ? hideInHeaders(each, secrets) : hideIn(each, secrets)];
  });
  return Object.fromEntries(entries) as T;
}

function hideInHeaders(headers: unknown, secrets: readonly string[]): unknown {
  if (!Array.isArray(headers)) return headers;
  return headers.map(([name, value]: [string, string]) => [name, hideInText(value, secrets)]);
}

function hideInText(text: string, secrets: readonly string[]): string {
  const origin = ORIGIN.exec(text)?.[0] ?? "";
  const isCut = text.endsWith("…") || text.length >= CUT_LENGTH;
  const hidden = secrets.reduce(hideSecret, text.slice(origin.length));
  return origin + (isCut ? secrets.reduce(hideEnd, hidden) : hidden);
}

/** A half of it is enough to be masked: what quotes and brackets end was a whole secret to the site. */
function hideSecret(text: string, secret: string): string {
  const half = secret.slice(0, Math.max(MIN_HEADER_LENGTH, Math.ceil(secret.length / 2)));
  let hidden = text;
  for (let at = hidden.indexOf(half); at >= 0; at = hidden.indexOf(half, at + MASK.length)) {
    let end = at + half.length;
    while (end < hidden.length && hidden[end] === secret[end - at]) end += 1;
    hidden = hidden.slice(0, at) + MASK + hidden.slice(end);
  }
  return hidden;
}

/** Masks the beginning of a secret at the end of a text that was cut. */
function hideEnd(text: string, secret: string): string {
  const end = text.endsWith("…") ? text.length - 1 : text.length;
  for (let length = Math.min(secret.length, end); length >= MIN_CUT_LENGTH; length -= 1)
    if (text.startsWith(secret.slice(0, length), end - length))
      return text.slice(0, end - length) + MASK + text.slice(end);
  return text;
}
