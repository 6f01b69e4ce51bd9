import { beforeAll, expect, test } from "vitest";
import { useFiles } from "../harness/database.ts";
import { startMailRelay } from "../harness/mail.ts";
import { openDatabase } from "../harness/opened-database.ts";
import { runOrThrow } from "../harness/process.ts";
import { use } from "../harness/use.ts";

const PROJECT = "prj_00000000000000000001";

const relay = use(startMailRelay);
const database = useFiles();
beforeAll(async () => {
  const opened = await openDatabase(database.env);
  await opened.sql`insert into accounts (id, email, plan) values ('acc_1', 'alice@example.com', 'free')`;
  await opened.sql`
    insert into projects (id, owner_id, name, url)
    values (${PROJECT}, 'acc_1', 'Shop', 'https://example.com/')`;
  await opened.close();
});

test("a command waits until its e-mail has been sent", async () => {
  const env = { ...database.env, ...relay.env };
  await runOrThrow(["project", "share", PROJECT, "bob@example.com"], env);
  expect(relay.received.map(({ to }) => to)).toEqual([["bob@example.com"]]);
});
