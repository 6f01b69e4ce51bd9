import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addPerson, addProject, type Person } from "../../harness/people.ts";
import { useServer } from "../../harness/server.ts";
import { startSite, type Site } from "../../harness/site.ts";
import { waitUntil } from "../../harness/slow-site.ts";
import { use } from "../../harness/use.ts";

/** One more than all may visit at once. */
const FLOOD = 33;
const PAGE = "<!doctype html><title>x</title><script></script>";

/** Keeps whoever asks for its page waiting until it lets go. */
class Crowd {
  readonly inside = new Set<ServerResponse>();
  most = 0;
  #isHeld = true;

  hold(): void {
    this.#isHeld = true;
    this.most = 0;
  }

  enter(response: ServerResponse): void {
    this.inside.add(response);
    this.most = Math.max(this.most, this.inside.size);
    response.once("close", () => this.inside.delete(response));
    if (!this.#isHeld) this.#serve(response);
  }

  release(): void {
    this.#isHeld = false;
    for (const response of this.inside) this.#serve(response);
  }

  #serve(response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
  }
}

const crowd = new Crowd();

const slow = use(() =>
  startSite({
    routes: {
      "/": ({ headers }, response) => {
        if (headers.origin) response.end();
        else crowd.enter(response);
      },
    },
  }),
);
const fast = use(() =>
  startSite({
    routes: { "/": { headers: { "content-type": "text/html" }, body: PAGE } },
  }),
);
const server = useServer();
const quiet = use(() => addPerson(server, "quiet"));
beforeEach(async () => {
  await waitUntil("the former crowd has left", () => crowd.inside.size === 0);
  crowd.hold();
});
afterEach(() => crowd.release());

async function check({ token }: Person, site: Site): Promise<number> {
  const order = { token, method: "POST", body: { url: site.url } };
  return (await server.request("/api/v1/check", order)).status;
}

/** Checks of the slow site, all at once, and how many of them are answered. */
function flood(person: Person, count: number): { done: number; statuses: Promise<number[]> } {
  const checks = Array.from({ length: count }, async () => {
    const status = await check(person, slow);
    flooding.done++;
    return status;
  });
  const flooding = { done: 0, statuses: Promise.all(checks) };
  return flooding;
}

const countRows = async (state: "running" | "given_back"): Promise<number> =>
  (await server.sql`select from checks where state = ${state}`).length;

test("checks that wait for their host block no others", async () => {
  const ann = await addPerson(server, "ann");
  const { probe, hostQueues } = server.deps;
  const vet = probe.vet.bind(probe);
  const admit = hostQueues.admit.bind(hostQueues);
  const hostOf = (url: string) => new URL(url).host;
  probe.vet = async (url, ...rest) => ({
    ...(await vet(url, ...rest)),
    host: hostOf(url),
    exempt: false,
  });
  // Those of the slow host wait until the test lets them in, however slow the machine is.
  hostQueues.admit = (host, row, deadline) =>
    admit(host, row, host === hostOf(slow.url) ? Infinity : deadline);
  await server.sql`
    insert into checks (id, kind, host, state, lease_until, admitted_at)
    select 'chk_' || n, 'deployment', ${hostOf(slow.url)}, 'done', now(), now() + interval '1 hour' from generate_series(1, 240) n`;

  const flooding = flood(ann, FLOOD);
  await waitUntil("the flood waits", async () => (await countRows("running")) === FLOOD);
  expect(await check(quiet, fast)).toBe(200);
  expect([await countRows("running"), crowd.inside.size]).toEqual([FLOOD, 0]);

  crowd.release();
  await server.sql`delete from checks where admitted_at > now()`;
  const statuses = await flooding.statuses;
  expect(statuses).toContain(200);
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  probe.vet = vet;
  hostQueues.admit = admit;
});

test("one account's checks use 8 permits and leave the rest to others; rejected ones leave no row", async () => {
  const ben = await addPerson(server, "ben");
  const flooding = flood(ben, 12);
  await waitUntil("eight visit", () => crowd.inside.size === 8);
  expect(await check(quiet, fast)).toBe(200);
  await waitUntil("some were turned away", () => flooding.done > 0);
  expect(crowd.most).toBe(8);
  crowd.release();
  const statuses = await flooding.statuses;
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  await waitUntil("all slots are back", async () => (await countRows("running")) === 0);
  expect(await countRows("given_back")).toBe(0);
});

test("probes continue while checks hold all of their permits", async () => {
  await addProject(server, quiet, fast.url);
  const names = ["cid", "dan", "eve", "fay"];
  const people = await Promise.all(names.map((name) => addPerson(server, name)));
  const floods = people.map((person) => flood(person, 9));
  await waitUntil("all permits are taken", () => crowd.inside.size === 32);
  const entries = await server.perform<{ outcome: string }[]>("round", {});
  expect(entries.map(({ outcome }) => outcome)).toEqual(["good"]);
  expect(crowd.most).toBe(32);
  crowd.release();
  await Promise.all(floods.map(({ statuses }) => statuses));
});
