import { connect as connectTo, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { newToken, fingerprintOf } from "../../server/access/tokens.ts";
import { callerOfToken, findCaller } from "../../server/db/accounts/callers.ts";
import { describeConnection } from "../../server/db/driver/address.ts";
import {
  connectDatabase,
  type Database,
  type DatabaseOptions,
} from "../../server/db/driver/sql.ts";
import { openEmbedded } from "../../server/db/embedded/pglite.ts";
import { createTestDatabase, useFiles } from "../harness/database.ts";
import { openDatabase } from "../harness/opened-database.ts";
import { runSql } from "../harness/postgres.ts";
import { startProxy } from "../harness/proxy.ts";
import { listen } from "../harness/site.ts";
import { use } from "../harness/use.ts";
import { columnOf, valueOf } from "../harness/rows.ts";

/** The last message of a question, without which what was run is not committed. */
const SYNC_BYTES = 5;
const UNAVAILABLE = { code: "unavailable" };
const readSettings = (sql: Database["sql"]) => sql.read<{ name: string; setting: string }>`
  select name, setting from pg_settings
  where name in ('client_connection_check_interval', 'default_transaction_isolation',
    'idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout')
  order by name`;

/** Resolves when the query or transaction that holds a lock has it; it is held until `release` is called. */
async function holdLock(database: Database): Promise<{ release(): void; held: Promise<unknown> }> {
  let release = () => {};
  let held: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    held = database.begin(async (sql) => {
      await sql`select from things where id = 1 for update`;
      resolve();
      await new Promise<void>((open) => {
        release = open;
      });
    });
    held.catch(reject);
  });
  return { release, held };
}

const FAIL = `
  create or replace function fail(code text) returns void language plpgsql as $$
  begin raise exception 'no room' using errcode = code; end $$`;

const writeLocked = (database: Database) =>
  database.sql`update things set name = 'written' where id = 1`;

const writeThrough = (sql: Database["sql"]) => sql`update things set name = 'cut' where id = 2`;

const read = (database: Database) => database.sql.read`select name from things where id = 2`;

describe.runIf(inject("database") === "embedded")("the embedded database", () => {
  test("sets no time limits of a server", async () => {
    const files = await createTestDatabase();
    const database = await openDatabase(files.env);
    const settings = await readSettings(database.sql);
    await database.close();
    await files.drop();
    expect(settings.map(({ setting }) => setting)).toEqual(["0", "read committed", "0", "0", "0"]);
  });

  test.each<[string, (database: Database) => Promise<unknown>]>([
    ["statement", ({ sql }) => sql`select from pg_sleep(3)`],
    ["transaction", (database) => database.begin((sql) => sql`select from pg_sleep(3)`)],
  ])("answers again after a %s past its deadline", async (_, run) => {
    const files = await createTestDatabase();
    const database = await openDatabase(files.env, 2000);
    const ask = () => database.sql`select 1 as one`;
    await ask();
    await expect(run(database)).rejects.toMatchObject(UNAVAILABLE);
    await expect.poll(() => ask().catch(() => []), { timeout: 60_000 }).toHaveLength(1);
    await database.close();
    await files.drop();
  });

  test("admits the next connection immediately after one that was cut off in a transaction", async () => {
    const files = await createTestDatabase();
    const database = await openEmbedded(files.env["SHIPSCORE_DATA_DIR"] ?? "");
    for (let index = 0; index < 30; index++) {
      const client = new Client(describeConnection(database));
      client.on("error", () => {});
      await client.connect();
      const begun = client.query("begin").catch(() => {});
      if (index % 2 === 0) await begun;
      client.connection.stream.destroy();
    }
    await database.close();
    await files.drop();
  });
});

describe.runIf(inject("database") === "postgres")("over a real Postgres", () => {
  const opened: Database[] = [];

  const files = useFiles();
  const proxy = use(() => startProxy(files.url));

  function open(options: Partial<DatabaseOptions> = {}, at = files.url): Database {
    const database = connectDatabase({ url: at }, { connections: 2, ...options });
    opened.push(database);
    return database;
  }

  beforeAll(async () => {
    await runSql(
      files.url,
      "create table things (id integer primary key, name text); insert into things values (1, 'a'), (2, 'b')",
    );
  });
  afterEach(async () => {
    proxy.thaw();
    proxy.cutAll();
    await Promise.all(opened.splice(0).map((database) => database.close()));
  });

  test("every connection has the server's time limits from its first query on", async () => {
    const database = open({ connections: 8 });
    const settings = await Promise.all([
      ...Array.from({ length: 4 }, () => database.begin(readSettings)),
      ...Array.from({ length: 8 }, () => readSettings(database.sql)),
    ]);
    const connections = await database.sql`
      select pid from pg_stat_activity where datname = current_database() and application_name = 'shipscore'`;
    expect(connections.length).toBeGreaterThan(4);
    for (const each of settings)
      expect(each.map(({ setting }) => setting)).toEqual([
        "1000",
        "read committed",
        "5000",
        "2000",
        "5000",
      ]);
  });

  test("a connection string's own settings take precedence, and longer deadlines give longer limits", async () => {
    const own = open({}, `${files.url}?options=-c%20statement_timeout%3D777`);
    const slow = open({ deadlineMs: 120_000, lockTimeoutMs: 5000 });
    const of = async (database: Database) =>
      (await readSettings(database.sql)).map(({ setting }) => setting).slice(2);
    expect(await of(own)).toEqual(["5000", "2000", "777"]);
    expect(await of(slow)).toEqual(["240000", "5000", "240000"]);
  });

  test("reads continue while all writers wait for one lock", async () => {
    const database = open({ connections: 4 });
    const other = open();
    const lock = await holdLock(other);
    const writes = Promise.allSettled(Array.from({ length: 6 }, () => writeLocked(database)));
    for (let i = 0; i < 50; i++) expect(await read(database)).toEqual([{ name: "b" }]);
    lock.release();
    await lock.held;
    expect((await writes).map(({ status }) => status)).toEqual(Array(6).fill("fulfilled"));
  });

  test("an authenticated read does not wait for the write to its token, once each minute", async () => {
    const database = open();
    const token = newToken();
    const fingerprint = fingerprintOf(token);
    await database.sql`insert into accounts (id, email, plan) values ('acc_lock', 'lock@example.com', 'free')`;
    await database.sql`
      insert into tokens (id, account_id, name, fingerprint) values ('tok_lock', 'acc_lock', 't', ${fingerprint})`;
    const usedAt = () => columnOf<Date | null>(database.sql`select last_used_at from tokens`);
    await open().begin(async (sql) => {
      await sql`select from tokens where id = 'tok_lock' for update`;
      for (let i = 0; i < 8; i++)
        expect(await findCaller(database.sql, callerOfToken(fingerprint))).toEqual({
          accountId: "acc_lock",
          plan: "free",
        });
    });
    expect(await usedAt()).toEqual([null]);
    expect(await findCaller(database.sql, callerOfToken(fingerprint))).toEqual({
      accountId: "acc_lock",
      plan: "free",
    });
    expect(await usedAt()).toEqual([expect.any(Date)]);
  });

  test("a wait for a lock ends with the server's message, and its connection stays in use", async () => {
    const words: string[] = [];
    const database = open({ onTrouble: (word) => words.push(word) });
    const lock = await holdLock(open({ deadlineMs: 20_000 }));
    await expect(writeLocked(database)).rejects.toMatchObject(UNAVAILABLE);
    expect(words).toEqual([
      expect.stringMatching(/^55P03 canceling statement due to lock timeout/),
    ]);
    lock.release();
    await lock.held;
    await writeLocked(database);
    expect(words).toHaveLength(1);
  });

  test("after a partition its row locks are free within 6 s, and no read of another server fails", async () => {
    const words: string[] = [];
    const cutOff = open({ onTrouble: (word) => words.push(word) }, proxy.url);
    const other = open({ connections: 4 });
    const lock = await holdLock(cutOff);
    proxy.freeze();
    const frozenAt = performance.now();
    let isFree = false;
    const reads = (async () => {
      while (!isFree) {
        expect(await read(other)).toEqual([{ name: "b" }]);
        await sleep(10);
      }
    })();
    let tries = 0;
    while (!isFree) {
      tries++;
      isFree = await writeLocked(other).then(
        () => true,
        (error: { code: string }) => {
          expect(error.code).toBe("unavailable");
          return false;
        },
      );
    }
    expect(performance.now() - frozenAt).toBeLessThan(6000);
    expect(tries).toBeGreaterThan(1);
    await reads;
    await expect(lock.held).rejects.toMatchObject(UNAVAILABLE);
    lock.release();
    proxy.thaw();
    await expect.poll(() => read(cutOff).catch(() => []), { timeout: 60_000 }).toHaveLength(1);
    await writeLocked(cutOff);
  });

  test("a statement whose query message is cut off holds no row locks", async () => {
    const { hostname, port } = new URL(files.url);
    const sockets: Socket[] = [];
    const cutting = createServer((client) => {
      const upstream = connectTo({ host: hostname, port: Number(port) });
      sockets.push(client, upstream);
      client.on("data", (question) => {
        const isLast = question.includes("update things");
        upstream.write(isLast ? question.subarray(0, -SYNC_BYTES) : question);
        if (isLast) upstream.unpipe(client).resume();
      });
      upstream.pipe(client);
    });
    const at = new URL(files.url);
    at.port = String(await listen(cutting));
    const writing = writeLocked(open({ deadlineMs: 500 }, at.href));
    await expect(writing).rejects.toMatchObject(UNAVAILABLE);
    await writeLocked(open());
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => cutting.close(resolve));
  });

  test("a query past its deadline closes its connection, and the next one uses another", async () => {
    const words: string[] = [];
    const database = open(
      { connections: 1, deadlineMs: 1000, onTrouble: (word) => words.push(word) },
      proxy.url,
    );
    await read(database);
    const before = proxy.accepted();
    const lost = proxy.lose("server", "from things where id = 2");
    await expect(read(database)).rejects.toMatchObject(UNAVAILABLE);
    await lost;
    expect(words).toEqual(["no answer within 1000 ms"]);
    expect(await read(database)).toHaveLength(1);
    expect(proxy.accepted()).toBe(before + 1);
  });

  test("after one query without an answer, the next uses no connection that was idle then", async () => {
    const database = open({ connections: 8, deadlineMs: 1000 }, proxy.url);
    await Promise.all(Array.from({ length: 4 }, () => database.sql.read`select pg_sleep(0.2)`));
    proxy.freeze();
    await expect(read(database)).rejects.toMatchObject(UNAVAILABLE);
    proxy.thaw();
    expect(await read(database)).toEqual([{ name: "b" }]);
  });

  const isCutByProxy = async () => {
    proxy.cutAll();
    await sleep(50);
  };
  test.each<[string, (sql: Database["sql"]) => Promise<unknown>]>([
    ["a cut between two statements", isCutByProxy],
    [
      "a server that falls silent",
      async (sql) => {
        void proxy.lose("server", "as silent");
        await sql`select 1 as silent`;
      },
    ],
    ["a server that ends the session", (sql) => sql`select pg_terminate_backend(pg_backend_pid())`],
    [
      "a statement's time limit",
      async (sql) => {
        await sql`set local statement_timeout = 50`;
        await sql`select pg_sleep(1)`;
      },
    ],
  ])("after %s neither commit nor rollback is sent, and the process survives", async (_, fail) => {
    const database = open({ connections: 1, deadlineMs: 1000 }, proxy.url);
    const recorded = proxy.recordNext();
    const work = database.begin(async (sql) => {
      await writeThrough(sql);
      await fail(sql).catch(() => {});
      await writeThrough(sql);
    });
    await expect(work).rejects.toMatchObject(UNAVAILABLE);
    const sent = Buffer.concat(recorded.client).toString("latin1");
    expect(sent).toContain("begin");
    expect(sent).not.toMatch(/commit\0|rollback\0/);
    expect(await read(database)).toEqual([{ name: "b" }]);
  });

  test("after a refusal no connection is tried for 200 ms", async () => {
    const database = open({ connections: 8 }, proxy.url);
    proxy.cut();
    await expect(read(database)).rejects.toMatchObject(UNAVAILABLE);
    const before = proxy.accepted();
    const queries = [...Array.from({ length: 20 }, () => read(database)), writeLocked(database)];
    for (const { status } of await Promise.allSettled(queries)) expect(status).toBe("rejected");
    expect(proxy.accepted()).toBe(before);
    await sleep(250);
    proxy.restore();
    expect(await read(database)).toHaveLength(1);
    expect(proxy.accepted()).toBe(before + 1);
  });

  test("if the server allows no more connections, a query waits for an existing one", async () => {
    await runSql(
      files.url,
      "create role limited login connection limit 1; grant all on things to limited",
    );
    const at = new URL(files.url);
    at.username = "limited";
    const database = open({ connections: 8 }, at.href);
    const readSlowly = () => database.sql.read`select pg_sleep(0.1)`;
    await readSlowly();
    await Promise.all(Array.from({ length: 12 }, readSlowly));
    const started = performance.now();
    await expect(writeLocked(database)).rejects.toMatchObject(UNAVAILABLE);
    expect(performance.now() - started).toBeLessThan(1000);
    await database.close();
    await runSql(files.url, "drop owned by limited; drop role limited");
  });

  test("too many waiting writes are rejected immediately, but reads are not", async () => {
    const database = open({ maxWaiting: 10, connections: 2 });
    const lock = await holdLock(open());
    await read(database);
    const writes = Array.from({ length: 11 }, () => writeLocked(database));
    await expect(writeLocked(database)).rejects.toMatchObject({
      cause: { message: "10 queries wait already" },
    });
    expect(await read(database)).toHaveLength(1);
    lock.release();
    await Promise.all([...writes, lock.held]);
  });

  test("of two deadlocked transactions, the aborted one runs again", async () => {
    const database = open({ connections: 4, deadlineMs: 20_000, lockTimeoutMs: 20_000 });
    const runs = [0, 0];
    let arrived = 0;
    let go = () => {};
    const bothHaveOne = new Promise<void>((resolve) => {
      go = resolve;
    });
    const cross = (first: number, second: number, who: number) =>
      database.begin(async (sql) => {
        runs[who] = (runs[who] ?? 0) + 1;
        await sql`update things set name = name || 'x' where id = ${first}`;
        if (++arrived >= 2) go();
        await bothHaveOne;
        await sql`update things set name = name || 'x' where id = ${second}`;
      });
    await database.sql`update things set name = ''`;
    await Promise.all([cross(1, 2, 0), cross(2, 1, 1)]);
    expect(runs.toSorted((one, other) => one - other)).toEqual([1, 2]);
    expect(await database.sql`select name from things`).toEqual([{ name: "xx" }, { name: "xx" }]);
    await database.sql`update things set name = 'b' where id = 2`;
  });

  test.each([
    ["a database that is not there", (at: URL) => (at.pathname = "/nowhere"), /3D000/],
    ["a user who is not there", (at: URL) => (at.username = "nobody"), /28000/],
    ["a server that refuses", (at: URL) => (at.port = "9"), /ECONNREFUSED/],
  ])("%s is unavailable, and the log says why", async (_, change, why) => {
    const words: string[] = [];
    const at = new URL(files.url);
    change(at);
    const database = open({ onTrouble: (word) => words.push(word) }, at.href);
    await expect(read(database)).rejects.toMatchObject(UNAVAILABLE);
    await expect(database.begin(readSettings)).rejects.toMatchObject(UNAVAILABLE);
    expect(words.join()).toMatch(why);
  });

  test("a server that has become a standby writes nothing, and reports it", async () => {
    const words: string[] = [];
    const database = open(
      { onTrouble: (word) => words.push(word) },
      `${files.url}?options=-c%20default_transaction_read_only%3Don`,
    );
    await expect(writeLocked(database)).rejects.toMatchObject(UNAVAILABLE);
    expect(words).toEqual([expect.stringMatching(/^25006 cannot execute UPDATE/)]);
    expect(await read(database)).toHaveLength(1);
  });

  test.each(["53100", "25006", "58030"])(
    "a refusal to write (%s) is logged once, and again after a successful write",
    async (code) => {
      const words: string[] = [];
      const database = open({ onTrouble: (word) => words.push(word) });
      const fail = (sql = database.sql) => sql`select fail(${code})`;
      const write = (sql: Database["sql"]) => sql`update things set name = name where id = 2`;
      await database.begin((_, runScript) => runScript(FAIL));
      expect(database.isReadOnly()).toBe(false);
      for (let time = 0; time < 3; time++) await expect(fail()).rejects.toMatchObject(UNAVAILABLE);
      await expect(database.begin((sql) => fail(sql))).rejects.toMatchObject(UNAVAILABLE);
      expect(database.isReadOnly()).toBe(true);

      await read(database);
      await database.sql`select name from things where id = 2 for update`;
      await database.sql`update things set name = 'x' where id = 999`;
      await expect(
        database.begin(async (sql) => {
          await write(sql);
          throw new Error("rolled back");
        }),
      ).rejects.toThrow("rolled back");
      expect(database.isReadOnly()).toBe(true);
      await write(database.sql);
      expect(database.isReadOnly()).toBe(false);

      await expect(fail()).rejects.toMatchObject(UNAVAILABLE);
      expect(database.isReadOnly()).toBe(true);
      const word = expect.stringMatching(`^${code} no room: free or repair`);
      expect(words).toEqual([word, word]);
    },
  );

  test("a failed statement whose error was ignored never commits silently", async () => {
    const database = open();
    const work = database.begin(async (sql) => {
      await sql`insert into things values (3, 'c')`;
      await sql`insert into things values (1, 'twice')`.catch(() => {});
    });
    await expect(work).rejects.toThrow("rolled back");
    expect(await database.sql`select from things where id = 3`).toEqual([]);
  });

  test("waiting and later queries are rejected when it is closed", async () => {
    const lock = await holdLock(open());
    const database = open();
    const writes = Array.from({ length: 3 }, () => writeLocked(database));
    const refused = Promise.allSettled(writes);
    await read(database);
    await database.close();
    for (const outcome of await refused)
      expect(outcome).toMatchObject({ status: "rejected", reason: UNAVAILABLE });
    await expect(read(database)).rejects.toMatchObject(UNAVAILABLE);
    lock.release();
    await lock.held;
  });

  test("a result that cannot be parsed is an error of the query, and its connection stays in use", async () => {
    const database = open({ connections: 1 });
    const pid = () => valueOf<number>(database.sql`select pg_backend_pid()`);
    const before = await pid();
    const unparsable = database.sql`select '{"$times": "at"}'::json`;
    await expect(unparsable).rejects.toBeInstanceOf(TypeError);
    expect(await pid()).toBe(before);
  });

  test("a transaction's second run gets no statement of its first", async () => {
    const database = open();
    let runs = 0;
    let late: Promise<unknown> = Promise.resolve();
    await database.begin(async (sql) => {
      if (++runs === 1) {
        late = sleep(200).then(() => sql`insert into things values (5, 'e')`);
        late.catch(() => {});
        await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`;
      }
      await sql`select pg_sleep(0.5)`;
    });
    await expect(late).rejects.toThrow("over");
    expect(await database.sql`select from things where id = 5`).toEqual([]);
  });

  test("a transaction's query function is rejected after its end", async () => {
    const database = open();
    const left = await database.begin(async (sql) => ({ sql }));
    await expect(left.sql`insert into things values (4, 'd')`).rejects.toThrow("over");
  });

  test.each<[string, string, string, string[], unknown[], ofRole?: string]>([
    [
      "a pooler that refuses settings is reached without them, and the log says so",
      "statement_timeout",
      "08P01\0Munsupported startup parameter in options: statement_timeout",
      ["0", "read committed", "0", "0", "0"],
      [expect.stringContaining("timeouts are to be set on the role")],
    ],
    [
      "a Postgres before 17 is reached with the settings that it knows",
      "transaction_timeout",
      '42704\0Munrecognized configuration parameter "transaction_timeout"',
      ["1000", "read committed", "5000", "2000", "5000"],
      [],
    ],
    [
      "a pooler that refuses settings which the role has is reached without a word",
      "statement_timeout",
      "08P01\0Munsupported startup parameter: options",
      ["0", "read committed", "0", "0", "7000"],
      [],
      "statement_timeout = '7s'",
    ],
  ])("%s", async (_, setting, refusal, left, log, ofRole) => {
    const role = `alter role postgres in database ${new URL(files.url).pathname.slice(1)}`;
    if (ofRole) await runSql(files.url, `${role} set ${ofRole}`);
    const { hostname, port } = new URL(files.url);
    const pooler = createServer((client) => {
      client.once("data", (startUp) => {
        if (startUp.includes(setting)) {
          const fields = `SFATAL\0C${refusal}\0\0`;
          const head = Buffer.from("E\0\0\0\0");
          head.writeInt32BE(4 + fields.length, 1);
          client.end(Buffer.concat([head, Buffer.from(fields)]));
          return;
        }
        client.unshift(startUp);
        const upstream = connectTo({ host: hostname, port: Number(port) });
        client.pipe(upstream).pipe(client);
      });
    });
    const at = new URL(files.url);
    at.port = String(await listen(pooler));
    const words: string[] = [];
    const database = open({ onTrouble: (word) => words.push(word) }, at.href);
    const settings = await readSettings(database.sql);
    await writeLocked(database);
    await database.close();
    await new Promise((resolve) => pooler.close(resolve));
    expect(settings.map((each) => each.setting)).toEqual(left);
    expect(words).toEqual(log);
    if (ofRole) await runSql(files.url, `${role} reset all`);
  });

  test("twelve servers and a command fit in a Postgres with 100 connections", async () => {
    const servers = Array.from({ length: 12 }, () => open({ connections: 8, deadlineMs: 20_000 }));
    const strain = (database: Database) =>
      Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          index % 2 ? read(database) : writeLocked(database),
        ),
      );
    await Promise.all(servers.map(strain));
    await strain(open({ connections: 1, deadlineMs: 20_000 }));
    const counter = open({ connections: 1 });
    const count = () =>
      valueOf<number>(counter.sql`
      select count(*)::int as count from pg_stat_activity where datname = current_database()`);
    await expect.poll(count, { timeout: 60_000 }).toBeLessThanOrEqual(12 * 8 + 2);
  });
});
