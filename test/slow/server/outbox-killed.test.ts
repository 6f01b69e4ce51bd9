import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import { listDeliveries } from "../../../server/db/alerts/alerts.ts";
import type { Database } from "../../../server/db/driver/sql.ts";
import { addTarget, openIncident } from "../../harness/alerts.ts";
import { openDatabase } from "../../harness/opened-database.ts";
import { addPerson, addProject } from "../../harness/people.ts";
import { startServerProcess } from "../../harness/process.ts";
import { startReceiver } from "../../harness/receiver.ts";
import { startTestServer } from "../../harness/server.ts";
import { use, useFolder } from "../../harness/use.ts";

const folder = useFolder();

const receiver = use(startReceiver);
beforeAll(async () => {
  await writeFile(join(folder, "ca.pem"), receiver.authority.certificate);
});
const server = use(startTestServer, ({ database }) => database.drop());

async function withDatabase<Result>(
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(server.database.env);
  return work(database).finally(() => database.close());
}

const start = () =>
  startServerProcess({ ...server.database.env, NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") });

test("after kill -9 during a delivery, the next server sends the same message again", async () => {
  const alice = await addPerson(server, "alice");
  const projectId = await addProject(server, alice, "https://example.com/", "Shop");
  const { id, secret } = await addTarget(server, projectId, receiver.at("killed"));
  await server.stop();
  await withDatabase((database) => openIncident({ deps: { database } }, projectId));

  receiver.reply("killed", () => {});
  const victim = await start();
  const first = await receiver.waitForRequest("killed", 1);
  expect(await victim.end("SIGKILL")).toBe("SIGKILL");

  await withDatabase(({ sql }) => sql`update alerts set lease_until = now() where id = ${id}`);
  const survivor = await start();
  const second = await receiver.waitForRequest("killed", 2);
  expect(await survivor.end("SIGTERM")).toBe(0);
  expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
  expect(second.body).toBe(first.body);
  for (const { body, headers } of [first, second])
    new Webhook(secret ?? "").verify(body, headers as Record<string, string>);
  expect(await withDatabase(({ sql }) => listDeliveries(sql, id))).toMatchObject([
    { id: first.headers["webhook-id"], state: "sent", attempts: 2, error: null },
  ]);
});
