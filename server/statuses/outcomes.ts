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
import { judgeGate, type JudgedGate } from "../projects/gates.ts";
import type { FinishedCheck } from "../engine/finished.ts";
import { notJudged } from "../projects/commit-statuses.ts";

/** What GitHub takes. */
const MAX_LENGTH = 140;

/** At most 140 characters, cut at a word. */
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

/** What a check came to by its project's gate: `84/100, +3: gate met`. */
export function describeOutcome(
  { verdict, ...check }: Pick<UncountedCheck, "verdict" | "findings" | "caps">,
  gate: Omit<JudgedGate, "gate">,
): StatusContent {
  if (verdict === "inconclusive") {
    const why = describeObstacles(listObstacles(check));
    return cut(notJudged(why || "the page could not be judged"));
  }
  const { score, difference, acceptedScore, acceptedCount, failures } = gate;
  const standing = [
    `${score}/100`,
    ...(difference === null ? [] : [`${difference < 0 ? "" : "+"}${difference}`]),
    ...(acceptedScore === null ? [] : [`${acceptedScore} with ${acceptedCount} accepted`]),
  ].join(", ");
  if (!gate.isAsked) return { state: "success", description: `${standing}: no gate` };
  if (gate.met) return { state: "success", description: `${standing}: gate met` };
  const description = `${standing}: gate not met: ${failures.join(", ")}`;
  return cut({ state: "failure", description });
}

/** What GitHub takes of a comment is 65,536 characters. */
const MAX_REPORT_BYTES = 60_000;

/**
 * What the commits of deployments are to be told of their finished check, judged before the transaction that ends their claim;
 * undefined where no hook reports statuses. Throws `busy`.
 */
export async function judgeOutcome(
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
  const kept = [
    ...((gate.failOnNew || reporting.comments) && before ? [before] : []),
    ...(reporting.comments ? [{ id, evidence: Buffer.from(evidence) }] : []),
  ];
  const judged = await judgeStored(deps, { actor: { accountId } }, "en", kept);
  const earlier = judged.find((one) => one !== undefined && one.id === before?.id);
  const check = judged.find((one) => one?.id === id) ?? (JSON.parse(answer) as UncountedCheck);
  const against = before ? { ...before, check: gate.failOnNew ? earlier : undefined } : null;
  const met = judgeGate(gate, check, against);
  return { ...describeOutcome(check, met), report: describeReport(deps, check, met, earlier) };
}

/** The report as the Action comments with it; the baseline is the last ship. */
function describeReport(
  { config: { publicUrl } }: ProcessDeps,
  check: UncountedCheck,
  { gate }: JudgedGate,
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

/** Queues what is told of deployments that were tried for the last time. */
export const reportUnverified = (
  sql: Sql,
  { ids, url }: Pick<ClaimedDeployments, "ids" | "url">,
  why: Text,
): Promise<void> =>
  insertOutcome(sql, ids, {
    ...cut(notJudged(why.en)),
    report: formatUnchecked(withoutSecrets(url), why.en, "en").trimEnd(),
  });
