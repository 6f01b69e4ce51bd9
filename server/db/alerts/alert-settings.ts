import { occasionsOf, targetOf, type AlertRow, type Delivery } from "./alerts.ts";
import type { CallerRow } from "../accounts/callers.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { parseId } from "../id.ts";
import { asList } from "../paged-lists.ts";
import { firstRow } from "../driver/rows.ts";

export type ShownAlert = Omit<AlertRow, "failingSince" | "host">;

const selectAlerts = fragment`
  select id, kind, label, ${targetOf} as target, language, state, ${occasionsOf} as on,
    after_minutes as after, remind_hours as remind from alerts`;

export const shownAlerts: Fragment = asList(
  fragment`${selectAlerts} where project_id = projects.id order by created_at desc, id desc`,
);

export interface ShownDelivery extends Pick<
  Delivery,
  "id" | "type" | "state" | "attempts" | "error" | "createdAt"
> {
  /** The URL concerned; null for a summary and a test. */
  url: string | null;
}

export interface AlertOfPage extends ShownAlert {
  projectName: string;
  projectUrl: string;
  deliveries: readonly ShownDelivery[];
}

const DELIVERIES = 30;

export const findAlertOfPage = (sql: Sql, caller: CallerRow, projectId: string, id: string) =>
  firstRow(sql.read<AlertOfPage>`
    select shown.*, projects.name as project_name, projects.url as project_url,
      ${asList(
        fragment`
        select id, type, state, attempts, error, created_at as "createdAt",
          coalesce(data #>> '{incident,url}', data #>> '{deployment,url}') as url
        from messages where alert_id = shown.id order by created_at desc, id desc limit ${DELIVERIES}::int`,
        "createdAt",
      )} as deliveries
    from ${caller} join projects on projects.id = ${parseId("prj", projectId)} and owner_id = account_id
    join lateral (
      ${selectAlerts} where alerts.id = ${parseId("alr", id)} and project_id = projects.id
    ) shown on true`);
