import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { recordDeployment } from "../../server/projects/deployments.ts";
import { setBadge } from "../../server/projects/badges.ts";
import { addPerson, addProject, type Person } from "../harness/people.ts";
import { countQueries, startTestServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { waitUntil } from "../harness/slow-site.ts";
import { scoreShips } from "../harness/past.ts";
import { use } from "../harness/use.ts";

const site = use(() =>
  startSite({
    routes: {
      "*": (_request, response) =>
        void response
          .writeHead(answersWith, { "content-type": "text/html" })
          .end("<!doctype html><title>x</title><p>Some text to read on this page.</p>"),
    },
  }),
);
const server = use(() => startTestServer({ roots: [site.authority.certificate] }));
let answersWith: number;
let alice: Person;
let project: string;
let badge: string;

beforeAll(async () => {
  alice = await addPerson(server, "alice");
});
beforeEach(async () => {
  answersWith = 200;
  project = await addProject(server, alice, site.url);
  badge = (await switchBadge(true)) ?? "";
});

const switchBadge = (isOn: boolean) => setBadge(server.deps, OPERATOR, project, isOn);
const ask = (path = badge, headers: Record<string, string> = {}, method = "GET") =>
  server.request(path, { headers, method });
const nameIn = (svg: string) => /aria-label="([^"]*)"/.exec(svg)?.[1];
const readName = async () => nameIn(await (await ask()).text());

/** What the cycle saw at the address, or at another URL that is watched. */
const setLook = (score: number | null, hoursAgo: number, isAddress = true) => server.sql`
  update watched_urls set score = ${score}, scored_at = now() - make_interval(hours => ${hoursAgo}::int)
  where project_id = ${project} and is_address = ${isAddress}`;

let ships = 0;
/** A deployment of `hoursAgo`, verified as it was made unless `score` is null. */
async function insertShip(
  score: number | null,
  hoursAgo: number,
  { environment = "production", verdict = "ship" } = {},
): Promise<void> {
  const id = `chk_${String(++ships).padStart(20, "0")}`;
  if (score !== null)
    await server.sql`
      insert into checks (id, kind, host, state, started_at, lease_until, score, verdict)
      values (${id}, 'deployment', 'x', 'done', now() - make_interval(hours => ${hoursAgo}::int), now(), ${score}, ${verdict})`;
  await server.sql`insert into deployments (id, project_id, url, environment, deployed_at, check_id)
    values (${id.replace("chk", "dep")}, ${project}, ${site.url}, ${environment}, now() - make_interval(hours => ${hoursAgo}::int),
      ${score === null ? null : id})`;
  await scoreShips(server.sql);
}

describe("there is no badge", () => {
  const missing = async () => await (await ask("/nothing")).text();

  test.each<[what: string, path: () => string]>([
    ["of an id that nobody has", () => `/badge/${"a".repeat(22)}.svg`],
    ["of a project's id", () => `/badge/${project}.svg`],
    ["without an id", () => "/badge/.svg"],
    ["of a shorter id", () => badge.replace(/.\.svg$/, ".svg")],
    ["of a longer id", () => badge.replace(".svg", "0.svg")],
    ["of 10,000 characters", () => `/badge/${"a".repeat(10_000)}.svg`],
    [
      "in other letters",
      () => badge.replace(/[a-z](?=[^/]*\.svg)/, (letter) => letter.toUpperCase()),
    ],
    ["of another type", () => badge.replace(".svg", ".png")],
    ["without a type", () => badge.replace(".svg", "")],
    ["with a slash at its end", () => `${badge}/`],
    ["in a folder above", () => badge.replace("/badge/", "/badge/x/../../")],
    ["with a zero byte", () => badge.replace(".svg", "%00.svg")],
    ["with a broken escape", () => "/badge/%zz.svg"],
    ["with letters beyond ASCII", () => `/badge/${encodeURIComponent("é".repeat(22))}.svg`],
    ["with SQL", () => `/badge/${encodeURIComponent("' or badge_id is not null --")}.svg`],
  ])("%s", async (_what, path) => {
    const answer = await ask(path());
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, "no-store"]);
    expect(answer.headers.get("etag")).toBeNull();
    expect(await answer.text()).toBe(await missing());
  });

  test("before the owner has turned it on", async () => {
    await switchBadge(false);
    const ids = await server.sql`select badge_id from projects where id = ${project}`;
    expect(ids).toEqual([{ badgeId: null }]);
    expect((await ask()).status).toBe(404);
  });

  test.each(["POST", "PUT", "DELETE"])("for %s", async (method) => {
    expect((await ask(badge, {}, method)).status).toBe(404);
  });

  test("after it is revoked, even if a cache has a copy", async () => {
    const etag = (await ask()).headers.get("etag") ?? "";
    expect((await ask(badge, { "if-none-match": etag })).status).toBe(304);
    await switchBadge(false);
    expect((await ask(badge, { "if-none-match": etag })).status).toBe(404);
    expect((await ask(badge, { "if-none-match": "*" })).status).toBe(404);
    expect(await switchBadge(true)).not.toBe(badge);
    expect((await ask()).status).toBe(404);
  });
});

describe("a badge shows the newest result of its project", () => {
  const UNKNOWN = "Ship Score: unknown";

  test("no score before the first", async () => {
    expect(await readName()).toBe(UNKNOWN);
  });

  test("no score while the first deployment waits for its verification", async () => {
    await insertShip(null, 0);
    expect(await readName()).toBe(UNKNOWN);
  });

  test("no score of a preview, or of another watched URL", async () => {
    await insertShip(95, 0, { environment: "preview" });
    await server.perform("project watch", { id: project, url: `${site.url}other` });
    await setLook(95, 0, false);
    expect(await readName()).toBe(UNKNOWN);
  });

  test("no score of another project", async () => {
    const mine = project;
    project = await addProject(server, alice, site.url);
    await insertShip(95, 0);
    await setLook(95, 0);
    project = mine;
    expect(await readName()).toBe(UNKNOWN);
  });

  test.each([
    [100, "100, ship"],
    [80, "80, ship"],
    [79, "79, ship with warnings"],
    [60, "60, ship with warnings"],
    [59, "59, do not ship"],
    [0, "0, do not ship"],
  ])("a probe with %i", async (score, shown) => {
    await setLook(score, 1);
    expect(await readName()).toBe(`Ship Score: ${shown}`);
  });

  test.each([
    [88, "ship", "88, ship"],
    [70, "ship_with_warnings", "70, ship with warnings"],
    [12, "do_not_ship", "12, do not ship"],
    [12, "inconclusive", "inconclusive"],
  ])("a deployment with %i, %s", async (score, verdict, shown) => {
    await insertShip(score, 1, { verdict });
    expect(await readName()).toBe(`Ship Score: ${shown}`);
  });

  test("the newer one of a probe and a deployment", async () => {
    await setLook(61, 3);
    await insertShip(92, 2);
    expect(await readName()).toBe("Ship Score: 92, ship");
    await setLook(62, 1);
    expect(await readName()).toBe("Ship Score: 62, ship with warnings");
  });

  test("the newest verified deployment, while the next one is not", async () => {
    await insertShip(93, 3);
    await insertShip(94, 2);
    await insertShip(null, 1);
    await insertShip(null, 0);
    expect(await readName()).toBe("Ship Score: 94, ship");
  });
});

describe("from a probe or a deployment to the badge", () => {
  // A round would look at the same site for each project of the earlier tests, two a second.
  beforeEach(() => server.sql`delete from watched_urls where project_id <> ${project}`);

  const scoreShown = async () => Number(/\d+/.exec((await readName()) ?? "")?.[0]);

  test("a round shows the project's score", async () => {
    await server.perform("round", {});
    const [address] = await server.sql<{ score: number; scoredAt: Date }>`
      select score, scored_at from watched_urls where project_id = ${project}`;
    expect(address?.scoredAt).toBeInstanceOf(Date);
    expect(await scoreShown()).toBe(address?.score);
  });

  test("a probe without a score keeps the last one, and its time", async () => {
    await server.perform("round", {});
    const read = () => server.sql`
      select score, scored_at from watched_urls where project_id = ${project}`;
    const before = await read();
    answersWith = 429;
    await server.perform("round", {});
    expect(await read()).toEqual(before);
  });

  test("a deployment shows its own score", async () => {
    const deployed = { url: site.url, environment: "production", commit: null, ref: null };
    await recordDeployment(server.deps, OPERATOR, { projectId: project, ...deployed });
    await server.perform("round", {});
    // It may have begun before the round, which then leaves it and looks at the same page later.
    const findShip = () => server.sql<{ score: number }>`
      select score from checks join deployments on check_id = checks.id where deployments.project_id = ${project}`;
    await waitUntil("it is verified", async () => (await findShip()).length === 1);
    const [ship] = await findShip();
    await setLook(1, 1);
    expect(await scoreShown()).toBe(ship?.score);
  });
});

describe("the answer", () => {
  beforeEach(() => setLook(92, 1));

  test("may be shown anywhere, and must be revalidated on each use", async () => {
    const { status, headers } = await ask();
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "image/svg+xml",
      "cache-control": "no-cache",
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
    expect([headers.has("set-cookie"), headers.has("vary")]).toEqual([false, false]);
  });

  test("is the same for any language, token, type or range", async () => {
    const whole = await (await ask()).text();
    for (const headers of [
      { "accept-language": "fr" },
      { "accept-language": "en" },
      { authorization: "Bearer none" },
      { accept: "application/json" },
      { range: "bytes=0-9" },
      { "accept-encoding": "br" },
    ] satisfies Record<string, string>[]) {
      const answer = await ask(badge, headers);
      expect([answer.status, await answer.text()]).toEqual([200, whole]);
    }
    expect(await (await ask(`${badge}?v=2`)).text()).toBe(whole);
  });

  test("has the same headers and no body for HEAD", async () => {
    const whole = await ask();
    const head = await ask(badge, {}, "HEAD");
    const of = ({ headers }: Response) =>
      Object.fromEntries(
        ["content-type", "content-length", "etag", "cache-control"].map((name) => [
          name,
          headers.get(name),
        ]),
      );
    expect(of(head)).toEqual(of(whole));
    expect(await head.text()).toBe("");
  });

  test.each<[known: (etag: string) => string, status: number]>([
    [(etag) => etag, 304],
    [(etag) => `W/${etag}`, 304],
    [(etag) => `"other", W/"b,c" ,${etag}`, 304],
    [() => "*", 304],
    [() => '"other"', 200],
    [(etag) => etag.replaceAll('"', ""), 200],
    [(etag) => etag.slice(0, -1), 200],
    [(etag) => etag.replace('"', '"x'), 200],
    [() => '"'.repeat(10_000), 200],
  ])("If-None-Match %s: %i", async (known, status) => {
    const etag = (await ask()).headers.get("etag") ?? "";
    const answer = await ask(badge, { "if-none-match": known(etag) });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("etag")).toBe(etag);
    expect(answer.headers.get("cache-control")).toBe("no-cache");
    expect((await answer.text()) === "").toBe(status === 304);
  });

  test("has another ETag for another score, and the same for the same", async () => {
    const first = (await ask()).headers.get("etag");
    await setLook(91, 0);
    const second = (await ask()).headers.get("etag");
    await setLook(92, 0);
    expect(second).not.toBe(first);
    expect((await ask()).headers.get("etag")).toBe(first);
  });
});

test("a badge needs one statement, and an impossible id none", async () => {
  const { createApp } = await import("../../server/app.ts");
  const { server: counted, asked } = countQueries(server);
  const app = await createApp(counted);
  const costOf = async (url: string) => {
    asked.count = 0;
    await app.inject({ url });
    return asked.count;
  };
  expect([await costOf(badge), await costOf(`/badge/${"a".repeat(22)}.svg`)]).toEqual([1, 1]);
  expect(await costOf(`/badge/${project}.svg`)).toBe(0);
  await app.close();
});
