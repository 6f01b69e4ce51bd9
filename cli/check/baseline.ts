import type { ReceivedCheck } from "../client/received.ts";
import type { Subject } from "./checked.ts";
import { compareChecks, type Comparison } from "./compare.ts";
import { type Reading, readSaved } from "./saved.ts";

function isSameUrl(one: string, other: string): boolean {
  const hrefOf = (url: string) => (URL.canParse(url) ? new URL(url).href : url);
  return hrefOf(one) === hrefOf(other);
}

/** Compares a page with its check in the baseline; null where that does not have it. */
export type Compare = (
  subject: Subject,
  check: ReceivedCheck,
  isList: boolean,
) => Comparison | null;

/**
 * Reads a baseline. A page is found there by its stable URL, or as the only page on both sides.
 * @throws CliError 2 where there is none
 */
export async function openBaseline(path: string, reading: Reading): Promise<Compare> {
  const { checks, isList: hasList } = await readSaved(path, reading);
  return (subject, check, isList) => {
    const names = subject.as === subject.url ? [subject.url, check.url] : [subject.as];
    const isNamed = ({ url }: ReceivedCheck) => names.some((name) => isSameUrl(name, url));
    const before = hasList || isList ? checks.find(isNamed) : checks[0];
    if (before === undefined) return null;
    return { ...compareChecks(before, check), isOtherPage: !isNamed(before) };
  };
}
