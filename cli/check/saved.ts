import * as z from "zod/mini";
import { CliError, networkCode, usageError } from "../terminal/errors.ts";
import { readBytes } from "../client/http.ts";
import { Check } from "../../shared/check.ts";
import { CheckList, type UncheckedUrl } from "../client/printed.ts";
import { read, type ReceivedCheck } from "../client/received.ts";
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

/** A list without the gates of then, which say nothing of the conditions that are asked for now. */
const SavedList = z.extend(CheckList, { checks: z.array(Check) });

const SAVE_ONE = "Give a file that 'shipscore check URL --save FILE' wrote";

function decode(bytes: Buffer): string {
  // What > writes in Windows PowerShell.
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

/** @throws CliError 2 where the file can't be read, or is too large */
async function readText(path: string, reading: Reading): Promise<string> {
  try {
    const bytes = await readBytes(await openSource(path, reading), MAX_MB * 1_000_000);
    if (bytes !== undefined) return decode(bytes);
  } catch (error) {
    reading.signal.throwIfAborted();
    throw usageError(`the saved answer ${path} can't be read (${networkCode(error)})`, SAVE_ONE);
  }
  throw usageError(`${path} holds more than ${MAX_MB} MB, so it is no saved answer`, SAVE_ONE);
}

/** True where no text is as long as a book, which would take minutes to show. */
function hasShortTexts(value: unknown): boolean {
  if (typeof value === "string") return value.length <= MAX_TEXT;
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(hasShortTexts);
}

const hasFewFindings = ({ findings, caps, categories }: ReceivedCheck): boolean =>
  Math.max(findings.length, caps.length, categories.length) <= MAX_FINDINGS;

function withoutGate(check: ReceivedCheck & { readonly gate?: unknown }): ReceivedCheck {
  const { gate: _, ...answer } = check;
  return answer;
}

function isExitCode(code: number): code is ExitCode {
  return Object.keys(EXIT_MEANINGS).includes(String(code));
}

function readUnchecked({ url, exitCode, error }: UncheckedUrl): Unchecked {
  const isError = isExitCode(exitCode) && (exitCode >= 40 || exitCode === EXIT.usage);
  const code = isError ? exitCode : EXIT.noAnswer;
  return { ...subjectOf(url), error: new CliError(code, error, "Check it again") };
}

function findSaved(value: unknown): Saved | undefined {
  if (!isShallow(value) || !hasShortTexts(value)) return undefined;
  const single = read(Check, value);
  const { checks, errors = [] } = single ? { checks: [single] } : (read(SavedList, value) ?? {});
  if (!checks?.every(hasFewFindings) || checks.length + errors.length === 0) return undefined;
  const isList = single === undefined;
  return { checks: checks.map(withoutGate), unchecked: errors.map(readUnchecked), isList };
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
