import type { CheckResult } from "../../../shared/check.ts";
import { packEvidence } from "../evidence/evidence-file.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { findAnswer } from "../evidence/page.ts";
import { findFingerprint } from "../judge/fingerprint.ts";
import { verifiedLookOf } from "../judge/look-outcome.ts";
import { judge, type Judged, scoreOf } from "../judge/score.ts";
import type { Language } from "../../base/language.ts";
import { composeCheck } from "./check-body.ts";
import type { CheckKind, FinishedCheck, FinishedScan } from "../finished.ts";
import type { Conclusion, EngineFault, Orders, Results, Verification } from "./orders.ts";

/** The rules that threw. */
export function faultsOf({ rows }: Judged): EngineFault[] {
  return rows.flatMap(({ row, error }) => (error === undefined ? [] : [{ rule: row.id, error }]));
}

type Compose<Kind extends CheckKind> = (
  judged: Judged,
  order: Orders[Kind],
) => Promise<Results[Kind]>;

const COMPOSE: { [Kind in CheckKind]: Compose<Kind> } = {
  api: composeFinished,
  deployment: composeVerification,
  cycle: composeVerification,
  scan: composeScan,
};

/** Judges what a visit saw, once, and returns what was ordered. */
export async function concludeVisit<Kind extends CheckKind>(
  kind: Kind,
  evidence: Evidence,
  order: Orders[Kind],
): Promise<Conclusion<Kind>> {
  const judged = judge(evidence);
  return { result: await COMPOSE[kind](judged, order), faults: faultsOf(judged) };
}

/** A check as it is stored and answered. */
async function composeFinished(
  judged: Judged,
  { id, language, quota }: Orders["api"],
): Promise<FinishedCheck> {
  const { evidence } = judged;
  const check = composeCheck(id, evidence, scoreOf(judged, language), quota);
  const findings = Object.fromEntries(
    check.findings.map(({ id: finding, status, earned }) => [finding, `${status} ${earned}`]),
  );
  const kept = await keep(evidence, check, language);
  return { ...kept, answer: JSON.stringify(check), findings };
}

async function composeVerification(judged: Judged, order: Orders["api"]): Promise<Verification> {
  const { evidence } = judged;
  return {
    look: verifiedLookOf(judged),
    check: await composeFinished(judged, order),
    status: findAnswer(evidence)?.status ?? null,
    fingerprint: findFingerprint(evidence),
    isGivenUp: evidence.page.failure?.phase === "check",
  };
}

async function composeScan(judged: Judged, { id }: Orders["scan"]): Promise<FinishedScan> {
  const { evidence } = judged;
  const write = (language: Language) => composeCheck(id, evidence, scoreOf(judged, language));
  const [fr, en] = [write("fr"), write("en")];
  const answers = { fr: JSON.stringify(fr), en: JSON.stringify(en) };
  return { ...(await keep(evidence, fr, "fr")), answers };
}

async function keep(
  evidence: Evidence,
  { score, verdict, ruleset }: Pick<CheckResult, "score" | "verdict" | "ruleset">,
  language: Language,
): Promise<Omit<FinishedCheck, "answer" | "findings">> {
  const packed = await packEvidence(evidence, { ruleset, language });
  const { firstByteMs } = evidence.page.timings;
  return {
    url: evidence.url,
    score,
    verdict,
    ruleset,
    firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
    evidence: packed,
  };
}
