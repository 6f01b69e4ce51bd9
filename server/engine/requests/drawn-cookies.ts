import { BoundedList } from "../evidence/bounded-list.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { keepCookie } from "./set-cookie.ts";

const MAX_COOKIES = 50;
const MAX_BYTES = 4096;
const RUN = /[0-9A-Za-z_-]{16,}/g;
const DATE = /^\d{4}-?\d\d-?\d\d(?:T|$)/;
const MIN_TURNS = 3;
const TEXT = /^[\t\n\r\x20-\x7e]{6,}$/;
/** Laravel's cookie envelope: its content is encrypted, with a new IV for each answer. */
const ENCRYPTED = /^\{"iv":/;

/** Whether a part of 16 characters or more mixes letters and digits, unlike words, numbers and dates. */
function looksDrawn(value: string): boolean {
  return (value.match(RUN) ?? []).some((run) => {
    const turns = run.match(/[A-Za-z](?=[_-]*\d)|\d(?=[_-]*[A-Za-z])/g)?.length ?? 0;
    const isOneWord = /^[0-9A-Za-z]+$/.test(run);
    return !DATE.test(run) && turns >= (isOneWord ? 1 : MIN_TURNS);
  });
}

type DrawnCookie = Evidence["drawnCookies"][number];

/** Cookie values, by the name they have in the evidence. */
export type DrawnCookies = ReadonlyMap<string, string>;

/** The values of an answer's cookies that look random. */
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

/**
 * Whether the value is base64 of text, as when the cookie itself holds the session: two new visitors may get the same.
 */
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
 * What the answers to two anonymous requests tell about the page's cookies, without their values.
 * @param again cookies of the second answer; null without one
 * @param isKnown whether the requests identified their sender, who may rightly get the same session twice
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
