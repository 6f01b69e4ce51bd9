import { isToken } from "../../../../shared/token.ts";
import { LineCounter } from "../../../base/syntax/text.ts";
import type { CredentialKind } from "../../evidence/html.ts";
import {
  hasPassword,
  isAwsSecret,
  isPlaceholder,
  isPrivateKey,
  isServiceRole,
} from "./credential-values.ts";
import formats from "./credential-formats.json" with { type: "json" };

/**
 * `starts`: mostly letters, because each text is searched for all prefixes together. `rest`: without capturing groups,
 * with bounded matches. `before`: what precedes the prefix; by default, the start of a word. `check`: a key of `CHECKS`;
 * by default, anything but a placeholder passes.
 */
interface Format {
  readonly kind: CredentialKind;
  readonly starts: readonly string[];
  readonly rest: string;
  readonly before?: string;
  readonly check?: string;
}

/** An escape of JSON or of a URL does not belong to the word. */
const WORD_START = String.raw`(?<![\w-](?<!\\u00[0-9a-fA-F]{2}|%[0-9A-F]{2}|\\[bfnrt]))`;
/** Quotes are written as in scripts and attributes. */
const NAMED = new Map([
  ["{quote}", String.raw`(?:\\?["'\x60]|&(?:quot|#34|#39|#x27);)`],
  ["{slash}", String.raw`\\?\/`],
  ["{uuid}", "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"],
]);

const CHECKS = new Map<string | undefined, (found: string) => boolean>([
  ["aws", isAwsSecret],
  ["own", (found) => isToken(found)],
  ["password", hasPassword],
  ["private", isPrivateKey],
  ["service", isServiceRole],
]);

const FORMATS: readonly Format[] = formats;
/** Sorted, so that the regular expression engine can merge them. If one prefix begins another, the longer is first. */
const STARTS = [...new Set(FORMATS.flatMap(({ starts }) => starts))].toSorted().toReversed();
const ANY_START = new RegExp(STARTS.map(escapeText).join("|"), "y");
const FORMATS_OF = new Map(STARTS.map((start) => [start, FORMATS.flatMap(compileFor(start))]));
/** The longest format, and the longest look-behind. */
const LONGEST = 2048;
const LONGEST_LOOK_BACK = 60;

/** The low six bits of a character tell capitals from small letters. Most words differ from all prefixes in these bits. */
function addTo(hash: number, code: number): number {
  return ((hash << 6) | (code & 63)) & 0x3ffff;
}

/** A look-up of a hash costs a fraction of trying all prefixes at a character. */
const BEGINNINGS = new Uint8Array(1 << 18);
for (const start of STARTS)
  for (let last = 0; last < (start.length < 3 ? 64 : 1); last++) {
    const letters = Buffer.from(start + String.fromCharCode(last)).subarray(0, 3);
    BEGINNINGS[letters.reduce(addTo, 0)] = 1;
  }

/** The text's bytes are read faster than its characters. */
function findStart(
  text: string,
  bytes: Uint8Array,
  from: number,
): { start: string; index: number } | undefined {
  const { length } = bytes;
  let hash = addTo(addTo(0, bytes[from] ?? 0), bytes[from + 1] ?? 0);
  for (let index = from; index < length; index++) {
    hash = addTo(hash, index + 2 < length ? (bytes[index + 2] ?? 0) : 0);
    if (BEGINNINGS[hash] === 0) continue;
    ANY_START.lastIndex = index;
    const [start] = ANY_START.exec(text) ?? [];
    if (start !== undefined) return { start, index };
  }
  return undefined;
}

function escapeText(text: string): string {
  return text.replace(/[.$/]/g, String.raw`\$&`);
}

function compileFor(text: string) {
  return ({ kind, starts, rest, before = WORD_START, check }: Format) =>
    starts
      .filter((start) => text.startsWith(start))
      .map((start) => {
        let source = before + escapeText(start) + rest;
        for (const [name, meant] of NAMED) source = source.replaceAll(name, meant);
        const isReal = CHECKS.get(check) ?? ((found: string) => !isPlaceholder(found));
        return { kind, isReal, whole: new RegExp(source, "y") };
      });
}

interface Credential {
  readonly kind: CredentialKind;
  readonly start: number;
  readonly end: number;
}

function* findCredentials(text: string, from: number): Generator<Credential> {
  const bytes = Buffer.from(text, "latin1");
  for (let position = from; ;) {
    const begun = findStart(text, bytes, position);
    if (!begun) return;
    const found = readCredential(text, begun.index, begun.start);
    position = found?.end ?? begun.index + begun.start.length;
    if (found) yield found;
  }
}

function readCredential(text: string, start: number, prefix: string): Credential | undefined {
  for (const { kind, whole, isReal } of FORMATS_OF.get(prefix) ?? []) {
    whole.lastIndex = start;
    const [found] = whole.exec(text) ?? [];
    if (found !== undefined && isReal(found)) return { kind, start, end: start + found.length };
  }
  return undefined;
}

export function hideCredentials(text: string, from = 0): string {
  let hidden = "";
  let position = 0;
  for (const { start, end } of findCredentials(text, from)) {
    hidden += `${text.slice(position, start)}***`;
    position = end;
  }
  return hidden + text.slice(position);
}

/** `mark`: letters and digits that recognize the credential elsewhere, whatever escapes surround them. */
export interface FoundCredential {
  readonly kind: CredentialKind;
  readonly line: number;
  readonly mark: string;
}

const WINDOW = 4 * LONGEST;
const MAX_FOUND = 500;
const MARK_LENGTH = 32;
const ESCAPE_OR_SIGN = /\\[nrt]|[^0-9A-Za-z]/g;

export function plainLetters(text: string): string {
  return text.replace(ESCAPE_OR_SIGN, "");
}

export class CredentialSearch {
  readonly #text: string;
  readonly #lines: LineCounter;
  readonly #found = new Map<string, FoundCredential>();
  #searched = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new LineCounter(text);
  }

  get found(): FoundCredential[] {
    return [...this.#found.values()];
  }

  read(): boolean {
    const end = Math.min(this.#text.length, this.#searched + WINDOW + LONGEST);
    const isLast = end === this.#text.length;
    this.#search(end, isLast ? end : end - LONGEST);
    return !isLast && this.#found.size < MAX_FOUND;
  }

  /** Credentials from `limit` on may continue in the next piece. */
  #search(until: number, limit: number): void {
    const offset = Math.max(0, this.#searched - LONGEST_LOOK_BACK);
    const text = this.#text.slice(offset, until);
    let searched = limit;
    for (const { kind, start, end } of findCredentials(text, this.#searched - offset)) {
      if (offset + start >= limit) break;
      searched = Math.max(limit, offset + end);
      const mark = plainLetters(text.slice(start, end)).slice(-MARK_LENGTH);
      const key = `${kind} ${mark}`;
      if (!this.#found.has(key))
        this.#found.set(key, { kind, mark, line: this.#lines.lineAt(offset + start) });
    }
    this.#searched = searched;
  }
}
