import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { filePath, wholeNumber } from "../terminal/command.ts";
import { usageError } from "../terminal/errors.ts";
import { countOf } from "../terminal/words.ts";
import { completeUrl } from "./urls.ts";
import { findOrigin, isUrl } from "../../shared/url.ts";

export interface PageFlags {
  readonly urls?: string;
  readonly from?: string;
  /** The stable URL under which the page is reported. */
  readonly as?: string;
  readonly preview?: true;
  readonly waitForReady?: number;
  /** The file of settings: its pages are checked where no URL is given, and its gate holds. */
  readonly config?: string;
  /** The origin at which the file's pages are checked, in place of its own site. */
  readonly site?: string;
  /** How many pages are checked at most. */
  readonly limit?: number;
}

function readStableUrl(text: string): string {
  if (isUrl(text) && new URL(text).protocol === "https:") return text;
  throw new InvalidArgumentError("Give an https URL, such as https://example.com/.");
}

function readOrigin(text: string): string {
  const origin = findOrigin(text);
  if (origin !== undefined) return origin;
  throw new InvalidArgumentError(
    "Give an origin, such as https://example.com; if a variable holds it, check that it is set.",
  );
}

export function addPageFlags(command: Command): Command {
  return command
    .argument("[url...]")
    .optionsGroup("Pages:")
    .option("--urls <file>", "more URLs, one per line; - reads stdin")
    .option("--from <file>", "show a saved answer; sends nothing; - reads stdin", filePath)
    .option("--as <url>", "the stable URL by which reports name the page", readStableUrl)
    .option("--preview", "a preview, or kept from search engines on purpose")
    .option(
      "--wait-for-ready <seconds>",
      "first wait, at most this long, for the page",
      wholeNumber(1, 3600),
    )
    .option("--config <file>", "the settings (without a URL: shipscore.json)", filePath)
    .option("--site <origin>", "check the file's pages at this origin", readOrigin)
    .option("--limit <n>", "check at most so many pages (a file: 100)", wholeNumber(0, 1_000_000));
}

const ONLY_WHEN_SENT = ["urls", "preview", "waitForReady", "project", "site", "limit"] as const;

type SentFlags = PageFlags & { readonly project?: string; readonly baseline?: string };

function refuseTwoReaders(flags: SentFlags): void {
  const [one, other] = (["urls", "from", "baseline"] as const).filter(
    (name) => flags[name] === "-",
  );
  if (other !== undefined)
    throw usageError(`--${one} and --${other} both read stdin`, "Give one of them a file");
}

function refuseWithFrom(typed: readonly string[], flags: SentFlags): void {
  if (typed.length > 0)
    throw usageError("--from takes no URL", "Leave out the URL, or --from to check it now");
  const idle = ONLY_WHEN_SENT.find((name) => flags[name] !== undefined);
  if (idle === undefined) return;
  const flag = `--${idle.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw usageError(
    `${flag} does nothing with --from, which sends nothing`,
    "Leave one of them out",
  );
}

/** True where the pages are a list, even of a single one. */
export function isListAsked(typed: readonly string[], { urls }: PageFlags): boolean {
  return urls !== undefined || typed.length > 1;
}

/** Refuses one name for several pages. @throws CliError 2 */
export function checkStableUrl({ as }: PageFlags, count: number): void {
  if (as !== undefined && count > 1)
    throw usageError(
      `--as is the name of one page, and ${count} are checked`,
      "Check one URL, or leave --as out",
    );
}

/** How many checks a file may lead to where no flag allows more, since it may be a stranger's. */
const MOST_OF_A_FILE = 100;

/**
 * Refuses more checks than are allowed, before one is made.
 * @param file what leads to them
 * @throws CliError 2
 */
export function checkCount({ limit }: PageFlags, count: number, file: string): void {
  if (limit === undefined && count > MOST_OF_A_FILE)
    throw usageError(
      `${file} leads to ${count} checks, and without --limit at most ${MOST_OF_A_FILE} are made`,
      `Give --limit N, such as --limit ${count} for all of them`,
    );
  if (limit !== undefined && count > limit)
    throw usageError(
      `--limit ${limit} is less than the ${countOf(count, "page")} to check`,
      `Give --limit ${count} or more, or name fewer pages`,
    );
}

/** The file of settings that is read where no page is named. */
export const CONFIG_FILE = "shipscore.json";

export const hasConfigFile = (): boolean => existsSync(CONFIG_FILE);

export function areNoneTyped(typed: readonly string[], { urls, from }: PageFlags): boolean {
  return typed.length === 0 && urls === undefined && from === undefined;
}

/** Refuses what can be no page. @throws CliError 2 */
export function checkPageFlags(typed: readonly string[], flags: SentFlags): void {
  refuseTwoReaders(flags);
  if (flags.from !== undefined) return refuseWithFrom(typed, flags);
  if (areNoneTyped(typed, flags))
    throw usageError(
      "there is no URL to check, and no shipscore.json here",
      "Give one or more, or --urls FILE, or run 'shipscore init'",
    );
  const isLimitIdle = flags.limit !== undefined && flags.urls === undefined;
  const idle = flags.site === undefined ? isLimitIdle && "--limit" : "--site";
  if (idle)
    throw usageError(`${idle} is about the pages of a file`, "Leave out the URL, or the flag");
  checkStableUrl(flags, new Set(typed.map(completeUrl)).size);
}
