import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { callOf, postMcp } from "../harness/mcp.ts";
import { addAccount } from "../harness/process.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { startSlowSite, waitUntil, type SlowSite } from "../harness/slow-site.ts";

let database: TestDatabase;
let site: SlowSite;
let token: string;
let server: TestServer;

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
  server = await startTestServer({ database });
});
afterEach(() => server.stop());

const progress = { _meta: { progressToken: "p" } };

test.each<[string, object]>([
  ["as one body", {}],
  ["as an event stream", progress],
])("a call that runs during the server's shutdown ends with its result, %s", async (_, asked) => {
  site.hold();
  const before = site.requests.length;
  const call = callOf("run_check", { url: site.url });
  const body = { ...call, params: { ...call.params, ...asked } };
  const answer = postMcp(server.url, body, { token }).then((response) => response.text());
  await waitUntil("it visits", () => site.requests.length > before);
  const ended = server.stop();
  expect(server.deps.draining.aborted).toBe(true);
  site.release();
  expect(await answer).toContain('"structuredContent":{"id":"chk_');
  await ended;
});
