import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Status } from "../../../server/db/deployments/commit-statuses.ts";
import { addHook, deliver, payloadOf } from "../../harness/deployment-hosts.ts";
import { openDatabase } from "../../harness/opened-database.ts";
import { addPerson, addProject } from "../../harness/people.ts";
import { startServerProcess } from "../../harness/process.ts";
import { startTestServer } from "../../harness/server.ts";
import { startSite } from "../../harness/site.ts";
import { waitUntil } from "../../harness/slow-site.ts";
import { REPOSITORY, startGitHub, TOKEN } from "../../harness/status-hosts.ts";
import { use, useFolder } from "../../harness/use.ts";

const folder = useFolder();
const github = use(startGitHub);
const site = use(() =>
  startSite({ routes: { "*": { body: "<!doctype html><title>Tea</title>" } } }),
);
beforeAll(async () => {
  await writeFile(join(folder, "ca.pem"), github.authority.certificate);
});
const hosts = () => ({ SHIPSCORE_STATUS_HOSTS: github.host });
const server = use(
  () => startTestServer({ env: hosts() }),
  ({ database }) => database.drop(),
);

/** Ends each claim that a killed server has left, as time would. */
async function expireClaims(): Promise<void> {
  const database = await openDatabase(server.database.env);
  await database.sql`update status_reporting set lease_until = now()`;
  await database.sql`update deployments set lease_until = now() where lease_until is not null`;
  await database.close();
}

/** The next status is taken and never answered; resolves once it is. */
const untilTaken = () => new Promise<void>((onTaken) => github.reply({ taken: true, onTaken }));

test("after kill -9 between sending and recording, each state exists once", async () => {
  const alice = await addPerson(server, "alice");
  const projectId = await addProject(server, alice, site.url);
  const hook = await addHook(server, projectId, "github");
  const wanted = { hook: hook.id, repository: REPOSITORY, api: github.api, token: TOKEN };
  await server.perform("hook reporting", wanted);
  await server.stop();
  const env = { ...server.database.env, ...hosts(), NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") };

  const pending = untilTaken();
  const first = await startServerProcess(env);
  const url = `${first.url}/hooks/${hook.id}`;
  expect((await deliver({ ...hook, url }, payloadOf("github"))).status).toBe(202);
  await pending;
  expect(await first.end("SIGKILL")).toBe("SIGKILL");

  const final = untilTaken();
  await expireClaims();
  const second = await startServerProcess(env);
  await final;
  expect(await second.end("SIGKILL")).toBe("SIGKILL");

  await expireClaims();
  const before = github.requested.length;
  const third = await startServerProcess(env);
  await waitUntil("it is requested", () => github.requested.length > before);
  expect(await third.end("SIGTERM")).toBe(0);
  const database = await openDatabase(server.database.env);
  const recorded = await database.sql<Status>`
    select state, sent from statuses order by created_at desc`;
  await database.close();
  expect(recorded).toMatchObject([
    { state: "success", sent: "sent" },
    { state: "pending", sent: "sent" },
  ]);
  expect(github.statuses.map(({ state }) => state)).toEqual(["pending", "success"]);
});
