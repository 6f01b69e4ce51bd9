import * as z from "zod/mini";
import { CliError, networkCode, usageError } from "../terminal/errors.ts";
import { readBytes } from "../client/http.ts";
import { Check } from "../../shared/check.ts";
import { CheckList, type UncheckedUrl } from "../client/json-output.ts";
import { read, type ReceivedCheck } from "../client/api-responses.ts";
import { EXIT, EXIT_MEANINGS, type ExitCode } from "../terminal/exit-codes.ts";
import { isShallow, parseJson } from "../terminal/json.ts";
import { maskTokens } from "../terminal/io.ts";
import { subjectOf, type Unchecked, type CheckOutcome, type CompletedCheck } from "./results.ts";
import { openSource, type Reading } from "./urls.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { groupBy } from "../../shared/group-by.ts";
import { compareChecks, type Comparison } from "../../shared/report/compare.ts";
import { isUrl } from "../../shared/url.ts";

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

function hrefOf(url: string): string {
  return isUrl(url) ? new URL(url).href : url;
}

/** As a server spells it, which keeps no values of a query. */
function maskedHrefOf(url: string): string {
  return hrefOf(withoutSecrets(url));
}

/** The URL of an answer in whose path the server has masked a credential, by rules of its own. */
function findMaskedPath(page: CheckOutcome): string | undefined {
  const url = "check" in page ? hrefOf(page.check.url) : "";
  return /^[^?]*\*\*\*/.test(url) ? url : undefined;
}

/** What a page may be called in a baseline, the surest first. */
const NAMES: readonly ((page: CheckOutcome) => string | undefined)[] = [
  ({ as }) => hrefOf(as),
  ({ as }) => maskedHrefOf(as),
  ({ url }) => hrefOf(url),
  ({ url }) => maskedHrefOf(url),
  findMaskedPath,
];

/**
 * Finds the saved check of a page: by its stable URL, or as typed, or as a credential in its path was masked. Pages that only
 * masked values told apart stand in the same order on both sides; where fewer are checked than were saved, none is sure.
 */
function openSaved(saved: readonly ReceivedCheck[], run: readonly CheckOutcome[]) {
  const savedByUrl = groupBy<ReceivedCheck, string | undefined>(saved, ({ url }) => hrefOf(url));
  const ways = NAMES.map((nameOf) => ({ nameOf, pages: groupBy(run, nameOf) }));
  return (page: CompletedCheck): ReceivedCheck | undefined => {
    for (const { nameOf, pages } of ways) {
      const name = nameOf(page);
      const alike = pages.get(name) ?? [];
      const found = savedByUrl.get(name) ?? [];
      const isSure = !name?.includes("***") || found.length <= alike.length;
      const before = isSure ? found[alike.indexOf(page)] : undefined;
      if (before !== undefined) return before;
    }
    return undefined;
  };
}

/** Compares each page of a run with its check in a baseline: that of its URL, or the only one on both sides; else null. */
export function compareWith(
  { checks, isList: hasList }: Saved,
  run: readonly CheckOutcome[],
  isList: boolean,
) {
  const findBaseline = openSaved(checks, run);
  const only = hasList || isList ? undefined : checks[0];
  return (page: CompletedCheck): Comparison | null => {
    const named = findBaseline(page);
    const before = named ?? only;
    if (before === undefined) return null;
    return { ...compareChecks(before, page.check), isOtherPage: named === undefined };
  };
}
