import type { Language } from "../language.ts";
import type { Acceptance } from "../acceptance.ts";
import type { ReportedCheck } from "./reported.ts";
import type { Comparison } from "./compare.ts";
import type { Gate } from "./gate.ts";
import { acceptFindings } from "./passed.ts";
import { describeVerdict, isSingular, labelText } from "./words.ts";

export interface GatedReport<T = ReportedCheck> {
  readonly check: T;
  readonly gate: Gate;
  /** What changed since the baseline, if one was given; null where it does not have the page. */
  readonly comparison?: Comparison | null | undefined;
}

type Scored<T = ReportedCheck> = Pick<GatedReport<T>, "check" | "gate">;

/** `, 85 with 2 accepted findings`; nothing where none is accepted. */
export function describeAccepted({ accepted }: Gate, language: Language = "en"): string {
  if (accepted === undefined) return "";
  const { score, findings } = accepted;
  const { length: count } = findings;
  const plural = isSingular(count, language) ? "" : "s";
  return {
    fr: `, ${score} avec ${count} constat${plural} accepté${plural}`,
    en: `, ${score} with ${count} accepted finding${plural}`,
  }[language];
}

/** `78/100 Ship with warnings`; `78/100, 85 with 2 accepted findings: Ship with warnings`. */
export function describeScored({ check, gate }: Scored, language: Language = "en"): string {
  const accepted = describeAccepted(gate, language);
  const verdict = describeVerdict(check.verdict, language);
  const score = `${check.score}/100${accepted}`;
  return accepted ? labelText(score, verdict, language) : `${score} ${verdict}`;
}

/** `accepted until 2027-03-31: rewritten in March`. */
export function explainAcceptance(
  { until, reason }: Acceptance,
  language: Language = "en",
): string {
  const day = { fr: until.split("-").toReversed().join("/"), en: until }[language];
  const label = { fr: `accepté jusqu'au ${day} inclus`, en: `accepted until ${day}` }[language];
  return labelText(label, reason, language);
}

/** The acceptance of a finding of the page, if there is one. */
export function findAcceptance({ gate }: Pick<GatedReport, "gate">, id: string) {
  return gate.accepted?.findings.find(({ rule }) => rule === id);
}

/** The check with its own score, in which what is accepted costs nothing: what is left to fix. */
export function withoutAccepted<T extends ReportedCheck>({ check, gate }: Scored<T>): T {
  const { findings, caps } = acceptFindings(check, gate.accepted?.findings ?? []);
  return { ...check, findings, caps };
}

/** `78/100, 85 with 2 accepted findings`, then a line for each; none where nothing is accepted. */
export function listAcceptedLines({ check, gate }: Scored, language: Language): string[] {
  if (gate.accepted === undefined) return [];
  return [
    `${check.score}/100${describeAccepted(gate, language)}`,
    ...gate.accepted.findings.map((one) => `${one.rule} ${explainAcceptance(one, language)}`),
  ];
}
