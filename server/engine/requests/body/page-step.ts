import { nonceOf, type Tag } from "./html-tokens.ts";

/** Nobody can read a page that leads on so soon. */
const MAX_UNREAD_SECONDS = 1;
/** A page that only leads on shows itself no longer, and has less text of its own, in characters. */
const MAX_SECONDS = 5;
const MAX_TEXT_LENGTH = 500;
const MAX_SCRIPT_LENGTH = 1000;
const MAX_POLICY_LENGTH = 65_536;

interface Refresh {
  seconds: number;
  /** Empty if the page reloads itself. */
  url: string;
}

const REFRESH =
  /^[\t\n\f\r ]*(?:(\d+)(?:\.[\d.]*)?|\.[\d.]*)(?=[;,\t\n\f\r ]|$)[\t\n\f\r ]*[;,]?[\t\n\f\r ]*/;
const URL_NAME = /^url[\t\n\f\r ]*=[\t\n\f\r ]*/i;

/** Implements HTML, 4.2.5.3 and 7.4.6 (declarative refresh). */
export function parseRefresh(value: string): Refresh | undefined {
  const found = REFRESH.exec(value);
  if (!found) return undefined;
  const rest = value.slice(found[0].length).replace(URL_NAME, "");
  const [quote = ""] = /^["']/.exec(rest) ?? [];
  const url = quote === "" ? rest : (rest.slice(1).split(quote, 1)[0] ?? "");
  return { seconds: Number(found[1] ?? 0), url: url.trim() };
}

const TOKEN =
  /[\s\uFEFF]+|\/\/[^\n\r]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/|<!--[^\n\r]*|-->[^\n\r]*|([\w$]+|=>|[=.(){};!])|("(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*'|`[^`\\$]*`)/y;

/** Returns undefined for a script with any other token. */
function readTokens(script: string): string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; end < script.length; end = TOKEN.lastIndex) {
    const found = TOKEN.exec(script);
    if (!found) return undefined;
    const token = found[1] ?? found[2];
    if (token !== undefined) tokens.push(token);
  }
  return tokens;
}

const STRICT = /^["']use strict["']$/;
/** Functions that run where they are written. */
const CALLS: readonly (readonly [start: string, end: string])[] = [
  ["( function ( ) {", "} ) ( )"],
  ["( function ( ) {", "} ( ) )"],
  ["! function ( ) {", "} ( )"],
  ["void function ( ) {", "} ( )"],
  ["( ( ) => {", "} ) ( )"],
];

function unwrap(tokens: readonly string[]): readonly string[] {
  const start = tokens.findIndex((token) => token !== ";" && !STRICT.test(token));
  const end = tokens.findLastIndex((token) => token !== ";") + 1;
  const inner = tokens.slice(Math.max(start, 0), end);
  for (const [before, after] of CALLS) {
    const [head, tail] = [before.split(" "), after.split(" ")];
    const isCall =
      inner.length > head.length + tail.length &&
      head.every((token, index) => inner[index] === token) &&
      tail.every((token, index) => inner[inner.length - tail.length + index] === token);
    if (isCall) return unwrap(inner.slice(head.length, -tail.length));
  }
  return inner;
}

const SEND =
  /^(?:(?:window|self|top|parent|document|globalThis)\.){0,2}location(?:(?:\.href)?=|\.(?:replace|assign)\()$/;
const ESCAPES = /\\(?:x([\da-f]{2})|u([\da-f]{4})|([^\da-z]))/gi;

function readLiteral(token: string): string | undefined {
  const text = token.slice(1, -1);
  const read = text.replace(ESCAPES, (_whole, two?: string, four?: string, own?: string) =>
    own === undefined ? String.fromCharCode(Number.parseInt(two ?? four ?? "", 16)) : own,
  );
  return /\\[\da-z]/i.test(text.replace(ESCAPES, "")) ? undefined : read;
}

/** Returns the URL if a script does nothing but send the window there, whatever the conditions. */
export function findAssignedUrl(script: string): string | undefined {
  if (script.length > MAX_SCRIPT_LENGTH || !/\blocation\b/.test(script)) return undefined;
  const tokens = unwrap(readTokens(script) ?? []);
  const at = tokens.findIndex((token) => /^["'`]/.test(token));
  const isCall = tokens[at - 1] === "(";
  const isWhole = isCall
    ? tokens[at + 1] === ")" && tokens.length === at + 2
    : tokens.length === at + 1;
  if (at < 0 || !isWhole || !SEND.test(tokens.slice(0, at).join(""))) return undefined;
  return readLiteral(tokens[at] ?? "");
}

const SCRIPT_POLICY = /(?:^|[;,])[\t ]*(?:script-src(?:-elem)?|default-src|sandbox)(?![\w-])/i;

/** The URL to which a page sends its visitors, unless they read it: by a script, or by a refresh. */
export class PageStep {
  #policy: string;
  #refresh: Refresh | undefined;
  #assigned: string | undefined;

  constructor(policy: string, refresh: string | null) {
    this.#policy = policy.slice(0, MAX_POLICY_LENGTH);
    this.#addRefresh(refresh ?? "");
  }

  /** The shortest refresh counts, and the last of equal ones, as in Chromium. */
  #addRefresh(value: string): void {
    const refresh = parseRefresh(value);
    const { seconds: shortest = Infinity } = this.#refresh ?? {};
    if (refresh && refresh.seconds <= shortest) this.#refresh = refresh;
  }

  enter(tag: Tag): void {
    if (tag.name !== "meta" || tag.isForeign) return;
    const pragma = (tag.attributes.get("http-equiv") ?? "").toLowerCase();
    const content = tag.attributes.get("content") ?? "";
    if (pragma === "refresh") this.#addRefresh(content);
    if (pragma === "content-security-policy")
      this.#policy = `${this.#policy}, ${content}`.slice(0, MAX_POLICY_LENGTH);
  }

  /** The first of several scripts decides where the window goes. */
  addScript(text: string, tag: Tag, isHashed: () => boolean): void {
    const url = this.#assigned === undefined ? findAssignedUrl(text) : undefined;
    if (url !== undefined && this.#mayRun(tag, isHashed)) this.#assigned = url;
  }

  #mayRun(tag: Tag, isHashed: () => boolean): boolean {
    if (!SCRIPT_POLICY.test(this.#policy) || isHashed()) return true;
    const nonce = nonceOf(tag);
    if (nonce && this.#policy.includes(`'nonce-${nonce}'`)) return true;
    const isOpen = /'unsafe-inline'/i.test(this.#policy);
    return isOpen && !/'(?:nonce-|sha\d{3}-|strict-dynamic)/i.test(this.#policy);
  }

  find(textLength: number): string | undefined {
    const hasText = textLength > MAX_TEXT_LENGTH;
    const { seconds = Infinity, url = "" } = this.#refresh ?? {};
    const isSoon = seconds <= (hasText ? MAX_UNREAD_SECONDS : MAX_SECONDS);
    return (hasText ? undefined : this.#assigned) ?? (isSoon && url !== "" ? url : undefined);
  }
}

const MARK = /http-equiv\s{0,9}=\s{0,9}["']?refresh|\blocation\b/i;
/** Longer pages have a refresh at their start, and no script that is all there is. */
const MAX_MARK_DEPTH = 16_384;

/** False for most pages, at a fraction of the cost of reading them. */
export function mayLeadOn(text: string): boolean {
  return MARK.test(text.slice(0, MAX_MARK_DEPTH));
}
