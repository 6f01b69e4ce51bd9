import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { callOf, postMcp } from "../harness/mcp.ts";
import { addAccount, startServerProcess, type ServerProcess } from "../harness/process.ts";
import { startSlowSite, waitUntil, type SlowSite } from "../harness/slow-site.ts";

let database: TestDatabase;
let site: SlowSite;
let token: string;
let server: ServerProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  site = await startSlowSite();
  token = await addAccount(database.env, "sam@example.com", "team");
});
afterAll(async () => {
  await site.close();
  await database.drop();
});
beforeEach(async () => {
  server = await startServerProcess(database.env);
});
afterEach(() => server.end("SIGKILL"));

const progress = { _meta: { progressToken: "p" } };

test.each<[string, object]>([
  ["as one body", {}],
  ["as an event stream", progress],
])("a call that runs when the server shuts down ends with its result, %s", async (_, asked) => {
  site.hold();
  const before = site.requests.length;
  const call = callOf("run_check", { url: site.url });
  const body = { ...call, params: { ...call.params, ...asked } };
  const answer = postMcp(server.url, body, { token }).then((response) => response.text());
  await waitUntil("it visits", () => site.requests.length > before);
  const ended = server.end("SIGTERM");
  await waitUntil("it drains", () => server.stdout().includes("draining"));
  site.release();
  expect(await answer).toContain('"structuredContent":{"id":"chk_');
  expect(await ended).toBe(0);
});
