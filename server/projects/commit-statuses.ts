import type { OpenHook } from "../db/deployments/hooks.ts";
import type { NewStatus, StatusContent } from "../db/deployments/commit-statuses.ts";
import { oneLine } from "../base/syntax/text.ts";
import type { ReportedDeployment, ReportOutcome } from "./deployments.ts";

const WHOLE_COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
const MAX_CONTEXT_LENGTH = 100;

export type ReportingTarget = NonNullable<OpenHook["reporting"]>;

export const CHECKING: StatusContent = { state: "pending", description: "Checking" };

export const notAssessed = (why: string): StatusContent => ({
  state: "error",
  description: `Not assessed: ${why}`,
});

function describe(
  { failed }: ReportedDeployment,
  outcome: ReportOutcome,
): StatusContent | undefined {
  if ("id" in outcome) return CHECKING;
  if ("retryAfterSeconds" in outcome) return undefined;
  if (outcome.ignored === failed) return notAssessed("the deployment failed");
  return outcome.ignored.startsWith("environment ")
    ? notAssessed("the project's settings include no such preview")
    : undefined;
}

export function statusesOf(
  { repository, context }: ReportingTarget,
  reports: readonly ReportedDeployment[],
  outcomes: readonly ReportOutcome[],
  ships: readonly { id: string; deployedMs: number; recordedMs: number }[],
): NewStatus[] {
  return reports.flatMap((report, position) => {
    const outcome = outcomes[position];
    const status = outcome && describe(report, outcome);
    const { commit } = report;
    if (status === undefined || commit === null || !WHOLE_COMMIT.test(commit)) return [];
    const ship = outcome && "id" in outcome ? ships.find(({ id }) => id === outcome.id) : undefined;
    const reportedMs = report.deployedAt?.getTime() ?? 0;
    const environment = oneLine(report.environment, MAX_CONTEXT_LENGTH);
    const isProduction = environment.toLowerCase() === "production";
    const name = isProduction ? "production" : environment;
    return {
      ...status,
      subject: ship?.id ?? report.providerId ?? report.eventKey,
      deploymentId: ship?.id ?? null,
      deployedMs: ship?.deployedMs ?? (reportedMs > 0 ? reportedMs : null),
      recordedMs: ship?.recordedMs ?? null,
      commit: commit.toLowerCase(),
      context: (isProduction ? null : context) ?? `shipscore/${name}`,
      isForeign: !report.repositories.some((one) => one.toLowerCase() === repository.toLowerCase()),
    };
  });
}
