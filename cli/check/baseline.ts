import type { ReceivedCheck } from "../client/received.ts";
import type { Subject } from "./checked.ts";
import { compareChecks, type Comparison } from "./compare.ts";
import type { Saved } from "./saved.ts";

function isSameUrl(one: string, other: string): boolean {
  const hrefOf = (url: string) => (URL.canParse(url) ? new URL(url).href : url);
  return hrefOf(one) === hrefOf(other);
}

/**
 * Compares a page with its check in the baseline: by its stable URL, or as the only page on both sides. Null where the
 * baseline does not have it.
 */
export function compareWithBaseline(
  saved: Saved,
  subject: Subject,
  check: ReceivedCheck,
  isList: boolean,
): Comparison | null {
  const names = subject.as === subject.url ? [subject.url, check.url] : [subject.as];
  const isNamed = ({ url }: ReceivedCheck) => names.some((name) => isSameUrl(name, url));
  const isOnly = !saved.isList && !isList;
  const before = isOnly ? saved.checks[0] : saved.checks.find(isNamed);
  if (before === undefined) return null;
  return { ...compareChecks(before, check), isOtherPage: !isNamed(before) };
}
