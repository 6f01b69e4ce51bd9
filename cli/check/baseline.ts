import type { ReceivedCheck } from "../client/received.ts";
import { withoutSecrets } from "./addresses.ts";
import type { Subject } from "./checked.ts";
import { compareChecks, type Comparison } from "./compare.ts";
import type { Pages } from "./pages.ts";
import { readSaved } from "./saved.ts";
import type { Reading } from "./source.ts";

type Run = Pick<Pages, "subjects" | "isList">;

/** Compares a page of a run with its check in the baseline; null where that does not have it. */
export type Compare = (page: Subject, check: ReceivedCheck, run: Run) => Comparison | null;

function hrefOf(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

/** As a server spells it, which keeps no values of a query. */
function maskedHrefOf(url: string): string {
  return hrefOf(withoutSecrets(url));
}

const WAYS = (["as", "url"] as const).flatMap((name) =>
  [hrefOf, maskedHrefOf].map((spell) => ({ name, spell })),
);

/**
 * The saved check of a page: by its stable URL, or as typed. Pages that only values of their queries told apart stand in
 * the same order on both sides; where fewer are checked than were saved, none is sure.
 */
function findSaved(
  saved: readonly ReceivedCheck[],
  page: Subject,
  pages: readonly Subject[],
): ReceivedCheck | undefined {
  for (const { name, spell } of WAYS) {
    const wanted = spell(page[name]);
    const alike = pages.filter((one) => spell(one[name]) === wanted);
    const found = saved.filter(({ url }) => hrefOf(url) === wanted);
    const isSure = spell === hrefOf || found.length <= alike.length;
    const before = isSure ? found[alike.indexOf(page)] : undefined;
    if (before !== undefined) return before;
  }
  return undefined;
}

/**
 * Reads a baseline. A page is found there by its URL, or as the only page on both sides.
 * @throws CliError 2 where there is none
 */
export async function openBaseline(path: string, reading: Reading): Promise<Compare> {
  const { checks, isList: hasList } = await readSaved(path, reading);
  return (page, check, { subjects, isList }) => {
    const named = findSaved(checks, page, subjects);
    const before = named ?? (hasList || isList ? undefined : checks[0]);
    if (before === undefined) return null;
    return { ...compareChecks(before, check), isOtherPage: named === undefined };
  };
}
