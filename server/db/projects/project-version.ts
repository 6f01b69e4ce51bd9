import type { CallerRow } from "../accounts/callers.ts";
import { fragment } from "../driver/fragment.ts";
import { isVisibleProject } from "./projects.ts";
import { firstRow } from "../driver/rows.ts";
import type { Sql } from "../driver/sql.ts";

/** Changes whenever the project's page has news: a state, an incident, a score or a deployment. */
export const PROJECT_VERSION = fragment`md5(concat_ws(' ', projects.state, projects.state_since,
  (select last_outcome from watched_urls join looks using (number) where project_id = projects.id and is_address),
  (select concat_ws(' ', count(*), max(scored_at), count(fails_from)) from watched_urls where project_id = projects.id),
  (select concat_ws(' ', count(*), max(since)) from incidents where project_id = projects.id and closed_at is null),
  (select concat_ws(' ', id, check_id, try_at) from deployments
    where project_id = projects.id and kind <> 'preview'
    order by deployed_at desc, id desc limit 1)))`;

export const findProjectVersion = (sql: Sql, caller: CallerRow, id: string) =>
  firstRow(sql.read<{ version: string }>`
    select ${PROJECT_VERSION} as version from ${caller} join projects on ${isVisibleProject(id)}`);
