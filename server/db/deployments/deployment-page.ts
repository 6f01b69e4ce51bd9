import type { Verdict } from "../../../shared/check.ts";
import type { PreviousFiles } from "../../../shared/last-ship.ts";
import type { Language } from "../../../shared/language.ts";
import type { CallerRow } from "../accounts/callers.ts";
import type { DeploymentKind } from "./deployments.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { parseId } from "../id.ts";
import { asList } from "../paged-lists.ts";
import { isVisible } from "../projects/projects.ts";
import {
  INCIDENT_TIMES,
  incidentColumns,
  type ListedIncident,
} from "../watching/incident-pages.ts";
import { firstRow } from "../driver/rows.ts";

export interface Version {
  id: string;
  commit: string | null;
  ref: string | null;
}

/** Members about its check are null until the check has ended. */
export interface DeploymentPage extends Version {
  kind: DeploymentKind;
  url: string;
  environment: string;
  commitUrl: string | null;
  refUrl: string | null;
  deployedAt: Date;
  projectId: string;
  projectName: string;
  isQueued: boolean;
  failure: string | null;
  score: number | null;
  verdict: Verdict | null;
  checkId: string | null;
  /** Packed; null once the check is no longer stored. */
  evidence: Buffer | null;
  previousFiles: PreviousFiles | null;
  /** The previous checked deployment of its environment; for a preview, the last ship before it. */
  beforeId: string | null;
  beforeCommit: string | null;
  beforeRef: string | null;
  beforeDeployedAt: Date | null;
  previousScore: number | null;
  beforeCheckId: string | null;
  beforeEvidence: Buffer | null;
  nextId: string | null;
  nextDeployedAt: Date | null;
  /** At most `MAX_INCIDENTS` and one more. */
  incidents: readonly ListedIncident[];
}

export const MAX_INCIDENTS = 10;

export function findDeploymentPage(sql: Sql, caller: CallerRow, id: string, language: Language) {
  const position = fragment`(deployments.deployed_at, deployments.id)`;
  const incidentsThatAre = (condition: Fragment) => fragment`
    select ${incidentColumns(language)} from incidents
    where incidents.project_id = projects.id and ${condition} and since >= deployments.deployed_at
      and since < coalesce(next.deployed_at, 'infinity')
    order by since, id limit ${MAX_INCIDENTS + 1}::int`;
  return firstRow(sql.read<DeploymentPage>`
    select deployments.id, deployments.kind, deployments.url, deployments.environment, deployments.commit, deployments.ref,
      deployments.commit_url, deployments.ref_url, deployments.deployed_at, projects.id as project_id,
      projects.name as project_name, deployments.failure ->> ${language} as failure,
      deployments.try_at is not null as is_queued,
      scores.score, scores.verdict, deployments.check_id, checks.evidence,
      checks.previous_files,
      before.id as before_id, before.commit as before_commit, before.ref as before_ref,
      before.deployed_at as before_deployed_at, scores.previous_score,
      before.check_id as before_check_id, earlier.evidence as before_evidence,
      next.id as next_id, next.deployed_at as next_deployed_at,
      ${asList(
        fragment`
        (${incidentsThatAre(fragment`closed_at is null`)}) union all (${incidentsThatAre(fragment`closed_at >= deployments.deployed_at`)})
        order by since, id limit ${MAX_INCIDENTS + 1}::int`,
        INCIDENT_TIMES,
      )} as incidents
    from ${caller}
    join deployments on deployments.id = ${parseId("dep", id)}
    join projects on projects.id = deployments.project_id and ${isVisible}
    left join scores on scores.deployment_id = deployments.id
    left join checks on checks.id = deployments.check_id
    left join lateral (
      select earlier.id, earlier.commit, earlier.ref, earlier.deployed_at, earlier.check_id from deployments earlier
      where earlier.project_id = projects.id and earlier.environment = case when deployments.kind = 'preview' then 'production' else deployments.environment end
        and earlier.check_id is not null and earlier.kind <> 'preview' and (earlier.deployed_at, earlier.id) < ${position}
      order by earlier.deployed_at desc, earlier.id desc limit 1
    ) before on true
    left join checks earlier on earlier.id = before.check_id
    left join lateral (
      select later.id, later.deployed_at from deployments later
      where later.project_id = projects.id and later.environment = deployments.environment
        and later.kind <> 'preview' and deployments.kind <> 'preview' and (later.deployed_at, later.id) > ${position}
      order by later.deployed_at, later.id limit 1
    ) next on true`);
}
