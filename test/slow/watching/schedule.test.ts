import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { IncidentList } from "../../../shared/incident.ts";
import type { LastShipResponse } from "../../../shared/last-ship.ts";
import { addPerson, addProject } from "../../harness/people.ts";
import { useServer } from "../../harness/server.ts";
import { startSite } from "../../harness/site.ts";
import { use } from "../../harness/use.ts";
import { shipOf } from "../../harness/ships.ts";
import { sendCheck } from "../../harness/request.ts";
import { valueOf } from "../../harness/rows.ts";

const status: Record<string, number> = {};

const site = use(() =>
  startSite({
    routes: {
      "*": ({ url = "" }, response) =>
        void response
          .writeHead(status[url] ?? 200, { "content-type": "text/html" })
          .end("<!doctype html><title>x</title><p>Some text to read on this page.</p>"),
    },
  }),
);
const server = useServer({
  env: { SHIPSCORE_CYCLE_SECONDS: "1" },
});
const alice = use(() => addPerson(server, "alice"));

async function read<Body>(path: string): Promise<Body> {
  return (await (await server.request(`/api/v1${path}`, { token: alice.token })).json()) as Body;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(100);
}

test("in the background an incident opens, closes, and a deployment is verified", async () => {
  const url = `${site.url}page`;
  const id = await addProject(server, alice, url);
  const count = async () =>
    (await read<IncidentList>(`/projects/${id}/incidents`)).incidents.length;
  status["/page"] = 503;
  await until(async () => (await count()) === 1);
  status["/page"] = 200;
  await until(async () => (await count()) === 0);

  const { id: deploymentId } = await server.perform<{ id: string }>("deployment add", {
    ...shipOf(id, url),
    wait: false,
  });
  const lastShip = async () => (await read<LastShipResponse>(`/projects/${id}/last-ship`)).lastShip;
  expect((await lastShip())?.id).toBe(deploymentId);
  await until(async () => (await lastShip())?.score !== null);
});

test("a check with an expired lease stops counting without any request", async () => {
  await sendCheck(server.url, alice.token, site.url);
  const used = () => valueOf<number>(server.sql`select used from usage`);
  expect(await used()).toBe(1);
  await server.sql`update checks set state = 'running', lease_until = now() where kind = 'api'`;
  await until(async () => (await used()) === 0);
});
