import type { Plan } from "../../base/plans.ts";
import { limitOf, THIS_MONTH } from "../accounts/usage.ts";
import { fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import type { CleanUpStep } from "../retention.ts";
import { done, firstRow } from "../driver/rows.ts";

export interface Previews {
  hosts: string[];
  headers: string[];
}

export interface SealedPreviews extends Previews {
  sealed: Buffer | null;
}

export async function findPreviews(sql: Sql, projectId: string): Promise<SealedPreviews> {
  const [project] = await sql.read<SealedPreviews>`
    select preview_hosts as hosts, preview_header_names as headers, preview_headers as sealed
    from projects where id = ${projectId}`;
  return project ?? { hosts: [], headers: [], sealed: null };
}

export const updatePreviews = (
  sql: Sql,
  projectId: string,
  { hosts, headers, sealed }: SealedPreviews,
) =>
  done(sql`
    update projects set preview_hosts = ${JSON.stringify(hosts)}::text::jsonb,
      preview_header_names = ${JSON.stringify(headers)}::text::jsonb, preview_headers = ${sealed}
    where id = ${projectId}`);

/** `used` and `limit` are the owner's for this month. */
export interface PreviewOrder extends SealedPreviews {
  used: number;
  limit: number;
  askedAt: Date;
}

export const findPreviewOrder = (
  sql: Sql,
  projectId: string,
  limits: Readonly<Record<Plan, number>>,
) =>
  firstRow(sql.read<PreviewOrder>`
    select preview_hosts as hosts, preview_header_names as headers, preview_headers as sealed,
      coalesce(used, 0) as used, ${limitOf(limits)} as limit, now() as asked_at
    from projects join accounts on accounts.id = owner_id
    left join usage on usage.account_id = accounts.id and month = ${THIS_MONTH}
    where projects.id = ${projectId}`);

/** Previous owners know the headers. */
export const forgetPreviewHeaders = (sql: Sql, projectId: string) =>
  done(sql`
    update projects set preview_headers = null, preview_header_names = '[]' where id = ${projectId}`);

const RETENTION = fragment`interval '30 days'`;
const ROWS = fragment`100`;

export const deleteOldPreviews: CleanUpStep = async (sql, cursor) => {
  const [slice] = await sql<{ next: string | null }>`
    with due as (
      select ctid, id, check_id, recorded_at from deployments
      where kind = 'preview' and recorded_at >= ${cursor || "-infinity"}::text::timestamptz
        and recorded_at <= now() - ${RETENTION}
      order by recorded_at limit ${ROWS} for update skip locked
    ), unscored as (
      delete from scores using due where deployment_id = due.id
    ), unchecked as (
      delete from checks using due where checks.id = due.check_id
    ), deleted as (
      delete from deployments where ctid = any(array(select ctid from due))
    )
    select case when count(*) = ${ROWS} then max(recorded_at)::text end as next from due`;
  return slice?.next ?? null;
};
