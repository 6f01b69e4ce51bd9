import { BoundedList } from "../../net/bounded-list.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { keepCookie } from "./set-cookie.ts";

const MAX_COOKIES = 50;
const MAX_BYTES = 4096;
const RUN = /[0-9A-Za-z_-]{16,}/g;
const DATE = /^\d{4}-?\d\d-?\d\d(?:T|$)/;
const MIN_TURNS = 3;
const TEXT = /^[\t\n\r\x20-\x7e]{6,}$/;
/** An envelope of Laravel's: what it holds is encrypted, with an IV drawn for each answer. */
const ENCRYPTED = /^\{"iv":/;

/** Whether a part of 16 characters or more mixes letters and digits, unlike words, numbers and dates. */
function looksDrawn(value: string): boolean {
  return (value.match(RUN) ?? []).some((run) => {
    const turns = run.match(/[A-Za-z](?=[_-]*\d)|\d(?=[_-]*[A-Za-z])/g)?.length ?? 0;
    const isOneWord = /^[0-9A-Za-z]+$/.test(run);
    return !DATE.test(run) && turns >= (isOneWord ? 1 : MIN_TURNS);
  });
}

type DrawnCookie = NonNullable<Evidence["drawnCookies"]>[number];

/** The values of cookies, by the name that the evidence has for them. */
export type DrawnCookies = ReadonlyMap<string, string>;

/** The values of an answer's cookies that look drawn at random. */
export function readDrawnCookies(rawHeaders: readonly string[]): DrawnCookies {
  const drawn = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length && drawn.size < MAX_COOKIES; index += 2) {
    const line = rawHeaders[index + 1] ?? "";
    const kept = rawHeaders[index]?.toLowerCase() === "set-cookie" ? keepCookie(line) : undefined;
    const name = /^([^=;]+)=\*{3}/.exec(kept ?? "")?.[1];
    const value = line.slice(line.indexOf("=") + 1).split(";", 1)[0] ?? "";
    if (name !== undefined && looksDrawn(value)) drawn.set(name, value.trim());
  }
  return drawn;
}

/** Whether the value is text in base64, as of a session that the cookie itself holds: of two new visitors it may be the same. */
function isReadable(value: string): boolean {
  const [first = ""] = decodeEscapes(value).split(".", 1);
  const start = Buffer.from(first, "base64").toString("latin1").slice(0, 12);
  return TEXT.test(start) && !ENCRYPTED.test(start);
}

function decodeEscapes(value: string): string {
  return value.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/**
 * What two answers to two strangers say of the page's cookies, values left out.
 * @param again the second answer's; null where there was none
 * @param isKnown whether the visitor said who it is, to whom the same session may well be given twice
 */
export function compareDrawnCookies(
  page: DrawnCookies,
  again: DrawnCookies | null,
  isKnown: boolean,
): DrawnCookie[] {
  const compared = new BoundedList<DrawnCookie>(MAX_BYTES, MAX_COOKIES);
  for (const [name, value] of page) {
    const isEqual = again?.get(name) === value;
    const isUnclear = again === null || (isEqual && isKnown);
    const isRepeated = isUnclear ? null : isEqual;
    compared.offer(() => ({ name, isState: isReadable(value), isRepeated }));
  }
  return compared.items;
}
