import type {
  CheckAnswer,
  LastShipAnswer,
  ProjectIncident,
  ProjectListAnswer,
} from "../client/answers.ts";
import type { Row } from "../terminal/rows.ts";

export function checkRow(check: CheckAnswer): Row {
  return [check.score, check.verdict, check.url, check.finalUrl, check.id];
}

export function findingRow(finding: CheckAnswer["findings"][number]): Row {
  const { id, status, earned, points, title, evidence, fix, docsUrl } = finding;
  return [id, status, earned, points, title, evidence, fix, docsUrl];
}

export function projectRows({ projects }: ProjectListAnswer): Row[] {
  return projects.map(({ id, state, score, name, url }) => [id, state, score, name, url]);
}

export function incidentRows(incidents: readonly ProjectIncident[]): Row[] {
  return incidents.map(({ projectId, id, since, url, reason }) => [
    projectId,
    id,
    since,
    url,
    reason,
  ]);
}

export function lastShipRows({ lastShip }: LastShipAnswer): Row[] {
  if (lastShip === null) return [];
  const { id, deployedAt, score, verdict, ref, commit, url } = lastShip;
  return [[id, deployedAt, score, verdict, ref, commit, url]];
}
