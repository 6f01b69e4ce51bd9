/*
 * `npm run bench:rows [-- --checks N --accounts N --deployments N]`: a database with years of rows. What retention costs,
 * and what reads and checks cost there, as ratios to a database without them, measured in turn. Needs some 12 GB.
 */
import { createHash, randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { HOST_BOUNDS } from "../../server/bounds.ts";
import { CHECKS_A_MONTH } from "../../server/access/quota.ts";
import { createCleanUp } from "../../server/cycle/retention.ts";
import { admitChecks, finishCheck, insertCountedCheck } from "../../server/db/checks.ts";
import { Fragment } from "../../server/db/fragment.ts";
import { newId } from "../../server/db/id.ts";
import type { Database, Sql } from "../../server/db/sql.ts";
import { openDatabase } from "../../test/harness/opened-database.ts";
import { startPostgres, type PostgresServer } from "../../test/harness/postgres.ts";
import { readClusterSeconds } from "./cluster-cpu.ts";
import { measure, type Target } from "./load.ts";
import { setStage, type Stage } from "./stage.ts";
import { dueOf, insertYears, type Years } from "./years.ts";

const ROUNDS = 9;
const SLICE_SECONDS = 1;
const CHECKS_A_ROUND = 200;
const AT_ONCE = 4;
const FILL_DEADLINE_MS = 3_600_000;
const DAY_SECONDS = 86_400;
const CHECKS_A_DAY = 120_000;
const LONGEST_MS = 5000;
const MOST_OF_A_CORE = 0.01;
const CHANGE = 1.2;

const { values } = parseArgs({
  options: {
    checks: { type: "string", default: "10000000" },
    accounts: { type: "string", default: "100000" },
    deployments: { type: "string", default: "300000" },
  },
});
const years: Years = {
  checks: Number(values.checks),
  accounts: Number(values.accounts),
  deployments: Number(values.deployments),
};

const say = (line = "") => void process.stdout.write(`${line}\n`);
const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

function judge(goal: string, isMet: boolean, seen: string): void {
  say(`  ${isMet ? "met    " : "NOT MET"}  ${goal}: ${seen}`);
}

async function createDatabase(postgres: PostgresServer, name: string): Promise<string> {
  const database = await openDatabase({ DATABASE_URL: postgres.url });
  await database.sql`create database ${new Fragment([name], [])}`;
  await database.close();
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** Measures the clean-up of what became due in one day, and the vacuum that follows it. */
async function measureRetention(database: Database): Promise<void> {
  const statementMs: number[] = [];
  const timed: Sql = async (strings, ...parameters) => {
    const began = performance.now();
    const rows = await database.sql(strings, ...parameters);
    statementMs.push(performance.now() - began);
    return rows as never[];
  };
  const [start] = await database.sql<{ at: string }>`select now()::text as at`;
  const countDue = async () => {
    const [row] = await database.sql<{ due: number }>`
      select count(*)::int as due from checks, (select ${start?.at ?? ""}::text::timestamptz as at) start
      where started_at < at - interval '90 days' and kind = 'api'
        or answer is not null and started_at <= at - interval '24 hours'`;
    return row?.due ?? Number.NaN;
  };
  const due = await countDue();
  const began = {
    ms: performance.now(),
    cluster: await readClusterSeconds(database.sql),
    own: process.cpuUsage(),
  };
  await createCleanUp(timed, new AbortController().signal)();
  const seconds = (performance.now() - began.ms) / 1000;
  const own = process.cpuUsage(began.own);
  const cleaning =
    (await readClusterSeconds(database.sql)) - began.cluster + (own.user + own.system) / 1e6;
  await database.sql`vacuum (analyze) checks`;
  const vacuumed = (await readClusterSeconds(database.sql)) - began.cluster - cleaning;
  const share = ((cleaning / due) * 2 * CHECKS_A_DAY + vacuumed) / DAY_SECONDS;
  const rate = (due / 2 / seconds) * DAY_SECONDS;
  say(
    `\nretention of ${due} rows, deleted or emptied: ${seconds.toFixed(1)} s, of the processor ${cleaning.toFixed(1)} s,`,
  );
  say(
    `  and ${vacuumed.toFixed(1)} s of one vacuum (processes of Postgres and this one, from /proc)`,
  );
  const left = await countDue();
  judge("nothing is left of what was due", left === 0, `${left} rows`);
  judge(
    `keeps up with ${CHECKS_A_DAY} a day`,
    rate >= CHECKS_A_DAY,
    `${Math.round(rate)} a day at that pace`,
  );
  judge(
    "under 1 % of a core",
    share < MOST_OF_A_CORE,
    `${(share * 100).toFixed(3)} %, one vacuum a day included`,
  );
  const longest = Math.max(...statementMs);
  judge(
    `no statement over ${LONGEST_MS} ms`,
    longest <= LONGEST_MS,
    `${longest.toFixed(0)} ms, median ${median(statementMs).toFixed(1)} ms of ${statementMs.length}`,
  );
}

/**
 * Measures both in turn, so that a disturbance of the machine affects both; returns the median ratio of their times.
 */
async function compare(name: string, time: (isFull: boolean) => Promise<number>): Promise<void> {
  await time(false);
  await time(true);
  const pairs: { few: number; many: number }[] = [];
  for (let round = 0; round < ROUNDS; round++)
    pairs.push({ few: await time(false), many: await time(true) });
  const ratio = median(pairs.map(({ few, many }) => many / few));
  const [few, many] = [
    median(pairs.map((pair) => pair.few)),
    median(pairs.map((pair) => pair.many)),
  ];
  judge(
    `${name} at most ×${CHANGE}`,
    ratio <= CHANGE,
    `×${ratio.toFixed(2)} (${few.toFixed(2)} and ${many.toFixed(2)} ms)`,
  );
}

const timeOf = async (target: Target) =>
  1000 / (await measure(target, SLICE_SECONDS)).requestsPerSecond;

/**
 * Measures a check's work in the database: the slot, the admission to the host, the end. Milliseconds per check, with
 * 4 at a time.
 */
async function timeChecks({ sql }: Database): Promise<number> {
  const evidence = createHash("shake256", { outputLength: 6000 }).update(randomUUID()).digest();
  const answer = evidence.toString("base64");
  const checkOnce = async (index: number) => {
    const check = {
      id: newId("chk"),
      accountId: `acc_${randomUUID()}`,
      host: `${index}.${randomUUID()}.example`,
    };
    await sql`insert into accounts (id, email, plan) values (${check.accountId}, ${check.accountId.toLowerCase()}, 'team')`;
    const began = performance.now();
    const key = { key: check.id, requestHash: evidence.subarray(0, 32) };
    await insertCountedCheck(sql, check, key, CHECKS_A_MONTH);
    await admitChecks(sql, check.host, [check.id], HOST_BOUNDS);
    await finishCheck(sql, check.id, {
      url: "https://www.example.com/",
      score: 84,
      verdict: "ship",
      ruleset: "2026.2",
      firstByteMs: 120,
      answer,
      evidence,
      findings: {},
    });
    return performance.now() - began;
  };
  const lane = async () => {
    let ms = 0;
    for (let index = 0; index < CHECKS_A_ROUND / AT_ONCE; index++) ms += await checkOnce(index);
    return ms;
  };
  const sums = await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return sums.reduce((sum, ms) => sum + ms, 0) / CHECKS_A_ROUND;
}

async function compareStages(few: Stage, many: Stage): Promise<void> {
  say("\nreads and refusals, 64 at once, beside a database without those rows:");
  const targetsOf = (stage: Stage) => [...stage.reads, ...stage.refusals];
  for (const [index, target] of targetsOf(few).entries()) {
    const other = targetsOf(many)[index] ?? target;
    await compare(target.name, (isFull) => timeOf(isFull ? other : target));
  }
}

const postgres = await startPostgres();
try {
  say(
    `${years.checks} checks, ${years.accounts} accounts, ${years.deployments} deployments; ${dueOf(years)} due each way; load ${loadavg()[0]?.toFixed(1)}`,
  );
  const [few, many] = [
    await createDatabase(postgres, "few"),
    await createDatabase(postgres, "many"),
  ];
  const filled = await openDatabase({ DATABASE_URL: many }, FILL_DEADLINE_MS);
  const began = performance.now();
  await insertYears(filled, years);
  const [size] = await filled.sql<{
    size: string;
  }>`select pg_size_pretty(pg_database_size(current_database())) as size`;
  say(`filled in ${((performance.now() - began) / 1000).toFixed(0)} s, ${size?.size}`);
  await measureRetention(filled);
  const stages = [await setStage(few), await setStage(many, 0)] as const;
  await compareStages(...stages);
  await Promise.all(stages.map((stage) => stage.close()));
  const small = await openDatabase({ DATABASE_URL: few });
  say("\nchecks: slot, admission and end:");
  await compare("a check", (isFull) => timeChecks(isFull ? filled : small));
  await Promise.all([small.close(), filled.close()]);
  say(`load at the end ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await postgres.stop();
}
