import type { Verdict } from "../../../shared/check.ts";
import type { CallerRow } from "../accounts/callers.ts";
import { USED_THIS_MONTH } from "../accounts/usage.ts";
import { fragment } from "../driver/fragment.ts";
import { parseId } from "../id.ts";
import { selectPart, type ListChoice, type ListPart, type ListSource } from "../paged-lists.ts";
import { isVisible } from "../projects/projects.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow } from "../driver/rows.ts";

export interface CheckRow {
  id: string;
  /** Masked; only the host if the program that made the check did not store the URL. */
  url: string;
  startedAt: Date;
  score: number;
  verdict: Verdict;
}

export interface CheckList {
  used: number;
  part: ListPart<CheckRow>;
}

const SOURCE: ListSource = {
  select: fragment`
    select id, coalesce(masked_url, host) as url, started_at as "startedAt", score, verdict from checks
    where account_id = caller.account_id and kind = 'api' and state = 'done'
      and started_at > now() - interval '90 days'`,
  text: fragment`url`,
  orders: { score: fragment`score`, address: fragment`url`, at: fragment`"startedAt"` },
  tie: fragment`"startedAt" desc, id desc`,
  times: "startedAt",
};

export const listChecks = (sql: Sql, caller: CallerRow, choice: ListChoice) =>
  firstRow(sql.read<CheckList>`
    select ${USED_THIS_MONTH} as used, ${selectPart(SOURCE, choice)} as part from ${caller}`);

/** `failed`: the check was interrupted, and does not count. */
export interface CheckProgress {
  id: string;
  host: string;
  /** Masked; null if no client followed the check while it ran. */
  url: string | null;
  state: "running" | "done" | "failed";
  step: string;
}

export interface StoredCheck extends CheckProgress {
  /** Packed by `packEvidence`. */
  evidence: Buffer | null;
  now: Date;
  /** The account's previous check of the same URL, if there is one. */
  previousId: string | null;
}

const progressColumns = fragment`checks.id, host, masked_url as url,
  coalesce(step, 'vetting') as step,
  case when checks.state = 'done' then 'done' when checks.state = 'running' and lease_until > now() then 'running' else 'failed' end as state`;

const isReadable = fragment`((kind = 'api' and checks.account_id = caller.account_id)
    or exists (select from projects where projects.id = checks.project_id and ${isVisible}))`;

const fromCheck = (caller: CallerRow, id: string) => fragment`
  from ${caller} join checks on checks.id = ${parseId("chk", id)} and (checks.state <> 'done' or evidence is not null)
  where ${isReadable}`;

export const findCheckProgress = (sql: Sql, caller: CallerRow, id: string) =>
  firstRow(sql.read<CheckProgress>`select ${progressColumns} ${fromCheck(caller, id)}`);

export const findStoredCheck = (sql: Sql, caller: CallerRow, id: string) =>
  firstRow(sql.read<StoredCheck>`
    select ${progressColumns}, evidence, now() as now, (
        select id from checks earlier
        where checks.kind = 'api' and earlier.kind = 'api' and earlier.account_id = checks.account_id
          and earlier.masked_url = checks.masked_url and earlier.evidence is not null
          and (earlier.started_at, earlier.id) < (checks.started_at, checks.id)
        order by earlier.started_at desc, earlier.id desc limit 1
      ) as previous_id ${fromCheck(caller, id)}`);

export const findReports = (sql: Sql, caller: CallerRow, ids: readonly [string, string]) =>
  sql.read<Pick<StoredCheck, "id" | "evidence">>`
    select checks.id, checks.evidence
    from ${caller} join checks on checks.id in (${parseId("chk", ids[0])}, ${parseId("chk", ids[1])})
      and checks.state = 'done' and evidence is not null
    where ${isReadable}`;
