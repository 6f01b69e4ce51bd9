import type { Verdict } from "../../../shared/check.ts";
import type { ProjectState } from "../../../shared/project.ts";
import type { Language } from "../../../shared/language.ts";
import type { CallerRow } from "../accounts/callers.ts";
import type { DeploymentKind } from "../deployments/deployments.ts";
import { fragment } from "../driver/fragment.ts";
import { selectDays, type HistoryDay } from "./history.ts";
import { asList } from "../paged-lists.ts";
import {
  INCIDENT_TIMES,
  incidentColumns,
  type ListedIncident,
} from "../watching/incident-pages.ts";
import {
  isComing,
  maintainedTimes,
  shownWindows,
  type MaintainedTime,
  type Window,
} from "../watching/maintenance.ts";
import { PROJECT_VERSION } from "./project-version.ts";
import { isVisibleProject } from "./projects.ts";
import type { Sql } from "../driver/sql.ts";

export interface WatchedUrl {
  id: string;
  url: string;
  isAddress: boolean;
  lastOutcome: "good" | "failed" | null;
  hasOpenIncident: boolean;
  /** The only location from which it fails. */
  failsFrom: string | null;
  isPaused: boolean;
  score: number | null;
  lastCheckedAt: Date | null;
}

export interface ListedDeployment {
  id: string;
  kind: DeploymentKind;
  url: string;
  environment: string;
  commit: string | null;
  ref: string | null;
  deployedAt: Date;
  /** Null if it is not verified: it is queued, or `failure` is the reason of its last attempt. */
  check: {
    id: string;
    score: number;
    verdict: Verdict;
    previousScore: number | null;
    firstByteMs: number | null;
  } | null;
  isQueued: boolean;
  failure: string | null;
}

export interface Outage {
  id: string;
  url: string;
  from: Date;
  to: Date | null;
}

export interface ProjectLists {
  open: ListedIncident;
  urls: WatchedUrl;
  deployments: ListedDeployment;
  closed: ListedIncident;
}

export type ListName = keyof ProjectLists;

export interface FirstRows<Row> {
  rows: readonly Row[];
  hasMore: boolean;
}

export type ProjectPage = { [Name in ListName]: FirstRows<ProjectLists[Name]> } & {
  id: string;
  name: string;
  url: string;
  state: ProjectState;
  stateSince: Date | null;
  isOwn: boolean;
  setUp: readonly ("alert" | "hook" | "badge")[];
  /** The parts that a transfer stopped and the new owner has not dealt with; shown only to the owner. */
  stopped: readonly ("hooks" | "alerts")[];
  score: number | null;
  lastCheckedAt: Date | null;
  /** The time of its address's first probe. */
  watchedSince: Date | null;
  urlCount: number;
  failingCount: number;
  days: readonly HistoryDay[];
  /** At most `MAX_OUTAGES` that are over, latest first, and as many that are not. */
  outages: readonly Outage[];
  maintained: readonly MaintainedTime[];
  /** The windows that run or begin within a week. */
  maintenance: readonly Window[];
  version: string;
};

export const MAX_OUTAGES = 100;
export const DAYS = 30;

/** The chart of deployments shows the same rows. */
const FIRST_ROWS: Readonly<Record<ListName, number>> = {
  open: 5,
  urls: 5,
  deployments: 12,
  closed: 3,
};

type FoundRow = Omit<ProjectPage, ListName> & { [Name in ListName]: ProjectLists[Name][] };

export async function findProjectPage(
  sql: Sql,
  caller: CallerRow,
  id: string,
  language: Language,
): Promise<ProjectPage | undefined> {
  const limitOf = (name: ListName) => fragment`limit ${FIRST_ROWS[name] + 1}::int`;
  const urlOrder = fragment`is_failing desc, score, url`;
  const marked = fragment`limit ${MAX_OUTAGES}::int`;

  const [row] = await sql.read<FoundRow>`
    select projects.id, projects.name, projects.url, projects.state, projects.state_since,
      projects.owner_id = caller.account_id as is_own, array_remove(array[
        case when exists (select from hooks where project_id = projects.id and is_handed_over) then 'hooks' end,
        case when exists (select from alerts where project_id = projects.id and alerts.state = 'handed_over') then 'alerts' end
      ], null) as stopped, array_remove(array[
        case when exists (select from alerts where project_id = projects.id) then 'alert' end,
        case when exists (select from hooks where project_id = projects.id) then 'hook' end,
        case when badge_id is not null then 'badge' end
      ], null) as set_up, address.score, looked_at as last_checked_at, first_looked_at as watched_since,
      (select count(*)::int from watched_urls where project_id = projects.id) as url_count,
      (select count(*)::int from incidents where project_id = projects.id and closed_at is null) as failing_count, ${PROJECT_VERSION} as version,
      ${asList(
        fragment`
        select ${incidentColumns(language)} from incidents
        where project_id = projects.id and closed_at is null
        order by since, id ${limitOf("open")}`,
        INCIDENT_TIMES,
      )} as open,
      ${asList(
        fragment`
        select watched.id, watched.url, is_address as "isAddress", looks.last_outcome as "lastOutcome",
          is_failing as "hasOpenIncident", paused_at is not null as "isPaused", fails_from as "failsFrom", score,
          looked_at as "lastCheckedAt"
        from (
          select watched_urls.*, watched_urls.id = any(array(
            select watched_url_id from incidents where project_id = projects.id and closed_at is null)) as is_failing
          from watched_urls where project_id = projects.id
          order by ${urlOrder} ${limitOf("urls")}
        ) watched left join looks using (number)
        order by ${urlOrder}`,
        "lastCheckedAt",
      )} as urls,
      ${asList(
        fragment`
        select recorded.id, recorded.kind, url, environment, commit, ref, deployed_at as "deployedAt", failure ->> ${language} as failure,
          try_at is not null as "isQueued",
          case when scores.deployment_id is not null then to_json(verified) end as check
        from (
          select * from deployments
          where project_id = projects.id and kind <> 'preview'
          order by deployed_at desc, id desc ${limitOf("deployments")}
        ) recorded
        left join scores on scores.deployment_id = recorded.id
        left join checks on checks.id = check_id
        left join lateral (
          select check_id as id, scores.score, scores.verdict, scores.previous_score as "previousScore", first_byte_ms as "firstByteMs"
        ) verified on true
        order by deployed_at desc, recorded.id desc`,
        "deployedAt",
      )} as deployments,
      ${asList(
        fragment`
        select ${incidentColumns(language)} from incidents
        where project_id = projects.id and closed_at is not null
        order by closed_at desc, id desc ${limitOf("closed")}`,
        INCIDENT_TIMES,
      )} as closed,
      ${asList(selectDays(DAYS))} as days,
      ${maintainedTimes(fragment`projects.id`, fragment`projects.url`, DAYS)} as maintained,
      ${shownWindows(fragment`projects.id`, isComing)} as maintenance,
      ${asList(
        fragment`
        select * from (
          select id, url, since as from, closed_at as to from incidents
          where project_id = projects.id and closed_at is not null order by closed_at desc, id desc ${marked}
        ) past
        union all
        select * from (
          select id, url, since, closed_at from incidents
          where project_id = projects.id and closed_at is null order by since ${marked}
        ) going_on`,
        "from to",
      )} as outages
    from ${caller}
    join projects on ${isVisibleProject(id)}
    left join watched_urls address on address.project_id = projects.id and is_address
    left join looks on looks.number = address.number`;
  if (row === undefined) return undefined;
  const partOf = <Row>(name: ListName, found: readonly Row[]): FirstRows<Row> => {
    const rows = found.slice(0, FIRST_ROWS[name]);
    return { rows, hasMore: found.length > rows.length };
  };
  return {
    ...row,
    open: partOf("open", row.open),
    urls: partOf("urls", row.urls),
    deployments: partOf("deployments", row.deployments),
    closed: partOf("closed", row.closed),
  };
}
