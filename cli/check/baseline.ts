import type { ReceivedCheck } from "../client/received.ts";
import type { Subject } from "./checked.ts";
import { compareChecks, type Comparison } from "./compare.ts";
import type { Saved } from "./saved.ts";

function isSameUrl(one: string, other: string): boolean {
  const hrefOf = (url: string) => (URL.canParse(url) ? new URL(url).href : url);
  return hrefOf(one) === hrefOf(other);
}

/** The page's check in the baseline: by its stable URL, or as the only page on both sides. */
function findBefore(
  saved: Saved,
  subject: Subject,
  check: ReceivedCheck,
  isList: boolean,
): ReceivedCheck | undefined {
  if (!saved.isList && !isList) return saved.checks[0];
  const names = subject.as === subject.url ? [subject.url, check.url] : [subject.as];
  return saved.checks.find(({ url }) => names.some((name) => isSameUrl(name, url)));
}

/** Compares a page with the baseline; null where that does not have it. */
export function compareWithBaseline(
  saved: Saved,
  subject: Subject,
  check: ReceivedCheck,
  isList: boolean,
): Comparison | null {
  const before = findBefore(saved, subject, check, isList);
  return before === undefined ? null : compareChecks(before, check);
}
