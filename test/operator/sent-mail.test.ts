import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { startMailRelay, type MailRelay } from "../harness/mail.ts";
import { runOrThrow } from "../harness/process.ts";

let relay: MailRelay;
let database: TestDatabase;
beforeAll(async () => {
  relay = await startMailRelay();
  database = await createTestDatabase();
  await runOrThrow(["migrate"], database.env);
});
afterAll(async () => {
  await relay.close();
  await database.drop();
});

test("a command does not end before the e-mail that it leads to is sent", async () => {
  const env = { ...database.env, ...relay.env };
  await runOrThrow(["account", "add", "alice@example.com", "--plan", "free"], env);
  const url = ["--url", "https://example.com/", "--name", "Shop"];
  const project = await runOrThrow(["project", "add", "alice@example.com", ...url], env);
  await runOrThrow(["project", "share", project, "bob@example.com"], env);
  expect(relay.received.map(({ to }) => to)).toEqual([["bob@example.com"]]);
});
