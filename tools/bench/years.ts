import { createHash } from "node:crypto";
import type { Database, Sql } from "../../server/db/sql.ts";

/** The rows that a service has accumulated over the years. */
export interface Years {
  checks: number;
  accounts: number;
  deployments: number;
}

/**
 * How many checks become due in one day: the checks of 90 days are evenly spread, and retention is a little more than
 * a day behind.
 */
export const dueOf = ({ checks }: Years) => Math.round(checks * 0.012);

const SECONDS = 90 * 86_400;
const HOSTS = 50_000;
/** As large as the packed evidence of ordinary pages. */
const EVIDENCE_BYTES = 6000;
const ANSWER_BYTES = 9000;
/** For checks that nothing reads, so that ten million fit on a disk. */
const SMALL_BYTES = 200;

/** Incompressible bytes. */
const noise = (bytes: number) =>
  createHash("shake256", { outputLength: bytes }).update("years of rows").digest();

/** Fills an empty, migrated database. The indexes on checks are created afterwards, which takes a tenth of the time. */
export async function insertYears(database: Database, years: Years): Promise<void> {
  const { sql } = database;
  const indexes = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'checks' and indexname <> 'checks_pkey'`;
  await database.begin(async (transaction, runScript) => {
    await runScript(
      "set local session_replication_role = replica; set local maintenance_work_mem = '512MB'",
    );
    for (const { name } of indexes) await runScript(`drop index ${name}`);
    await insertRows(transaction, years);
    for (const { definition } of indexes) await runScript(definition);
  });
  await sql`vacuum (analyze)`;
}

async function insertRows(sql: Sql, years: Years): Promise<void> {
  const { accounts, checks, deployments } = years;
  const due = dueOf(years);
  await sql`
    insert into accounts (id, email, plan)
    select 'acc_y' || n, 'y' || n || '@example.org', 'pro' from generate_series(1, ${accounts}::int) n`;
  await sql`
    insert into usage (account_id, month, used)
    select 'acc_y' || n, (date_trunc('month', now() at time zone 'utc') - make_interval(months => m))::date, 33
    from generate_series(1, ${accounts}::int) n, generate_series(0, 3) m`;
  await sql`
    insert into projects (id, owner_id, name, url)
    select 'prj_y' || n, 'acc_y' || n, 'Site ' || n, 'https://example.org/' from generate_series(1, ${accounts}::int) n`;
  await sql`
    insert into tokens (id, account_id, name, fingerprint)
    select 'tok_' || id, id, 'ci', sha256(id::bytea) from accounts`;
  await sql`
    insert into memberships (project_id, account_id, accepted_at)
    select id, 'acc_y' || substr(id, 6)::int % ${accounts}::int + 1, now() from projects`;
  await sql`
    insert into watched_urls (id, project_id, url, is_address, last_outcome, last_checked_at, score, next_look_at)
    select 'url_' || id, id, url, true, 'good', now(), 90, now() + interval '1 year' from projects`;
  await sql`
    insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at)
    select 'inc_' || id, id, project_id, url, now(), '{"fr": "Statut 500.", "en": "Status 500."}', now()
    from watched_urls`;
  await sql`insert into hosts (host) select n || '.example.org' from generate_series(0, ${HOSTS - 1}::int) n`;
  // Row n is the n-th youngest. Checks younger than a day have their answer, as do those that became due since.
  await sql`
    insert into checks (id, kind, account_id, month, host, state, started_at, admitted_at, lease_until, idempotency_key,
      request_hash, score, verdict, ruleset, answer, evidence)
    select 'chk_y' || lpad(n::text, 19, '0'), 'api', 'acc_y' || n % ${accounts}::int + 1, at::date, n % ${HOSTS}::int || '.example.org',
      'done', at, at, at + interval '20 seconds', case when n <= fresh then 'key-' || n end,
      case when n <= fresh then sha256('{}') end, 84, 'ship', '2026.2', case when n <= fresh then ${noise(ANSWER_BYTES * 0.75).toString("base64")}::text end,
      case when n <= fresh or n > ${checks}::int then ${noise(EVIDENCE_BYTES)}::bytea else ${noise(SMALL_BYTES)}::bytea end
    from generate_series(${checks + due}::int, 1, -1) n,
      lateral (select now() - n * make_interval(secs => ${SECONDS / checks}::float8) as at, ${Math.round(checks / 90) + due}::int as fresh) row`;
  await sql`
    insert into checks (id, kind, project_id, host, state, started_at, lease_until, score, verdict, ruleset, evidence)
    select 'chk_d' || n, 'deployment', 'prj_y' || n % ${accounts}::int + 1, n % ${HOSTS}::int || '.example.org', 'done', at, at, 84, 'ship', '2026.2', ${noise(SMALL_BYTES)}::bytea
    from generate_series(1, ${deployments}::int) n, lateral (select now() - n * interval '5 minutes' as at) row`;
  await sql`
    insert into deployments (id, project_id, url, environment, deployed_at, check_id)
    select 'dep_y' || n, 'prj_y' || n % ${accounts}::int + 1, 'https://example.org/', 'production',
      now() - n * interval '5 minutes', 'chk_d' || n
    from generate_series(1, ${deployments}::int) n`;
}
