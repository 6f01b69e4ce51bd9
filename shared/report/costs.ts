import type { Language } from "../language.ts";
import type { Cap } from "../check.ts";
import { isUnjudged } from "./obstacles.ts";
import type { ReportedCheck, ReportedFinding } from "./reported.ts";
import { describePoints, namePoints, say, typeset, WORDS } from "./words.ts";

export function costOf({ earned, points }: Pick<ReportedFinding, "earned" | "points">): number {
  return points - earned;
}

export function shareOf({ earned, points }: Pick<ReportedFinding, "earned" | "points">): number {
  return points > 0 ? earned / points : 1;
}

/** Findings that cap the score are first, the lowest limit first, then those that cost most. */
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

/** Rules without points are notes. */
export function listFree({ findings }: ReportedCheck): ReportedFinding[] {
  return findings.filter(
    (finding) => finding.points > 0 && costOf(finding) <= 0 && !isUnjudged(finding),
  );
}

export function describeNotes({ findings }: ReportedCheck): string {
  const notes = findings.filter((finding) => finding.points === 0 && !isUnjudged(finding));
  return notes.map(({ evidence }) => evidence).join(" ");
}

export function listCaps({ caps }: Pick<ReportedCheck, "caps">): Cap[] {
  return caps.toSorted((a, b) => a.limit - b.limit);
}

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

export function listFixLines({ fixLine }: Pick<ReportedFinding, "fixLine">): string[] {
  return (fixLine ?? "").split("\n").filter((line) => line !== "");
}

export function describeAdvice({ evidence, fix }: ReportedFinding, language: Language): string {
  return typeset([evidence, fix].filter((text) => text !== "").join(" "), language);
}

export function describeFinding(finding: ReportedFinding, language: Language): string {
  return [describeAdvice(finding, language), ...listFixLines(finding)].join("\n");
}
