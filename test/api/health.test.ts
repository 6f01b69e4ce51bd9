import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { toSql } from "../../server/db/driver/sql.ts";
import { sendRequest } from "../harness/request.ts";
import { useServer } from "../harness/server.ts";

let app: FastifyInstance;
let url: string;
let asked: number;
let isAway = false;
let isReadOnly = false;
const draining = new AbortController();

/** An app of its own on the server's database, whose queries are counted; those of the cycle are not among them. */
const server = useServer();
beforeAll(async () => {
  const sql = toSql((strings, ...values) => {
    asked++;
    return isAway ? Promise.reject(new Error("away")) : server.sql(strings, ...values);
  });
  const database = { ...server.deps.database, sql, isReadOnly: () => isReadOnly };
  app = await createApp({ ...server.deps, database, draining: draining.signal });
  url = await app.listen({ port: 0 });
});
afterAll(async () => {
  await app.close();
});
beforeEach(() => {
  asked = 0;
});

async function probe(): Promise<string> {
  const answer = await sendRequest(url, "/readyz");
  return `${answer.status} ${await answer.text()}`;
}

const READY = '200 {"status":"ready"}';
const READ_ONLY = '503 {"status":"read-only"}';
const UNAVAILABLE = '503 {"status":"unavailable"}';

test("a flood of /readyz queries the database at most once a second", async () => {
  const started = performance.now();
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(Array.from({ length: 30 }, probe));
    expect(new Set(answers)).toEqual(new Set([READY]));
  }
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThanOrEqual(1 + Math.floor((performance.now() - started) / 1000));
});

test.each<[string, before: string, after: string]>([
  ["goes away", READY, UNAVAILABLE],
  ["comes back", UNAVAILABLE, READY],
])("one second later, /readyz reflects a database that %s", async (_, before, after) => {
  expect(await probe()).toBe(before);
  isAway = !isAway;
  const changed = performance.now();
  while (performance.now() - changed < 1100) expect([before, after]).toContain(await probe());
  expect(await probe()).toBe(after);
});

test("with a read-only database, the process is alive but not ready", async () => {
  isReadOnly = true;
  expect(await probe()).toBe(READ_ONLY);
  expect((await sendRequest(url, "/healthz")).status).toBe(200);
  isReadOnly = false;
  expect(await probe()).toBe(READY);
});

test("while draining, the server is not ready and does not query the database", async () => {
  draining.abort();
  expect(await Promise.all([probe(), probe()])).toEqual([UNAVAILABLE, UNAVAILABLE]);
  expect(asked).toBe(0);
});
