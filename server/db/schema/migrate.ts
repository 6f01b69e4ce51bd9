import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../base/errors.ts";
import type { Blocker, MigrationNotice, MigrationStep } from "../../base/program-errors.ts";
import { isLockedOut } from "../driver/failure.ts";
import { isFound } from "../driver/rows.ts";
import { latestOf, readSchema, requireServed, type Migration } from "./schema.ts";
import type { DatabaseAddress } from "../driver/address.ts";
import { connectDatabase, type Database, type Sql } from "../driver/sql.ts";

export interface MigrateOptions {
  warn?: (notice: MigrationNotice) => void;
}

/** Other statements queue behind one that waits for a lock, so a migration tries briefly and often. */
const BRIEFLY = "2s";
const GIVE_UP_MINUTES = 10;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5000;
const SILENT_MS = 1000;
const CONNECTION = { connections: 1, deadlineMs: 3_600_000 };

const LOCK_ID = 7_073_686;

/** The server releases the locks of a process that died, or lost its connection, within 40 s. */
const SETTINGS = `
  set local lock_timeout = '${BRIEFLY}';
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local tcp_keepalives_idle = 10;
  set local tcp_keepalives_interval = 10;
  set local tcp_keepalives_count = 3`;

const TABLE = `
  create table if not exists migrations (
    version integer primary key, serves_from integer not null, applied_at timestamptz not null default now()
  )`;

class OtherProcessMigrates extends Error {}

/**
 * Applies each pending migration in a separate transaction, under a lock that ends with it. So several servers can
 * start in parallel, even behind a pooler. Throws `schema_too_new`, `schema_unreleased`, `migration_failed`, and
 * `migration_hindered` if the locks are not free within 10 minutes.
 */
export async function migrate(
  address: DatabaseAddress,
  migrations: readonly Migration[],
  { warn = () => {} }: MigrateOptions = {},
): Promise<number[]> {
  const known = latestOf(migrations);
  const database = connectDatabase(address, CONNECTION);
  try {
    const { version: found } = await readSchema(database.sql);
    const pending = migrations.filter(({ version }) => version > found);
    const applied: number[] = [];
    if (pending.length > 0 && found === 0)
      await tryUntilFree("table", database, warn, () => makeTable(database));
    for (const migration of pending) {
      const isOurs = await tryUntilFree(migration.version, database, warn, () =>
        apply(migration, database, address),
      );
      if (isOurs) applied.push(migration.version);
    }
    const schema = await readSchema(database.sql);
    requireServed(schema, known);
    const { version } = schema;
    if (version > known) warn({ what: "newer", version, known });
    return applied;
  } finally {
    await database.close();
  }
}

async function tryUntilFree<Result>(
  step: MigrationStep,
  database: Database,
  warn: (notice: MigrationNotice) => void,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    try {
      return await attempt();
    } catch (error) {
      const hindrance = await findHindrance(error, database);
      if (hindrance === undefined) throw toMigrationFailure(step, error);
      const waitedMs = performance.now() - started;
      if (waitedMs > GIVE_UP_MINUTES * 60_000)
        throw new AppError("migration_hindered", { step, hindrance, minutes: GIVE_UP_MINUTES });
      if (waitedMs > SILENT_MS) warn({ what: "waits", step, hindrance });
    }
    await sleep(waitMs);
  }
}

function toMigrationFailure(step: MigrationStep, error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  return new AppError("migration_failed", { step, reason: error.message }, { cause: error });
}

async function findHindrance(error: unknown, { sql }: Database): Promise<Blocker | undefined> {
  if (error instanceof OtherProcessMigrates) return { by: "migration" };
  if (!isLockedOut(error)) return undefined;
  const [oldest] = await sql<{ pid: number; program: string; since: Date }>`
    select pid, application_name as program, xact_start as since from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
    order by xact_start limit 1`;
  return { by: "lock", oldest };
}

function runExclusively<Result>(
  database: Database,
  work: Parameters<typeof database.begin<Result>>[0],
): Promise<Result> {
  return database.begin(async (sql, runScript) => {
    await runScript(SETTINGS);
    const [lock] = await sql<{ isOurs: boolean }>`
      select pg_try_advisory_xact_lock(${LOCK_ID}) as is_ours`;
    if (!lock?.isOurs) throw new OtherProcessMigrates();
    return work(sql, runScript);
  });
}

const makeTable = (database: Database) =>
  runExclusively(database, (_, runScript) => runScript(TABLE));

/** Returns false if another process has applied it in the meantime. */
function apply(
  { version, servesFrom, script, isOutsideTransaction }: Migration,
  database: Database,
  address: DatabaseAddress,
): Promise<boolean> {
  return runExclusively(database, async (sql, runScript) => {
    const done = await sql`select version from migrations where version >= ${version}`;
    if (done.length > 0) return false;
    if (!isOutsideTransaction) await runScript(script);
    // The embedded database has a single session, so no other statement can be blocked.
    else if ("socketPath" in address) await runScript(script.replaceAll(/ concurrently\b/gi, ""));
    else {
      // Ends the last query's snapshot, which the statements would wait for.
      await runScript("select 1");
      await runOneByOne(script, address);
    }
    await sql`insert into migrations (version, serves_from) values (${version}, ${servesFrom})`;
    return true;
  });
}

const CREATED_INDEX = /^create (?:unique )?index concurrently if not exists (\w+)/i;

/** An interrupted attempt leaves an invalid index, which is dropped first. */
async function runOneByOne(script: string, address: DatabaseAddress): Promise<void> {
  const lockTimeoutMs = GIVE_UP_MINUTES * 60_000;
  const database = connectDatabase(address, { ...CONNECTION, lockTimeoutMs });
  const run = (text: string) => database.sql(Object.assign([text], { raw: [text] }));
  const statements = script.replaceAll(/^--.*$/gm, "").split(/;\s*$/m);
  try {
    for (const statement of statements.map((text) => text.trim()).filter(Boolean)) {
      const [, index] = CREATED_INDEX.exec(statement) ?? [];
      if (index !== undefined && (await isInvalid(database.sql, index)))
        await run(`drop index concurrently if exists ${index}`);
      await run(statement);
    }
  } finally {
    await database.close();
  }
}

async function isInvalid(sql: Sql, index: string): Promise<boolean> {
  return isFound(sql`
    select indexrelid from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`);
}
