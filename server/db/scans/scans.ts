import type { Sql, Database } from "../driver/sql.ts";
import { onlyRow, done, firstRow, isFound } from "../driver/rows.ts";
import type { ScanBounds } from "../../base/bounds.ts";
import type { Language, Text } from "../../../shared/language.ts";
import type { FinishedScan } from "../../engine/finished.ts";
import { fragment, milliseconds } from "../driver/fragment.ts";
import { newId } from "../id.ts";

interface SaltRow {
  today: Buffer;
  /** Null if no server asked for a salt yesterday. */
  yesterday: Buffer | null;
  readAt: Date;
}

/** The first server to ask on a day sets its salt to `fresh`. */
export const findSalts = (sql: Sql, fresh: Uint8Array) =>
  onlyRow(sql<SaltRow>`
    with days as (select (now() at time zone 'utc')::date as today), kept as (
      insert into salts (day, salt) select today, ${fresh} from days
      on conflict (day) do update set salt = salts.salt returning salt
    )
    select kept.salt as today, earlier.salt as yesterday, now() as read_at
    from days cross join kept left join salts earlier on earlier.day = days.today - 1`);

interface NewScan {
  id: string;
  maskedUrl: string;
  url: string;
  urlHash: Buffer;
  host: string;
  /** The visitor's hash to store, and those to search for. */
  visitor: { today: string; recent: readonly string[] };
  deleteKeyHash: Buffer;
}

/** `retrySeconds` is null if it is unknown. */
export interface StartOutcome {
  outcome:
    | "started"
    | "reused"
    | "too_soon"
    | "visitor_hour"
    | "visitor_day"
    | "host_hour"
    | "visitor_at_once"
    | "queue_full";
  foundId: string | null;
  foundUrl: string | null;
  retrySeconds: number | null;
}

/** All servers share the limits. */
export function insertScan(
  sql: Sql,
  scan: NewScan,
  isAgain: boolean,
  bounds: Readonly<ScanBounds>,
) {
  return onlyRow(sql<StartOutcome>`
    select outcome, found_id, found_url, retry_seconds
    from start_scan(${scan.id}, ${scan.maskedUrl}, ${scan.urlHash}, ${scan.url}, ${scan.host}, ${scan.visitor.today},
      string_to_array(${scan.visitor.recent.join(" ")}, ' '), ${scan.deleteKeyHash}, ${isAgain},
      ${JSON.stringify(bounds)}::text::jsonb)`);
}

export const findNewestScan = (
  sql: Sql,
  urlHash: Buffer,
  { reuseSeconds, againSeconds }: Pick<ScanBounds, "reuseSeconds" | "againSeconds">,
) =>
  firstRow(sql.read<{ id: string; url: string; againInSeconds: number }>`
    select id, url,
      ceil(extract(epoch from started_at + ${milliseconds(againSeconds * 1000)} - now()))::int as again_in_seconds
    from scans
    where url_hash = ${urlHash} and state <> 'failed' and started_at > now() - ${milliseconds(reuseSeconds * 1000)}
    order by started_at desc limit 1`);

export const findRobotsPermission = (sql: Sql, origin: string) =>
  firstRow(sql.read<{ refuses: boolean }>`
    select refuses from robots_permissions where origin = ${origin} and expires_at > now()`);

export const saveRobotsPermission = (sql: Sql, origin: string, refuses: boolean, seconds: number) =>
  done(sql`
    insert into robots_permissions (origin, refuses, expires_at)
    values (${origin}, ${refuses}, now() + make_interval(secs => ${seconds}))
    on conflict (origin) do update set refuses = excluded.refuses, expires_at = excluded.expires_at`);

export interface ClaimedScan {
  id: string;
  url: string;
  host: string;
  /** Unique to this claim; its check has the same id. */
  checkId: string;
  /** Includes the current attempt. */
  tries: number;
}

const MAX_TRIES = 2;

/** `interrupted` is the failure of a scan whose process died during its last attempt. */
export const claimScan = (sql: Sql, atOnce: number, interrupted: Text, leaseMs: number) =>
  firstRow(sql<ClaimedScan>`
    select id, exact_url as url, host, check_id, tries
    from claim_scan(${newId("chk")}, ${atOnce}::int, ${MAX_TRIES}::int, ${JSON.stringify(interrupted)}::text::jsonb,
      ${milliseconds(leaseMs)})`);

const claimOf = ({ id, checkId }: ClaimedScan) =>
  fragment`scans.id = ${id} and check_id = ${checkId} and state = 'running'`;

export const updateStep = (sql: Sql, claimed: ClaimedScan, step: string, leaseMs: number) =>
  isFound(sql`
    update scans set step = ${step}, lease_until = now() + ${milliseconds(leaseMs)}
    where ${claimOf(claimed)} returning id`);

export const insertScanCheck = (sql: Sql, claimed: ClaimedScan, leaseMs: number) =>
  isFound(sql`
    insert into checks (id, kind, host, state, lease_until)
    select check_id, 'scan', host, 'running', now() + ${milliseconds(leaseMs)} from scans
    where ${claimOf(claimed)} for key share
    returning id`);

/** Safe to repeat if the answer was lost. */
export const finishScan = (sql: Sql, { id, checkId }: ClaimedScan, { answers }: FinishedScan) =>
  isFound(sql`
    update scans set state = 'done', exact_url = null, visitor = null, step = null,
      result_fr = ${answers.fr}, result_en = ${answers.en}
    where id = ${id} and check_id = ${checkId} and state in ('running', 'done')
    returning id`);

export const failScan = (sql: Sql, claimed: ClaimedScan, failure: Text) =>
  isFound(sql`
    with unfinished as (${deleteUnfinished(claimed)})
    update scans set state = 'failed', exact_url = null, visitor = null, step = null,
      failure = ${JSON.stringify(failure)}::text::jsonb
    where ${claimOf(claimed)} returning id`);

export async function postponeScan(
  sql: Sql,
  claimed: ClaimedScan,
  failure: Text,
): Promise<"waiting" | "failed" | undefined> {
  if (claimed.tries >= MAX_TRIES)
    return (await failScan(sql, claimed, failure)) ? "failed" : undefined;
  const rows = await sql`
    with unfinished as (${deleteUnfinished(claimed)})
    update scans set state = 'waiting', step = null where ${claimOf(claimed)} returning id`;
  return rows.length === 1 ? "waiting" : undefined;
}

/** Runs when the process shuts down, so that another process can run the scan immediately. */
export const releaseScan = (sql: Sql, claimed: ClaimedScan) =>
  done(sql`
    with unfinished as (${deleteUnfinished(claimed)})
    update scans set state = 'waiting', step = null, tries = tries - 1 where ${claimOf(claimed)}`);

const deleteUnfinished = ({ checkId }: ClaimedScan) =>
  fragment`delete from checks where id = ${checkId} and state <> 'done'`;

export interface ScanProgress {
  id: string;
  url: string;
  state: "waiting" | "running" | "done" | "failed";
  startedAt: Date;
  step: string | null;
  /** From 1 on, while it waits. */
  position: number | null;
}

const progressColumns = fragment`
  id, url, state, started_at, step,
  case when state = 'waiting' then (
    select count(*)::int from scans as earlier
    where earlier.state = 'waiting' and (earlier.started_at, earlier.id) <= (scans.started_at, scans.id)
  ) end as position`;

export const findProgress = (sql: Sql, id: string) =>
  firstRow(sql.read<ScanProgress>`select ${progressColumns} from scans where id = ${id}`);

interface StoredScan extends ScanProgress {
  /** A check of the API without its quota, as JSON. */
  answer: string | null;
  /** Packed by `packEvidence`. */
  evidence: Buffer | null;
  failure: Text | null;
}

export function findStoredScan(sql: Sql, id: string, language: Language) {
  const answer = { fr: fragment`result_fr`, en: fragment`result_en` }[language];
  return firstRow(sql.read<StoredScan>`
    select ${progressColumns}, ${answer} as answer, failure,
      (select evidence from checks where checks.id = check_id) as evidence from scans where id = ${id}`);
}

export const deleteScan = ({ begin }: Pick<Database, "begin">, id: string, keyHash: Buffer) =>
  begin(async (sql) => {
    const [deleted] = await sql<{ checkId: string | null }>`
      delete from scans where id = ${id} and delete_key_hash = ${keyHash} returning check_id`;
    if (deleted === undefined) return false;
    // A second statement also sees a check that began while the first one waited for the scan's row.
    await sql`delete from checks where id = ${deleted.checkId}`;
    return true;
  });
