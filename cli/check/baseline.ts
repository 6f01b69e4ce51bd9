import type { ReceivedCheck } from "../client/received.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import type { Answered, AnsweredCheck } from "./checked.ts";
import { groupBy } from "../../shared/group-by.ts";
import { compareChecks, type Comparison } from "../../shared/report/compare.ts";
import type { Saved } from "./saved.ts";
import { isUrl } from "../../shared/url.ts";

function hrefOf(url: string): string {
  return isUrl(url) ? new URL(url).href : url;
}

/** As a server spells it, which keeps no values of a query. */
function maskedHrefOf(url: string): string {
  return hrefOf(withoutSecrets(url));
}

/** The URL of an answer in whose path the server has masked a credential, by rules of its own. */
function findMaskedPath(page: Answered): string | undefined {
  const url = "check" in page ? hrefOf(page.check.url) : "";
  return /^[^?]*\*\*\*/.test(url) ? url : undefined;
}

/** What a page may be called in a baseline, the surest first. */
const NAMES: readonly ((page: Answered) => string | undefined)[] = [
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
function openSaved(saved: readonly ReceivedCheck[], run: readonly Answered[]) {
  const savedByUrl = groupBy<ReceivedCheck, string | undefined>(saved, ({ url }) => hrefOf(url));
  const ways = NAMES.map((nameOf) => ({ nameOf, pages: groupBy(run, nameOf) }));
  return (page: AnsweredCheck): ReceivedCheck | undefined => {
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
  run: readonly Answered[],
  isList: boolean,
) {
  const findSaved = openSaved(checks, run);
  const only = hasList || isList ? undefined : checks[0];
  return (page: AnsweredCheck): Comparison | null => {
    const named = findSaved(page);
    const before = named ?? only;
    if (before === undefined) return null;
    return { ...compareChecks(before, page.check), isOtherPage: named === undefined };
  };
}
