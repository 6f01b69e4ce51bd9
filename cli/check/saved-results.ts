import * as z from "zod/mini";
import { CliError, networkCode, untranslated, usageError } from "../terminal/errors.ts";
import { readBytes } from "../client/http.ts";
import { Check } from "../../shared/check.ts";
import { CheckList, type UncheckedUrl } from "../client/json-output.ts";
import { read, type ReceivedCheck } from "../client/api-responses.ts";
import { EXIT, EXIT_MEANINGS, type ExitCode } from "../terminal/exit-codes.ts";
import { isShallow, parseJson } from "../terminal/json.ts";
import { maskTokens } from "../terminal/io.ts";
import { subjectOf, type Unchecked, type CheckOutcome, type CompletedCheck } from "./results.ts";
import { openSource, type InputContext } from "./urls.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { groupBy } from "../../shared/group-by.ts";
import { compareChecks, type Comparison } from "../../shared/report/compare.ts";
import { isUrl } from "../../shared/url.ts";

/** Written by `--save`, `--json` or `--report json`. */
export interface SavedResults {
  readonly checks: readonly ReceivedCheck[];
  readonly unchecked: readonly Unchecked[];
  readonly isList: boolean;
}

const MAX_MB = 64;
const MAX_TEXT = 100_000;
const MAX_FINDINGS = 300;

/** The saved gates are not read: they say nothing about the conditions of this run. */
const SavedList = z.extend(CheckList, { checks: z.array(Check) });

const SAVE_ONE = {
  fr: "Indiquez un fichier écrit par « shipscore check URL --save FICHIER »",
  en: "Use a file that 'shipscore check URL --save FILE' wrote",
};

function decode(bytes: Buffer): string {
  // Windows PowerShell writes UTF-16 for >.
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

async function readText(path: string, input: InputContext): Promise<string> {
  try {
    const bytes = await readBytes(await openSource(path, input), MAX_MB * 1_000_000);
    if (bytes !== undefined) return decode(bytes);
  } catch (error) {
    input.signal.throwIfAborted();
    const code = networkCode(error);
    throw usageError(
      {
        fr: `impossible de lire le résultat enregistré ${path} (${code})`,
        en: `the saved result ${path} cannot be read (${code})`,
      },
      SAVE_ONE,
    );
  }
  throw usageError(
    {
      fr: `${path} dépasse ${MAX_MB} Mo : ce n'est pas un résultat enregistré`,
      en: `${path} is over ${MAX_MB} MB, so it is not a saved result`,
    },
    SAVE_ONE,
  );
}

/** A text as long as a book would take minutes to show. */
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
  const advice = { fr: "Vérifiez-la à nouveau", en: "Check it again" };
  return { ...subjectOf(url), error: new CliError(code, untranslated(error), advice) };
}

function findSaved(value: unknown): SavedResults | undefined {
  if (!isShallow(value) || !hasShortTexts(value)) return undefined;
  const single = read(Check, value);
  const { checks, errors = [] } = single ? { checks: [single] } : (read(SavedList, value) ?? {});
  if (!checks?.every(hasFewFindings) || checks.length + errors.length === 0) return undefined;
  const isList = single === undefined;
  return { checks: checks.map(withoutGate), unchecked: errors.map(readUnchecked), isList };
}

export async function readSaved(path: string, input: InputContext): Promise<SavedResults> {
  const saved = findSaved(parseJson(maskTokens(await readText(path, input))));
  if (saved === undefined)
    throw usageError(
      {
        fr: `${path} n'est pas un résultat enregistré de shipscore`,
        en: `${path} is not a saved shipscore result`,
      },
      SAVE_ONE,
    );
  return saved;
}

function hrefOf(url: string): string {
  return isUrl(url) ? new URL(url).href : url;
}

/** A server stores URLs without the values of their queries. */
function maskedHrefOf(url: string): string {
  return hrefOf(withoutSecrets(url));
}

/** Only the server has the rules that mask a credential in a path. */
function findMaskedPath(page: CheckOutcome): string | undefined {
  const url = "check" in page ? hrefOf(page.check.url) : "";
  return /^[^?]*\*\*\*/.test(url) ? url : undefined;
}

/** The surest first. */
const NAMES: readonly ((page: CheckOutcome) => string | undefined)[] = [
  ({ as }) => hrefOf(as),
  ({ as }) => maskedHrefOf(as),
  ({ url }) => hrefOf(url),
  ({ url }) => maskedHrefOf(url),
  findMaskedPath,
];

/**
 * Pages that differ only in masked values are matched by their order. If fewer are checked than were saved, none of them
 * matches.
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

/** Two single pages are compared even if their URLs differ. */
export function compareWith(
  { checks, isList: hasList }: SavedResults,
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
