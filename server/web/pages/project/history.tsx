import { say } from "../../../../shared/report/words.ts";
import type { ListedDeployment, Outage } from "../../../db/projects/project-page.ts";
import { MOST_OUTAGES } from "../../../db/projects/project-page.ts";
import { Section } from "../../kit/layout.tsx";
import { describeDay } from "../../kit/age.ts";
import { Chart, ChartKey, type ChartPoint } from "../../kit/chart.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { WORDS } from "./project-words.ts";

const isShip = ({ environment }: ListedDeployment) => environment === "production";

/** The score of a deployment, unless most of its page was not seen. */
export const scoreOf = ({ check }: ListedDeployment) =>
  check === null || check.verdict === "inconclusive" ? null : check.score;

/** Milliseconds until the first byte, where that is known. */
export const firstByteOf = ({ check }: ListedDeployment) => check?.firstByteMs ?? null;

/** From when on all outages are known; the beginning of time if there were not too many. */
function knownFrom(outages: readonly Outage[]): Date {
  const over = outages.flatMap(({ to }) => to ?? []);
  const earliest = Math.min(...over.map((to) => to.getTime()));
  return new Date(over.length < MOST_OUTAGES ? 0 : earliest);
}

/**
 * How many incidents began between each production deployment and the next one, by the deployment's id: those that the
 * charts mark.
 */
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

/** A round number at or above the greatest value, so that the middle is round too. */
export function topOf(values: readonly number[]): number {
  const greatest = Math.max(...values, 1);
  const unit = 10 ** Math.floor(Math.log10(greatest));
  return Math.max(
    2,
    [1, 2, 4, 5, 10].map((factor) => factor * unit).find((top) => top >= greatest)!,
  );
}

interface HistoryProps {
  deployments: readonly ListedDeployment[];
  outages: readonly Outage[];
  signedIn: SignedInRequest;
}

/** The charts of the deployments to production: their scores and, where it is known, the time to the first byte. */
export function History({ deployments, outages, signedIn }: HistoryProps) {
  const { language, now } = signedIn;
  const ships = deployments.filter(isShip).toReversed();
  const [first] = ships;
  const pointsOf = (valueOf: (ship: ListedDeployment) => number | null): ChartPoint[] =>
    ships.map((ship) => ({ at: ship.deployedAt, value: valueOf(ship) }));
  const [scores, firstBytes] = [pointsOf(scoreOf), pointsOf(firstByteOf)];
  const hasScores = scores.some(({ value }) => value !== null);
  const times = firstBytes.flatMap(({ value }) => value ?? []);
  if (first === undefined || (!hasScores && times.length === 0)) return null;
  const from = first.deployedAt;
  const shared = {
    spans: outages.filter(({ to }) => to === null || to >= from),
    from,
    to: now,
    ends: [describeDay(from, signedIn), say(WORDS.now, language)] as const,
  };
  const describe = (text: keyof typeof WORDS) =>
    `${say(WORDS[text], language)} ${say(WORDS.inTable, language)}`;
  const marks = [
    ["dots", true],
    ["ticks", scores.some(({ value }) => value === null)],
    ["spans", shared.spans.length > 0],
  ] as const;
  return (
    <Section id="history" title={say(WORDS.history, language)}>
      {hasScores && (
        <Chart
          {...shared}
          label={say(WORDS.scoreChart, language)}
          description={describe("scoreSays")}
          points={scores}
          top={100}
        />
      )}
      {times.length > 0 && (
        <Chart
          {...shared}
          label={say(WORDS.firstByteChart, language)}
          description={describe("firstByteSays")}
          points={firstBytes}
          top={topOf(times)}
          unit={"\u00a0ms"}
        />
      )}
      <ChartKey
        marks={marks.flatMap(([kind, isThere]) =>
          isThere ? [[kind, say(WORDS[kind], language)] as const] : [],
        )}
      />
      {knownFrom(outages) > from && <p class="hint">{say(WORDS.someOutages, language)}</p>}
    </Section>
  );
}
