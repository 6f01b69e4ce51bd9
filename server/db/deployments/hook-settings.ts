import type { CallerRow } from "../accounts/callers.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { parseId } from "../id.ts";
import { asList } from "../paged-lists.ts";
import type { Delivery } from "./hook-deliveries.ts";
import { shownReporting, type ShownReporting } from "./status-reporting.ts";
import type { Hook } from "./hooks.ts";
import { selectStatuses, type Status } from "./commit-statuses.ts";
import { firstRow } from "../driver/rows.ts";

export interface ShownHook extends Hook {
  hasSecret: boolean;
  /** True if a former owner of the project chose the secret. */
  isHandedOver: boolean;
  deliveries: readonly Delivery[];
}

const selectHooks = (deliveries: number, more: Fragment = fragment``): Fragment => fragment`
  select id, provider, secret is not null as "hasSecret", is_handed_over as "isHandedOver", ${more}
    ${asList(
      fragment`
      select id, at, event, outcome from hook_deliveries where hook_id = hooks.id
      order by at desc, id desc limit ${deliveries}::int`,
      "at",
    )} as deliveries
  from hooks`;

export const shownHooks = asList(
  fragment`${selectHooks(1)} where project_id = projects.id order by created_at desc, id desc`,
);

export interface HookOfPage extends ShownHook {
  projectName: string;
  reporting: ShownReporting | null;
  statuses: readonly Status[];
}

const DELIVERIES = 50;

export const findHookOfPage = (sql: Sql, caller: CallerRow, projectId: string, id: string) =>
  firstRow(sql.read<HookOfPage>`
    select projects.name as project_name, shown.*,
      ${asList(selectStatuses(fragment`shown.id`), "at")} as statuses
    from ${caller} join projects on projects.id = ${parseId("prj", projectId)} and owner_id = account_id
    join lateral (
      ${selectHooks(DELIVERIES, fragment`${shownReporting} as reporting,`)}
      where id = ${parseId("hook", id)} and project_id = projects.id
    ) shown on true`);
