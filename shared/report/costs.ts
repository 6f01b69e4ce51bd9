import type { Language } from "../language.ts";
import type { Cap } from "../check.ts";
import { isUnjudged } from "./obstacles.ts";
import type { ReportedCheck, ReportedFinding } from "./reported.ts";
import { describePoints, namePoints, say, WORDS } from "./words.ts";

export function costOf({ earned, points }: Pick<ReportedFinding, "earned" | "points">): number {
  return points - earned;
}

/** What part of the points was earned; all of none. */
export function shareOf({ earned, points }: Pick<ReportedFinding, "earned" | "points">): number {
  return points > 0 ? earned / points : 1;
}

/**
 * The findings that were judged and cost points, in the order of what fixing them gives: those that cap the score, lowest
 * limit first, then most points first.
 */
export function listCosts(check: ReportedCheck): ReportedFinding[] {
  const limits = new Map(
    listCaps(check)
      .toReversed()
      .map((cap) => [cap.findingId, cap.limit]),
  );
  const limitOf = ({ id }: ReportedFinding) => limits.get(id) ?? 100;
  return check.findings
    .filter((finding) => costOf(finding) > 0 && !isUnjudged(finding))
    .toSorted((a, b) => limitOf(a) - limitOf(b) || costOf(b) - costOf(a));
}

/** The findings that were judged and earned all of their points; notes have none. */
export function listFree({ findings }: ReportedCheck): ReportedFinding[] {
  return findings.filter(
    (finding) => finding.points > 0 && costOf(finding) <= 0 && !isUnjudged(finding),
  );
}

/** What the rules without points saw, in one line; empty if they saw nothing. */
export function describeNotes({ findings }: ReportedCheck): string {
  const notes = findings.filter((finding) => finding.points === 0 && !isUnjudged(finding));
  return notes.map(({ evidence }) => evidence).join(" ");
}

/** What caps the score, the lowest limit first. */
export function listCaps({ caps }: Pick<ReportedCheck, "caps">): Cap[] {
  return caps.toSorted((a, b) => a.limit - b.limit);
}

/** The lowest cap that a finding puts on the score, if any. */
export function findCap({ caps }: ReportedCheck, { id }: ReportedFinding): Cap | undefined {
  return listCaps({ caps: caps.filter(({ findingId }) => findingId === id) })[0];
}

/** `3 of 7`. */
export function describeShare(
  { earned, points }: Pick<ReportedFinding, "earned" | "points">,
  language: Language = "en",
): string {
  return `${describePoints(earned, language)} ${say(WORDS.of, language)} ${describePoints(points, language)}`;
}

/** `3 of 7 points`. */
export function describeEarned(
  finding: Pick<ReportedFinding, "earned" | "points">,
  language: Language,
): string {
  return `${describeShare(finding, language)} ${namePoints(finding.points, language)}`;
}

/** `caps the score at 59`. */
export function describeCap({ limit }: Pick<Cap, "limit">, language: Language = "en"): string {
  return `${say(WORDS.capsScoreAt, language)} ${limit}`;
}

/**
 * What the fix says before the line to paste and after it, so that the line can stand between them by itself; all of it
 * before a line that it does not hold, or holds in the midst of a sentence.
 */
export function partFix({ fix, fixLine }: Pick<ReportedFinding, "fix" | "fixLine">) {
  const at = fixLine ? fix.indexOf(fixLine) : -1;
  const rest =
    at < 0
      ? undefined
      : /^(?:(?:\s?[,;]|\.)\s+(.*)|\.?)$/s.exec(fix.slice(at + (fixLine?.length ?? 0)));
  return rest
    ? { before: fix.slice(0, at).trimEnd(), after: rest[1] ?? "" }
    : { before: fix, after: "" };
}

/** What was seen, what to do, and the line to paste where the advice does not hold it, in one paragraph. */
export function describeFinding({ evidence, fix, fixLine }: ReportedFinding): string {
  const line = fixLine && !fix.includes(fixLine) ? fixLine : "";
  return [evidence, fix, line].filter((text) => text !== "").join(" ");
}
