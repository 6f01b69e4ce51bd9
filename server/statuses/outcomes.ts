import type { UncountedCheck } from "../../shared/check.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { compareChecks } from "../../shared/report/compare.ts";
import { formatChecked, formatUnchecked } from "../../shared/report/markdown.ts";
import { describeObstacles, listObstacles } from "../../shared/report/obstacles.ts";
import type { Text } from "../../shared/language.ts";
import { getVersion } from "../base/program.ts";
import { findShipBefore } from "../db/deployments/deployments.ts";
import { findGate } from "../db/projects/gates.ts";
import {
  findReporting,
  insertOutcome,
  type Outcome,
  type StatusContent,
} from "../db/deployments/commit-statuses.ts";
import type { ClaimedDeployments } from "../db/deployments/deployment-claims.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps, ProcessDeps } from "../deps.ts";
import { judgeStored } from "../checks/report.ts";
import { evaluateProjectGate, type GateResult } from "../projects/gates.ts";
import type { FinishedCheck } from "../engine/finished.ts";
import { notAssessed } from "../projects/commit-statuses.ts";

/** GitHub's limit for the description of a status. */
const MAX_LENGTH = 140;

export function cutWords(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const start = text.slice(0, MAX_LENGTH);
  const end = start.lastIndexOf(" ");
  return `${start.slice(0, end > 0 ? end : MAX_LENGTH - 1).replace(/[\s,:;]+$/, "")}…`;
}

const cut = ({ state, description }: StatusContent): StatusContent => ({
  state,
  description: cutWords(description),
});

export function describeOutcome(
  { verdict, ...check }: Pick<UncountedCheck, "verdict" | "findings" | "caps">,
  gate: Omit<GateResult, "gate">,
): StatusContent {
  if (verdict === "inconclusive") {
    const why = describeObstacles(listObstacles(check));
    return cut(notAssessed(why || "the page could not be assessed"));
  }
  const { score, difference, acceptedScore, acceptedCount, failures } = gate;
  const scores = [
    `${score}/100`,
    ...(difference === null ? [] : [`${difference < 0 ? "" : "+"}${difference}`]),
    ...(acceptedScore === null ? [] : [`${acceptedScore} with ${acceptedCount} accepted`]),
  ].join(", ");
  if (!gate.hasConditions) return { state: "success", description: `${scores}: no gate` };
  if (gate.met) return { state: "success", description: `${scores}: gate met` };
  const description = `${scores}: gate not met: ${failures.join(", ")}`;
  return cut({ state: "failure", description });
}

/** GitHub's limit for a comment is 65,536 characters. */
const MAX_REPORT_BYTES = 60_000;

/**
 * Returns undefined if no hook reports statuses. This work takes time, so call it before the transaction that ends the claim. Throws
 * `busy`.
 */
export async function prepareOutcome(
  deps: Deps,
  claimed: Pick<ClaimedDeployments, "claimId" | "ids" | "projectId" | "accountId">,
  { answer, evidence }: FinishedCheck,
): Promise<Outcome | undefined> {
  const { claimId: id, ids, projectId, accountId } = claimed;
  const { sql } = deps.database;
  const reporting = await findReporting(sql, ids);
  if (reporting === undefined) return undefined;
  const gate = await findGate(sql, projectId);
  const before = await findShipBefore(sql, ids);
  const stored = [
    ...((gate.failOnNew || reporting.comments) && before ? [before] : []),
    ...(reporting.comments ? [{ id, evidence: Buffer.from(evidence) }] : []),
  ];
  const checks = await judgeStored(deps, { actor: { accountId } }, "en", stored);
  const earlier = checks.find((one) => one !== undefined && one.id === before?.id);
  const check = checks.find((one) => one?.id === id) ?? (JSON.parse(answer) as UncountedCheck);
  const lastShip = before ? { ...before, check: gate.failOnNew ? earlier : undefined } : null;
  const result = evaluateProjectGate(gate, check, lastShip);
  return {
    ...describeOutcome(check, result),
    report: describeReport(deps, check, result, earlier),
  };
}

/** Writes the same report as the comment of the GitHub Action. */
function describeReport(
  { config: { publicUrl } }: ProcessDeps,
  check: UncountedCheck,
  { gate }: GateResult,
  earlier: UncountedCheck | undefined,
): string {
  const comparison = earlier && compareChecks(earlier, check);
  const shown = {
    ...check,
    url: withoutSecrets(check.url),
    finalUrl: withoutSecrets(check.finalUrl),
  };
  const docsBase = publicUrl === undefined ? null : new URL(publicUrl);
  const about = { docsBase, language: "en", version: getVersion() } as const;
  const report = formatChecked({ check: shown, gate, comparison }, about).trimEnd();
  if (Buffer.byteLength(report) <= MAX_REPORT_BYTES) return report;
  const [score = "", page = ""] = report.split("\n\n");
  return [score, page, "The report is too long for a comment."].join("\n\n");
}

export const reportUnverified = (
  sql: Sql,
  { ids, url }: Pick<ClaimedDeployments, "ids" | "url">,
  why: Text,
): Promise<void> =>
  insertOutcome(sql, ids, {
    ...cut(notAssessed(why.en)),
    report: formatUnchecked(withoutSecrets(url), why.en, "en").trimEnd(),
  });
