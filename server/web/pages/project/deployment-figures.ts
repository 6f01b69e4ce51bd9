import {
  type ListedDeployment,
  type Outage,
  MAX_OUTAGES,
} from "../../../db/projects/project-page.ts";
import { oneLine } from "../../../base/syntax/text.ts";

const LONGEST_LABEL = 20;
const COMMIT_LENGTH = 12;

/** The commit and the ref of a deployment, as far as they were said; empty where neither was. */
export function nameVersion({
  commit,
  ref,
}: {
  commit: string | null;
  ref: string | null;
}): string {
  const said = [commit?.slice(0, COMMIT_LENGTH), ref];
  return said.flatMap((part) => (part ? oneLine(part, LONGEST_LABEL) : [])).join(" · ");
}

export const isShip = ({ environment }: Pick<ListedDeployment, "environment">) =>
  environment === "production";

/** The score of a deployment, unless most of its page was not seen. */
export const scoreOf = ({ check }: Pick<ListedDeployment, "check">) =>
  check === null || check.verdict === "inconclusive" ? null : check.score;

/** What a deployment's score is above that of the one before it. */
export function gainOf(deployment: Pick<ListedDeployment, "check">): number | null {
  const score = scoreOf(deployment);
  const before = deployment.check?.previousScore ?? null;
  return score === null || before === null ? null : score - before;
}

/** From when on all outages are known; the beginning of time if there were not too many. */
function knownFrom(outages: readonly Outage[]): Date {
  const over = outages.flatMap(({ to }) => to ?? []);
  const earliest = Math.min(...over.map((to) => to.getTime()));
  return new Date(over.length < MAX_OUTAGES ? 0 : earliest);
}

/** How many incidents began between each production deployment and the next one, by the deployment's id. */
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
