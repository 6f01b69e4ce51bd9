import { afterEach, describe, expect, inject, test, vi } from "vitest";
import { vacuumTables } from "../../../server/db/embedded/vacuum.ts";
import { createTestDatabase } from "../../harness/database.ts";
import { openDatabase } from "../../harness/opened-database.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";

const HOUR_MS = 3_600_000;

/** The tables of ours that were never vacuumed. */
async function listForgotten({ sql }: TestServer): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select relname as name from pg_stat_user_tables where last_vacuum is null`;
  return tables.map(({ name }) => name);
}

afterEach(() => void vi.useRealTimers());

test.runIf(inject("database") === "postgres")("a real Postgres vacuums itself", async () => {
  const server = await startTestServer();
  await server.perform("round", {});
  expect((await listForgotten(server)).length).toBeGreaterThan(5);
  await server.close();
});

describe.runIf(inject("database") === "embedded")("the embedded database is vacuumed", () => {
  test("at the end of a round, every table", async () => {
    const server = await startTestServer();
    expect((await listForgotten(server)).length).toBeGreaterThan(5);
    await server.perform("round", {});
    expect(await listForgotten(server)).toEqual([]);
    await server.close();
  });

  test("every hour while a server runs", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const server = await startTestServer();
    vi.advanceTimersByTime(HOUR_MS - 1);
    await server.sql`select`;
    expect((await listForgotten(server)).length).toBeGreaterThan(5);
    vi.advanceTimersByTime(1);
    await vi.waitFor(async () => expect(await listForgotten(server)).toEqual([]), {
      timeout: 60_000,
    });
    vi.useRealTimers();
    await server.close();
  });

  test("so a day of probes of 50 URLs leaves it as small as three hours do", async () => {
    const files = await createTestDatabase();
    const database = await openDatabase(files.env);
    const { sql } = database;
    await sql`insert into accounts (id, email, plan) values ('acc_1', 'ann@example.com', 'team')`;
    await sql`
      insert into projects (id, owner_id, name, url)
      select 'prj_' || n, 'acc_1', 'Shop', 'https://example.com/' from generate_series(1, 50) n`;
    await sql`
      insert into watched_urls (id, project_id, url, is_address)
      select 'url_' || n, 'prj_' || n, 'https://example.com/', true from generate_series(1, 50) n`;
    const look = async () => {
      await sql`update looks set claim_id = gen_random_uuid(), lease_until = now() + interval '60 seconds'`;
      await sql`update looks set claim_id = null, lease_until = null, due_at = now() + interval '5 minutes'`;
    };
    const sizes: number[] = [];
    for (let hour = 0; hour < 24; hour++) {
      for (let looks = 0; looks < 12; looks++) await look();
      await vacuumTables(sql);
      const [row] = await sql<{ bytes: number }>`
        select pg_total_relation_size('looks')::int + pg_total_relation_size('pg_statistic')::int as bytes`;
      sizes.push(row?.bytes ?? 0);
    }
    await database.close();
    await files.drop();
    expect(sizes.at(-1)).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 3)));
  });
});
