import type { Verdict } from "../../../shared/check.ts";
import type { CallerRow } from "../accounts/callers.ts";
import { fragment } from "../driver/fragment.ts";
import { parseId } from "../id.ts";
import { isVisible } from "../projects/projects.ts";
import type { Sql } from "../driver/sql.ts";

/** A check in the list of its account. */
export interface ReportSummary {
  id: string;
  host: string;
  /** Masked; null if the program that made the check did not keep it. */
  url: string | null;
  startedAt: Date;
  score: number;
  verdict: Verdict;
}

export interface ReportPage {
  now: Date;
  reports: readonly ReportSummary[];
  /** The last check of the page, if there are older ones. */
  last: string | undefined;
}

const PAGE_ROWS = 50;
const ONE_MORE = fragment`51`;

/**
 * The API checks of the caller's account of 90 days, newest first: a page of those older than the check `before`, or
 * the first. Undefined without a caller.
 */
export async function listReports(
  sql: Sql,
  caller: CallerRow,
  before: string | undefined,
): Promise<ReportPage | undefined> {
  const older =
    before === undefined
      ? fragment`true`
      : fragment`(checks.started_at, checks.id) < (
          select started_at, id from checks where id = ${parseId("chk", before)} and account_id = caller.account_id)`;
  const rows = await sql.read<{ [Key in keyof ReportSummary]: ReportSummary[Key] } & { now: Date }>`
    select now() as now, checks.* from ${caller} left join lateral (
      select id, host, masked_url as url, started_at, score, verdict from checks
      where account_id = caller.account_id and kind = 'api' and state = 'done'
        and started_at > now() - interval '90 days' and ${older}
      order by started_at desc, id desc limit ${ONE_MORE}
    ) checks on true`;
  const [first] = rows;
  if (first === undefined) return undefined;
  const found = rows.filter(({ id }) => id !== null);
  const reports = found.slice(0, PAGE_ROWS);
  const last = found.length > PAGE_ROWS ? reports.at(-1)?.id : undefined;
  return { now: first.now, reports, last };
}

/** What a report is made from. */
export interface StoredReport {
  id: string;
  /** Packed (`packEvidence`). */
  evidence: Buffer;
  now: Date;
}

/**
 * What was kept of a finished check, if it is an API check of the caller's own account, or was made for a project that
 * the caller may see.
 */
export async function findReport(
  sql: Sql,
  caller: CallerRow,
  id: string,
): Promise<StoredReport | undefined> {
  const [report] = await sql.read<StoredReport>`
    select checks.id, checks.evidence, now() as now
    from ${caller} join checks on checks.id = ${parseId("chk", id)} and state = 'done' and evidence is not null
    where (kind = 'api' and checks.account_id = caller.account_id)
      or exists (select from projects where projects.id = checks.project_id and ${isVisible})`;
  return report;
}
