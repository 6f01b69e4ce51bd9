import type { Verdict } from "../../../shared/check.ts";
import type { Language } from "../../../shared/language.ts";
import type { CallerRow } from "../accounts/callers.ts";
import type { Delivery } from "../alerts/alerts.ts";
import type { Delivery as Received } from "../deployments/hook-deliveries.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { parseId } from "../id.ts";
import { selectPart, type ListChoice, type ListPart, type ListSource } from "../paged-lists.ts";
import type { ListedDeployment, WatchedUrl } from "./project-page.ts";
import { isVisibleProject } from "./projects.ts";
import { firstRow } from "../driver/rows.ts";
import type { Sql } from "../driver/sql.ts";
import type { ListedIncident } from "../watching/incident-pages.ts";

export interface UrlRow extends WatchedUrl {
  state: "up" | "failing" | "unknown" | "paused";
  verdict: Verdict | null;
  checkId: string | null;
}

/** Members about its check are null until the check has ended. */
export interface DeploymentRow extends Omit<ListedDeployment, "check" | "failure"> {
  score: number | null;
  previousScore: number | null;
  verdict: Verdict | null;
  checkId: string | null;
}

export interface IncidentRow extends Omit<ListedIncident, "locations"> {
  state: "open" | "closed";
  deploymentId: string | null;
}

export interface ReceivedRow extends Received {
  state: "recorded" | "tested" | "ignored" | "refused";
}

export interface MessageRow extends Pick<Delivery, "id" | "type" | "state" | "attempts" | "error"> {
  at: Date;
}

/** The lists of a hook or an alert are only for the project's owner. */
export interface ProjectLists {
  urls: UrlRow;
  deployments: DeploymentRow;
  previews: DeploymentRow;
  incidents: IncidentRow;
  received: ReceivedRow;
  messages: MessageRow;
}

/** Its joins read one row each by index, however many rows the project has. */
interface ProjectSource extends ListSource {
  /** False in SQL if the caller may not see the list, or it does not exist. */
  isThere?: Fragment;
}

const isOwn = (table: Fragment, id: string | null) => fragment`
  projects.owner_id = caller.account_id and exists (select from ${table} where id = ${id} and project_id = projects.id)`;

/** Lists that grow every hour show only this many of the newest rows, to limit the cost of a statement. */
const LISTED = 10_000;

const deploymentsThat = (are: Fragment): ProjectSource => ({
  select: fragment`
    select recorded.id, recorded.kind, url, environment, commit, ref, deployed_at as "deployedAt", score, previous_score as "previousScore",
      verdict, kept.id as "checkId", try_at is not null as "isQueued"
    from (
      select * from deployments where project_id = projects.id and ${are}
      order by deployed_at desc, id desc limit ${LISTED}::int) recorded
    left join lateral (
      select score, previous_score, verdict from scores where deployment_id = recorded.id limit 1) scored on true
    left join lateral (select id from checks where id = check_id and evidence is not null limit 1) kept on true`,
  text: fragment`concat_ws(chr(10), url, commit, ref)`,
  orders: { score: fragment`score`, address: fragment`url`, at: fragment`"deployedAt"` },
  tie: fragment`"deployedAt" desc, id desc`,
  times: "deployedAt",
});

export const urlsThat = (are: Fragment): ProjectSource => ({
  select: fragment`
    select watched.id, watched.url, is_address as "isAddress", last_outcome as "lastOutcome",
      is_failing is not null as "hasOpenIncident", paused_at is not null as "isPaused", fails_from as "failsFrom", score, verdict,
      newest.id as "checkId", looked_at as "lastCheckedAt",
      case when is_failing then 'failing' when paused_at is not null then 'paused'
        when last_outcome = 'good' or fails_from is not null then 'up' else 'unknown' end as state
    from watched_urls watched
    left join lateral (select last_outcome, looked_at from looks where looks.number = watched.number limit 1) look on true
    left join lateral (
      select true as is_failing from incidents where watched_url_id = watched.id and closed_at is null limit 1) failure on true
    left join lateral (select id, verdict from checks where id = newest_check_id limit 1) newest on true
    where watched.project_id = projects.id and ${are}`,
  text: fragment`url`,
  orders: {
    state: fragment`case state when 'failing' then 1 when 'unknown' then 2 when 'paused' then 3 else 4 end`,
    score: fragment`score`,
    address: fragment`url`,
    at: fragment`"lastCheckedAt"`,
  },
  tie: fragment`score, url`,
  times: "lastCheckedAt",
});

const SOURCES: Readonly<
  Record<keyof ProjectLists, (asked: { language: Language; of: string }) => ProjectSource>
> = {
  urls: () => urlsThat(fragment`true`),
  deployments: () => deploymentsThat(fragment`kind <> 'preview'`),
  previews: () => deploymentsThat(fragment`kind = 'preview'`),
  incidents: ({ language }) => ({
    select: fragment`
      select id, url, case when closed_at is null then 'open' else 'closed' end as state,
        reason ->> ${language} as reason, opened_by as "openedBy", since, closed_at as "closedAt", deployment_id as "deploymentId"
      from (select * from incidents where project_id = projects.id order by since desc, id desc limit ${LISTED}::int) newest`,
    text: fragment`concat_ws(chr(10), url, reason)`,
    orders: {
      state: fragment`"closedAt" is not null`,
      address: fragment`url`,
      at: fragment`since`,
    },
    tie: fragment`since desc, id desc`,
    times: "since closedAt",
  }),
  received: ({ of }) => ({
    isThere: isOwn(fragment`hooks`, parseId("hook", of)),
    select: fragment`
      select id, event, split_part(outcome, ':', 1) as state, outcome, at from hook_deliveries
      where hook_id = ${parseId("hook", of)}`,
    text: fragment`concat_ws(chr(10), event, outcome)`,
    orders: { state: fragment`outcome`, at: fragment`at` },
    tie: fragment`at desc, id desc`,
    times: "at",
  }),
  messages: ({ of }) => ({
    isThere: isOwn(fragment`alerts`, parseId("alr", of)),
    select: fragment`
      select id, type, state, attempts, error, created_at as at from messages where alert_id = ${parseId("alr", of)}`,
    text: fragment`concat_ws(chr(10), type, error)`,
    orders: { state: fragment`state`, at: fragment`at` },
    tie: fragment`at desc, id desc`,
    times: "at",
  }),
};

export interface ProjectList<Row> {
  id: string;
  name: string;
  url: string;
  part: ListPart<Row>;
}

/** `of` is the id of the hook or alert. */
export function findProjectList<Name extends keyof ProjectLists>(
  sql: Sql,
  caller: CallerRow,
  { id, name, of = "", language }: { id: string; name: Name; of?: string; language: Language },
  choice: ListChoice,
) {
  const source = SOURCES[name]({ language, of });
  return firstRow(sql.read<ProjectList<ProjectLists[Name]>>`
    select projects.id, projects.name, projects.url, ${selectPart(source, choice)} as part
    from ${caller} join projects on ${isVisibleProject(id)} and ${source.isThere ?? fragment`true`}`);
}
