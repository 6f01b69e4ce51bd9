import type { Language } from "../language.ts";
import type { Acceptance } from "../acceptance.ts";
import type { ReportedCheck } from "./reported.ts";
import type { Comparison } from "./compare.ts";
import type { Gate } from "./gate.ts";
import { acceptFindings } from "./passed.ts";
import { describeDay } from "./times.ts";
import { describeVerdict, isSingular, labelText } from "./words.ts";

export interface GatedReport<T = ReportedCheck> {
  readonly check: T;
  readonly gate: Gate;
  /** Null if the baseline does not have the page. */
  readonly comparison?: Comparison | null | undefined;
}

type Scored<T = ReportedCheck> = Pick<GatedReport<T>, "check" | "gate">;

/** `, 85 with 2 accepted findings`. */
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

/**
 * `accepted through 31 March 2027: rewritten in March`.
 * @param day replaces the written date, for example by the ISO date of CI annotations
 */
export function explainAcceptance(
  { until, reason }: Acceptance,
  language: Language = "en",
  day = describeDay(new Date(until), { language }),
): string {
  const label = { fr: `accepté jusqu'au ${day} inclus`, en: `accepted through ${day}` }[language];
  return labelText(label, reason, language);
}

export function findAcceptance({ gate }: Pick<GatedReport, "gate">, id: string) {
  return gate.accepted?.findings.find(({ rule }) => rule === id);
}

export function withoutAccepted<T extends ReportedCheck>({ check, gate }: Scored<T>): T {
  const { findings, caps } = acceptFindings(check, gate.accepted?.findings ?? []);
  return { ...check, findings, caps };
}

export function listAcceptedLines({ check, gate }: Scored, language: Language): string[] {
  if (gate.accepted === undefined) return [];
  return [
    `${check.score}/100${describeAccepted(gate, language)}`,
    ...gate.accepted.findings.map((one) => `${one.rule} ${explainAcceptance(one, language)}`),
  ];
}
