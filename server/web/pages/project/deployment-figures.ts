import {
  type ListedDeployment,
  type Outage,
  MAX_OUTAGES,
} from "../../../db/projects/project-page.ts";
import { oneLine } from "../../../base/syntax/text.ts";

const LONGEST_LABEL = 20;
const COMMIT_LENGTH = 12;

export function nameVersion({
  commit,
  ref,
}: {
  commit: string | null;
  ref: string | null;
}): string {
  const parts = [commit?.slice(0, COMMIT_LENGTH), ref];
  return parts.flatMap((part) => (part ? oneLine(part, LONGEST_LABEL) : [])).join(" · ");
}

export const isShip = ({ environment }: Pick<ListedDeployment, "environment">) =>
  environment === "production";

/** The score of an inconclusive check is not shown, because the points that it could not check decide. */
export const scoreOf = ({ check }: Pick<ListedDeployment, "check">) =>
  check === null || check.verdict === "inconclusive" ? null : check.score;

export function gainOf(deployment: Pick<ListedDeployment, "check">): number | null {
  const score = scoreOf(deployment);
  const before = deployment.check?.previousScore ?? null;
  return score === null || before === null ? null : score - before;
}

/** The list of outages is cut at `MAX_OUTAGES`, so it is complete only since this time. */
function knownFrom(outages: readonly Outage[]): Date {
  const ends = outages.flatMap(({ to }) => to ?? []);
  const earliest = Math.min(...ends.map((to) => to.getTime()));
  return new Date(ends.length < MAX_OUTAGES ? 0 : earliest);
}

export function countOutages(
  deployments: readonly ListedDeployment[],
  outages: readonly Outage[],
): ReadonlyMap<string, number> {
  const known = knownFrom(outages);
  const ships = deployments.filter(isShip);
  return new Map(
    ships
      .filter(({ deployedAt }) => deployedAt >= known)
      .map(({ id, deployedAt }) => {
        const next = ships.findLast((other) => other.deployedAt > deployedAt);
        const after = outages.filter(
          ({ from }) => from >= deployedAt && (next === undefined || from < next.deployedAt),
        );
        return [id, after.length];
      }),
  );
}
