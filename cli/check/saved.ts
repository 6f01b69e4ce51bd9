import { networkCode } from "../client/failures.ts";
import { Check } from "../../shared/check.ts";
import { read, type ReceivedCheck } from "../client/received.ts";
import { CliError, usageError } from "../terminal/errors.ts";
import { EXIT, EXIT_MEANINGS, type ExitCode } from "../terminal/exit-codes.ts";
import { isShallow, parseJson } from "../terminal/json.ts";
import { maskTokens } from "../terminal/secrets.ts";
import { subjectOf, type Unchecked } from "./checked.ts";
import { openSource, type Reading } from "./source.ts";

/** What `--save`, `--json` and `--report json` wrote: the answer for a page, or those for a list of pages. */
export interface Saved {
  readonly checks: readonly ReceivedCheck[];
  readonly unchecked: readonly Unchecked[];
  readonly isList: boolean;
}

const MAX_MB = 64;
const MAX_TEXT = 100_000;
const MAX_FINDINGS = 300;

const SAVE_ONE = "Give a file that 'shipscore check URL --save FILE' wrote";

function decode(bytes: Buffer): string {
  // What > writes in Windows PowerShell.
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

/** @throws CliError 2 where the file can't be read, or is too large */
async function readText(path: string, reading: Reading): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of await openSource(path, reading)) {
      const bytes = Buffer.from(chunk as Buffer | string);
      size += bytes.length;
      if (size > MAX_MB * 1_000_000) break;
      chunks.push(bytes);
    }
  } catch (error) {
    reading.signal.throwIfAborted();
    throw usageError(`the saved answer ${path} can't be read (${networkCode(error)})`, SAVE_ONE);
  }
  if (size > MAX_MB * 1_000_000)
    throw usageError(`${path} holds more than ${MAX_MB} MB, so it is no saved answer`, SAVE_ONE);
  return decode(Buffer.concat(chunks));
}

/** True where no text is as long as a book, which would take minutes to show. */
function hasShortTexts(value: unknown): boolean {
  if (typeof value === "string") return value.length <= MAX_TEXT;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(hasShortTexts);
}

function readSavedCheck(value: unknown): ReceivedCheck | undefined {
  const check = read(Check, value);
  if (check === undefined) return undefined;
  const { findings, caps, categories } = check;
  if (Math.max(findings.length, caps.length, categories.length) > MAX_FINDINGS) return undefined;
  // What came of a gate then says nothing of the conditions that are asked for now.
  const { gate: _, ...answer } = check as ReceivedCheck & { readonly gate?: unknown };
  return answer;
}

function isExitCode(code: unknown): code is ExitCode {
  return Object.keys(EXIT_MEANINGS).includes(String(code));
}

function readUnchecked(value: unknown): Unchecked | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { url, exitCode, error } = value as Record<string, unknown>;
  if (typeof url !== "string" || typeof error !== "string") return undefined;
  const isError = isExitCode(exitCode) && (exitCode >= 40 || exitCode === EXIT.usage);
  const code = isError ? exitCode : EXIT.noAnswer;
  return { ...subjectOf(url), error: new CliError(code, error, "Check it again") };
}

/** Every item read, or undefined where one of them can't be. */
function readEach<T>(value: unknown, readItem: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item: unknown) => readItem(item)).filter((item) => item !== undefined);
  return items.length === value.length ? items : undefined;
}

function findSaved(value: unknown): Saved | undefined {
  if (typeof value !== "object" || value === null || !isShallow(value) || !hasShortTexts(value))
    return undefined;
  if (!("checks" in value)) {
    const check = readSavedCheck(value);
    return check && { checks: [check], unchecked: [], isList: false };
  }
  const checks = readEach(value.checks, readSavedCheck);
  const unchecked = readEach("errors" in value ? value.errors : [], readUnchecked);
  if (checks === undefined || unchecked === undefined) return undefined;
  return checks.length + unchecked.length > 0 ? { checks, unchecked, isList: true } : undefined;
}

/**
 * Reads a saved answer from a file, or with `-` from stdin.
 * @throws CliError 2 where there is none
 */
export async function readSaved(path: string, reading: Reading): Promise<Saved> {
  const saved = findSaved(parseJson(maskTokens(await readText(path, reading))));
  if (saved === undefined) throw usageError(`${path} is not a saved answer of shipscore`, SAVE_ONE);
  return saved;
}
