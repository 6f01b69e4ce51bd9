import { beforeEach, describe, expect, test, vi } from "vitest";
import { runCheck } from "../../server/checks/check.ts";
import { addAlert, editAlert } from "../../server/alerts/alerts.ts";
import { takeLookups } from "../../server/checks/lookups.ts";
import { OPERATOR, type Manager } from "../../server/db/accounts/actors.ts";
import type { Resolver } from "../../server/engine/net/resolve.ts";
import { createProject, deleteProject, editProject } from "../../server/projects/projects.ts";
import { readSitemap } from "../../server/projects/sitemap.ts";
import { refuseUnverifiable } from "../../server/projects/urls.ts";
import { watchUrls } from "../../server/projects/watching.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { valueOf } from "../harness/rows.ts";
import { sendCheck } from "../harness/request.ts";
import { useServer, type TestServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const ADDRESS = "https://93.184.215.14/";
const TOO_OFTEN = {
  code: "too_often",
  parameters: { what: "host names looked up of an account", retryAfterSeconds: expect.any(Number) },
};

const names = (count: number, zone = "example.com") =>
  Array.from({ length: count }, (_, n) => `https://n${n}.${zone}/`);
const ALERT = { kind: "webhook", on: ["incident"], language: "en" } as const;

/** How many tokens this costs the account: by how much later its bucket, which is half empty, is full. */
async function costOf({ deps, sql }: TestServer, who: Person, act: () => Promise<unknown>) {
  const readFull = async () =>
    Number(await valueOf(sql`select extract(epoch from max(full_at))::float8 from buckets`));
  await sql`delete from buckets`;
  await takeLookups(deps, actorOf(who), 2500);
  const before = await readFull();
  await act();
  return Math.round(((await readFull()) - before) / (3600 / 5000));
}

describe("lookups of host names", () => {
  let asked: string[];
  /** Answers for names that begin with `slow`. */
  let release: () => void;
  let project: string;
  const server = useServer({ env: { SHIPSCORE_ALLOW_NETWORKS: "" } });
  const people = use(() => addPeople(server));
  beforeEach(async () => {
    await server.sql`delete from watched_urls`;
    await server.sql`delete from buckets`;
    project = await addProject(server, people.alice, ADDRESS);
    asked = [];
    const held = new Promise<void>((resolve) => (release = resolve));
    const resolver: Resolver = {
      async resolve(name) {
        asked.push(name);
        if (name.startsWith("slow")) await held;
        const address = name.endsWith("inside.example.com") ? "10.0.0.1" : "93.184.215.14";
        return { outcome: "found", addresses: [address] };
      },
    };
    for (const network of Object.values(server.deps.networks)) Object.assign(network, { resolver });
  });

  const alice = () => actorOf(people.alice);
  const leave = (tokens: number) => takeLookups(server.deps, alice(), 5000 - tokens);
  /** Leaves no token for an hour. */
  async function leaveNone() {
    await leave(0);
    await server.sql`update buckets set full_at = full_at + interval '1 hour'`;
  }
  const watch = (urls: string[], actor: Manager = alice()) =>
    watchUrls(server.deps, actor, project, urls);

  test("beyond 5,000 an hour are all rejected before any lookup, except for the operator", async () => {
    await leave(500);
    await expect(watch(names(999))).rejects.toMatchObject(TOO_OFTEN);
    expect(asked).toEqual([]);
    expect((await watch(names(400))).added).toHaveLength(400);
    expect((await watch(names(500, "example.net"), OPERATOR)).added).toHaveLength(500);
  });

  const verbs: [string, (actor: Manager) => Promise<unknown>][] = [
    [
      "a new project",
      (actor) => {
        const owner = { ...actor, accountId: people.alice.accountId };
        return createProject(server.deps, owner, { name: "New", url: "https://example.com/" });
      },
    ],
    [
      "a project's new address",
      (actor) => editProject(server.deps, actor, project, { url: "https://example.com/" }),
    ],
    [
      "a new alert",
      (actor) =>
        addAlert(server.deps, actor, project, { ...ALERT, target: "https://example.com/hook" }),
    ],
    [
      "an alert's new target",
      async (actor) => {
        const target = "https://93.184.215.14/hook";
        const { id } = await addAlert(server.deps, OPERATOR, project, { ...ALERT, target });
        return editAlert(server.deps, actor, id, { ...ALERT, target: "https://example.com/hook" });
      },
    ],
  ];
  test.each(verbs)(
    "%s is rejected too, before its lookup, except for the operator",
    async (_, act) => {
      await leaveNone();
      await expect(act(alice())).rejects.toMatchObject(TOO_OFTEN);
      expect(asked).toEqual([]);
      await act(OPERATOR);
      expect(asked).toEqual(["example.com"]);
    },
  );

  test("after 5,000 checks that do not count, the next is rejected before its lookup", async () => {
    const check = async (host: string) => {
      const { status, headers } = await sendCheck(
        server.url,
        people.alice.token,
        `https://${host}/`,
      );
      return [status, headers.get("x-shipscore-error")];
    };
    await leaveNone();
    expect(await check("one.inside.example.com")).toEqual([400, "url_private"]);
    await server.sql`update buckets set full_at = now() + interval '1 hour'`;
    expect(await check("two.inside.example.com")).toEqual([503, "too_many_refused"]);
    await server.sql`update accounts set checks_a_month = 0 where id = ${people.alice.accountId}`;
    expect(await check("three.inside.example.com")).toEqual([429, "quota_exceeded"]);
    await server.sql`update accounts set checks_a_month = null where id = ${people.alice.accountId}`;
    expect(asked).toEqual(["one.inside.example.com"]);
  });

  test("a check abandoned during its lookup costs a token too", async () => {
    const countBuckets = () =>
      valueOf<number>(server.sql`select count(*)::int as count from buckets`);
    const before = await countBuckets();
    const gone = new AbortController();
    const request = { url: "https://slow.example.com/", preview: false, headers: {} };
    const asking = { request, language: "en", signal: gone.signal } as const;
    const { accountId } = people.alice;
    const checking = expect(runCheck(server.deps, { by: "token", accountId }, asking)).rejects.toBe(
      "gone",
    );
    await expect.poll(() => asked).toEqual(["slow.example.com"]);
    gone.abort("gone");
    release();
    await checking;
    expect(await countBuckets()).toBe(Number(before) + 1);
  });

  test("a sitemap is rejected too if it could need more names than are left", async () => {
    await leave(10);
    const reading = readSitemap(server.deps, alice(), project, "https://example.com/sitemap.xml");
    await expect(reading).rejects.toMatchObject(TOO_OFTEN);
  });

  test.each<[string, number, readonly string[]]>([
    [
      "a name on several pages, ports and with a dot",
      1,
      [
        "https://example.com/a",
        "https://example.com/b",
        "https://example.com:8443/",
        "https://EXAMPLE.com./",
      ],
    ],
    ["names that lead to a private address", 2, names(2, "inside.example.com")],
    ["addresses", 0, [`${ADDRESS}a`, "https://10.0.0.1/", "https://[::1]/"]],
    ["private names", 0, ["https://intranet/", "https://a.local/", "https://b.home.arpa/"]],
    [
      "what is no https URL on an open port",
      0,
      [
        "http://a.example.com/",
        "https://b.example.com:9000/",
        "https://user@c.example.com/",
        `https://d.example.com/${"é".repeat(400)}`,
        "somewhere",
      ],
    ],
  ])("%s: %i tokens, and as many lookups", async (_what, count, urls) => {
    const cost = await costOf(server, people.alice, () => watch([...urls]));
    expect([cost, asked.length]).toEqual([count, count]);
  });

  test("unused tokens are given back if the time is over", async () => {
    const slow = Array.from({ length: 20 }, (_, n) => `https://slow${n}.example.com/`);
    const cost = await costOf(server, people.alice, async () => {
      const refusing = refuseUnverifiable(server.deps, alice(), slow);
      await waitUntil("the first are asked for", () => asked.length === 4);
      const later = performance.now() + 10_000;
      const clock = vi.spyOn(performance, "now").mockReturnValue(later);
      release();
      await refusing.finally(() => clock.mockRestore());
    });
    expect([cost, asked.length]).toEqual([4, 4]);
  });

  test("an account may create 100 projects a day, even if it deletes them; the operator has no limit", async () => {
    const owner = actorOf(people.bob);
    const create = (actor: Parameters<typeof createProject>[1]) =>
      createProject(server.deps, actor, { name: "New", url: ADDRESS });
    for (let made = 0; made < 100; made++)
      await deleteProject(server.deps, owner, (await create(owner)).id, "New");
    await expect(create(owner)).rejects.toMatchObject({
      code: "too_often",
      parameters: { what: "new projects of an account" },
    });
    await create({ ...OPERATOR, accountId: people.bob.accountId });
  });
});

describe("the cost of a visit's lookups", () => {
  const server = useServer();
  const people = use(() => addPeople(server));
  const site = use(() =>
    startSite({
      hosts: ["localhost", "a.localhost", "127.0.0.1"],
      routes: {
        "/moved.xml": ({ headers }, response) =>
          void response.writeHead(302, { location: `https://a.${headers.host}/own.xml` }).end(),
        "/own.xml": { body: "<urlset/>" },
      },
    }),
  );

  test.each([
    ["counts in the quota", "localhost", 30, 200, 0],
    ["is beyond the quota", "localhost", 0, 429, 1],
    ["has no name", "127.0.0.1", 0, 429, 0],
    ["is refused", "none.localhost.example", 30, 400, 1],
  ])("a check that %s", async (_what, host, quota, status, count) => {
    const { accountId, token } = people.bob;
    await server.sql`update accounts set checks_a_month = ${quota} where id = ${accountId}`;
    await server.sql`delete from buckets`;
    const url = `https://${host}:${site.port}/`;
    expect((await sendCheck(server.url, token, url)).status).toBe(status);
    expect(await valueOf(server.sql`select count(*)::int from buckets`)).toBe(count);
  });

  test.each([
    ["at an address", "127.0.0.1", "own.xml", 0],
    ["that is not there", "localhost", "none.xml", 1],
    ["at a name", "localhost", "own.xml", 1],
    ["that leads to another name", "localhost", "moved.xml", 2],
  ])("a sitemap %s costs a token for each resolved name", async (_what, host, path, count) => {
    const project = await addProject(server, people.alice, ADDRESS);
    const address = `https://${host}:${site.port}/${path}`;
    const cost = await costOf(server, people.alice, () =>
      readSitemap(server.deps, actorOf(people.alice), project, address),
    );
    expect(cost).toBe(count);
  });
});
