import type { ReceivedFinding } from "../client/received.ts";
import { describeObstacle, isUnjudged, type Obstacle } from "../check/obstacles.ts";
import { describePoints } from "../terminal/words.ts";
import { costOf } from "../check/costs.ts";
import { docsUrlOf } from "../check/addresses.ts";
import type { About } from "./report.ts";

const STATUSES = new Map([
  ["pass", "Passed"],
  ["not_applicable", "Nothing to judge"],
]);

interface FindingProps {
  finding: ReceivedFinding;
  about: About;
}

function Advice({ finding: { evidence, fix }, about }: FindingProps) {
  return (
    <dl lang={about.language}>
      {evidence !== "" && (
        <>
          <dt lang="en">Seen</dt>
          <dd>{evidence}</dd>
        </>
      )}
      {fix !== "" && (
        <>
          <dt lang="en">Fix</dt>
          <dd>{fix}</dd>
        </>
      )}
    </dl>
  );
}

function Cost({ finding, about }: FindingProps) {
  const { id, status, title, earned, points } = finding;
  return (
    <li>
      <span class={`points ${status === "fail" ? "bad" : "warn"}`}>
        +{describePoints(costOf(finding))}
      </span>
      <article>
        <h3 lang={about.language}>{title}</h3>
        <Advice finding={finding} about={about} />
        <p class="soft">
          {describePoints(earned)} of {describePoints(points)} points,{" "}
          <a href={docsUrlOf(finding, about.baseUrl)}>{id}</a>
        </p>
      </article>
    </li>
  );
}

function RestRow({ finding, about }: FindingProps) {
  const { id, status, title, earned, points } = finding;
  return (
    <tr>
      <th scope="row" lang={about.language}>
        {title} <a href={docsUrlOf(finding, about.baseUrl)}>{id}</a>
      </th>
      <td>{STATUSES.get(status) ?? status}</td>
      <td class="number">
        {describePoints(earned)} of {describePoints(points)}
      </td>
    </tr>
  );
}

interface FindingListProps {
  title: string;
  findings: readonly ReceivedFinding[];
  about: About;
}

export function CostList({ title, findings, about }: FindingListProps) {
  if (findings.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ol class="costs">
        {findings.map((finding) => (
          <Cost finding={finding} about={about} />
        ))}
      </ol>
    </section>
  );
}

interface ObstacleListProps {
  obstacles: readonly Obstacle[];
  about: About;
}

/** What was not judged and why; a root that failed is told where it costs points. */
export function ObstacleList({ obstacles, about }: ObstacleListProps) {
  if (obstacles.length === 0) return null;
  return (
    <section>
      <h2>Not judged</h2>
      <ol class="costs">
        {obstacles.map((obstacle) => (
          <li>
            <span class="points warn">{describePoints(obstacle.points)}</span>
            <article>
              <h3>{describeObstacle(obstacle)}</h3>
              {isUnjudged(obstacle.root) && <Advice finding={obstacle.root} about={about} />}
              <p class="soft">{obstacle.findings.map(({ id }) => id).join(", ")}</p>
            </article>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function Rest({ title, findings, about }: FindingListProps) {
  if (findings.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col">Result</th>
            <th scope="col" class="number">
              Points
            </th>
          </tr>
        </thead>
        <tbody>
          {findings.map((finding) => (
            <RestRow finding={finding} about={about} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
