import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { loadOperations } from "../../../server/operator/commands.ts";
import { readConfig } from "../../../server/config.ts";
import type { RoundEntry } from "../../../server/watching/round.ts";
import { migrate } from "../../../server/db/schema/migrate.ts";
import { readMigrations } from "../../../server/db/schema/schema.ts";
import { connectDatabase, type Database } from "../../../server/db/driver/sql.ts";
import { createDeps, type Deps } from "../../../server/deps.ts";
import { useFiles } from "../../harness/database.ts";
import { runSql } from "../../harness/postgres.ts";
import { startProxy, type Side } from "../../harness/proxy.ts";
import { use } from "../../harness/use.ts";

const performOperation = await loadOperations();

/** Nothing listens there, so that a visit fails at once. */
const NOBODY = "https://127.0.0.1:9/";
const ACCOUNT = "acc_cut";
const PROJECT = "prj_01234567890123456789";
const SECOND_URL = "https://127.0.0.1:9/second";

/** The offsets at which the messages of a side end; the client's first has no letter before its length. */
function listEnds(side: Side, bytes: Buffer): number[] {
  const ends = [side === "client" ? bytes.readInt32BE(0) : 0];
  for (let end = ends[0] ?? 0; end < bytes.length; ends.push(end))
    end += 1 + bytes.readInt32BE(end + 1);
  return ends.filter((end) => end > 0);
}

/** Where the server says that it is ready for the next, and of a transaction that it is in one. */
const listStatementEnds = (bytes: Buffer) =>
  listEnds("server", bytes).filter((end) => bytes[end - 6] === "Z".codePointAt(0));
const isInTransaction = (bytes: Buffer, end: number) => bytes[end - 1] === "T".codePointAt(0);

describe.runIf(inject("database") === "postgres")("a connection is closed", () => {
  let deps: Deps;

  const files = useFiles();
  const direct = use(() => connectDatabase({ url: files.url }, { connections: 1 }));
  const proxy = use(() => startProxy(files.url));
  beforeAll(async () => {
    deps = createDeps({
      config: readConfig({
        SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8",
        SHIPSCORE_LOG_LEVEL: "silent",
      }),
      address: { url: proxy.url },
      writeLog: () => undefined,
      draining: new AbortController().signal,
      stopping: new AbortController().signal,
    });
    await direct.sql`insert into accounts (id, email, plan) values (${ACCOUNT}, 'cut@example.com', 'team')`;
    await direct.sql`insert into projects (id, owner_id, name, url) values (${PROJECT}, ${ACCOUNT}, 'Cut', ${NOBODY})`;
    await direct.sql`
      insert into watched_urls (id, project_id, url, is_address) values ('url_cut', ${PROJECT}, ${NOBODY}, true)`;
  });
  afterAll(async () => {
    await deps.threads.close();
    await deps.database.close();
  });

  /** Runs `work` over one new connection, whose end finds its way into the answer: undefined, or the error's code. */
  async function runOver(work: (database: Database) => Promise<unknown>): Promise<unknown> {
    const database = connectDatabase({ url: proxy.url }, { connections: 1 });
    try {
      return await work(database).then(
        () => undefined,
        (error: { code?: unknown }) => error.code ?? error,
      );
    } finally {
      await database.close();
    }
  }

  const operate = (name: string, input: object) => (database: Database) =>
    performOperation({ ...deps, database }, name, input);

  async function record(work: (database: Database) => Promise<unknown>) {
    const recorded = proxy.recordNext();
    expect(await runOver(work)).toBeUndefined();
    const bytesOf = (side: Side) => Buffer.concat(recorded[side]);
    return { client: bytesOf("client"), server: bytesOf("server") };
  }

  const countTokens = async () => {
    const [row] = await direct.sql<{ count: number }>`select count(*)::int as count from tokens`;
    await direct.sql`delete from tokens`;
    return row?.count;
  };

  test("at each relevant byte of a new token: it exists or not, and the next one is created", async () => {
    const work = operate("token add", { email: "cut@example.com", name: "t" });
    const { client, server } = await record(work);
    expect(await countTokens()).toBe(1);
    const committed = server.lastIndexOf("COMMIT\0") - 5;
    const asked = client.lastIndexOf("commit\0") + "commit\0".length;

    for (const end of listEnds("server", server)) {
      for (const bytes of [end - 2, end]) {
        proxy.cutNext("server", bytes);
        const isAnswered = bytes >= committed + "?....COMMIT\0?....I".length;
        expect([bytes, await runOver(work)]).toEqual([
          bytes,
          isAnswered ? undefined : "unavailable",
        ]);
        expect([bytes, await countTokens()]).toEqual([bytes, bytes > committed ? 1 : 0]);
      }
    }
    for (const end of listEnds("client", client).filter((each) => each < asked)) {
      for (const bytes of [end, end + 3]) {
        proxy.cutNext("client", bytes);
        expect([bytes, await runOver(work)]).toEqual([bytes, "unavailable"]);
        expect([bytes, await countTokens()]).toEqual([bytes, 0]);
      }
    }
    expect(await runOver(work)).toBeUndefined();
    expect(await countTokens()).toBe(1);
  });

  /** Cuts after each statement inside the transactions of `work`, which is done again once nothing is cut. */
  async function cutTransactions(
    work: (database: Database) => Promise<unknown>,
    prepare: () => Promise<unknown>,
    expectTruth: (outcome: unknown) => Promise<void>,
  ): Promise<void> {
    // The first time may do more than the others.
    await prepare();
    await runOver(work);
    await prepare();
    const { server } = await record(work);
    const ends = listStatementEnds(server).filter((end) => isInTransaction(server, end));
    expect(ends.length).toBeGreaterThan(3);
    for (const bytes of ends) {
      await prepare();
      proxy.cutNext("server", bytes);
      await expectTruth(await runOver(work));
    }
    await prepare();
    expect(await runOver(work)).toBeUndefined();
  }

  test("after each statement that ends a watch: the URL is watched as before", () =>
    cutTransactions(
      operate("project unwatch", { id: PROJECT, url: SECOND_URL }),
      () =>
        direct.sql`
          insert into watched_urls (id, project_id, url) values ('url_second', ${PROJECT}, ${SECOND_URL})
          on conflict do nothing`,
      async (outcome) => {
        expect(outcome).toBe("unavailable");
        expect(await direct.sql`select from watched_urls where id = 'url_second'`).toHaveLength(1);
      },
    ));

  test("after each statement that ends a probe or a deployment: the reported result is true", () => {
    let said: string | undefined;
    const runRound = async (database: Database) => {
      const entries = (await operate("round", {})(database)) as RoundEntry[];
      said = entries.find(({ kind }) => kind === "deployment")?.outcome;
    };
    return cutTransactions(
      runRound,
      async () => {
        said = undefined;
        await direct.sql`
          update looks set claim_id = null, lease_until = null, looked_at = null, last_outcome = null, streak = 0,
            failing_since = null, hour = null, looks = 0, failed = 0`;
        await direct.sql`delete from deployments`;
        await direct.sql`
          insert into deployments (id, project_id, url, environment)
          values ('dep_cut', ${PROJECT}, ${NOBODY}, 'production')`;
      },
      async (code) => {
        const states = await direct.sql<{ state: string }>`
          select state from deployments join checks on checks.id = check_id`;
        expect([code, said]).toEqual(
          code ? ["unavailable", undefined] : [undefined, expect.any(String)],
        );
        expect(states).toEqual(said === undefined || said === "queued" ? [] : [{ state: "done" }]);
      },
    );
  });

  test("inside a migration's transactions: applied steps are complete, and the next run continues there", async () => {
    const empty = "drop schema public cascade; create schema public";
    const { url } = files;
    const migrations = await readMigrations();
    migrations.push({
      version: (migrations.at(-1)?.version ?? 0) + 1,
      script: "create table pages (id integer primary key)",
      servesFrom: 1,
      isOutsideTransaction: false,
    });
    const recorded = proxy.recordNext();
    await runSql(url, empty);
    const all = await migrate({ url: proxy.url }, migrations);
    const server = Buffer.concat(recorded.server);
    const ends = listStatementEnds(server).filter((end) => isInTransaction(server, end));
    expect(ends.length).toBeGreaterThan(3 * migrations.length);
    for (const bytes of ends) {
      await runSql(url, empty);
      proxy.cutNext("server", bytes);
      await expect(migrate({ url: proxy.url }, migrations)).rejects.toMatchObject({
        code: "unavailable",
      });
      const rest = await migrate({ url }, migrations);
      expect([bytes, rest]).toEqual([bytes, all.slice(all.length - rest.length)]);
      expect(rest.length).toBeGreaterThan(0);
    }
  });
});
