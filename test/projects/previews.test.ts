import { beforeEach, describe, expect, test } from "vitest";
import {
  findHostPattern,
  findUrlOfHosts,
  isOfOneOwner,
} from "../../server/base/syntax/host-pattern.ts";
import type { HookActor } from "../../server/db/accounts/actors.ts";
import { deleteOldPreviews } from "../../server/db/projects/previews.ts";
import {
  PREVIEWS_AN_HOUR,
  recordShips,
  type ReportOutcome,
} from "../../server/projects/deployments.ts";
import { waitForVerification } from "../../server/watching/deployments.ts";
import { addPerson, addProject, type Person } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { reportOf } from "../harness/ships.ts";
import { use } from "../harness/use.ts";

describe("a pattern of hosts", () => {
  test.each([
    "",
    "localhost",
    "*",
    "a b.example.com",
    "example.com/",
    "https://example.com",
    "example.*",
    "-a.example.com",
    "example.com:0",
    "example.com:99999",
    "user@example.com",
  ])("is not %j", (text) => {
    expect(findHostPattern(text)).toBeUndefined();
  });

  test.each<[pattern: string, url: string, fits: boolean]>([
    ["example.com", "https://example.com/a?b", true],
    ["Example.com", "https://EXAMPLE.com/", true],
    ["example.com", "http://example.com/", false],
    ["example.com", "https://example.com:8443/", false],
    ["example.com:8443", "https://example.com:8443/", true],
    ["example.com", "https://www.example.com/", false],
    ["*.example.com", "https://tea.example.com/", true],
    ["*.example.com", "https://a.tea.example.com/", false],
    ["*.example.com", "https://example.com/", false],
    ["my-*-site.vercel.app", "https://my-tea-site.vercel.app/", true],
    ["my-*-site.vercel.app", "https://my-site.vercel.app/", false],
    ["my-*.vercel.app", "https://my-x.evil.example/my-.vercel.app", false],
    ["example.com", "https://user@example.com/", false],
  ])("%s next to %s: %s", (pattern, url, fits) => {
    expect(findUrlOfHosts(url, [pattern]) !== undefined).toBe(fits);
  });

  test.each<[pattern: string, is: boolean]>([
    ["*.vercel.app", false],
    ["*.*ercel.app", false],
    ["*.co.uk", false],
    ["x.*.app", false],
    ["my-site-*.vercel.app", true],
    ["*.my-site.vercel.app", true],
    ["*.example.com", true],
    ["127.0.0.1:8443", true],
  ])("%s belongs to one owner: %s", (pattern, is) => {
    expect(isOfOneOwner(findHostPattern(pattern)!)).toBe(is);
  });
});

describe("a preview", () => {
  const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Tea</title><p>Tea, by the leaf.`;
  const SECRET = "s3cret-bypass";

  const elsewhere = use(() => startSite({ routes: { "*": { body: "Elsewhere." } } }));
  const site = use(() =>
    startSite({
      routes: {
        "/moved": { status: 302, headers: { location: elsewhere.url } },
        "*": { headers: { "content-type": "text/html" }, body: PAGE },
      },
    }),
  );
  const server = useServer();
  let owner: Person;
  let hook: HookActor;
  let hosts: string[];
  beforeEach(async () => {
    owner = await addPerson(server, `owner-${Date.now()}`, "free");
    const projectId = await addProject(server, owner, `${site.url}live`);
    hook = { by: "hook", accountId: owner.accountId, projectId };
    hosts = [new URL(site.url).host];
    const headers = `x-vercel-protection-bypass: ${SECRET}\n`;
    await server.perform("preview edit", { project: projectId, hosts: hosts.join(), headers });
  });

  const report = async (path: string, environment = "Preview"): Promise<ReportOutcome> => {
    const said = reportOf({ environment, url: new URL(path, site.url).href });
    return (await recordShips(server.deps, hook, [said], null, hosts))[0]!;
  };
  async function verify(path: string, environment?: string): Promise<string> {
    const outcome = await report(path, environment);
    if (!("id" in outcome)) throw new Error(JSON.stringify(outcome));
    await waitForVerification(server.deps, outcome.id);
    return outcome.id;
  }
  const list = (previews: boolean) =>
    server.perform<Record<string, unknown>[]>("deployment list", {
      project: hook.projectId,
      previews,
    });
  const countUsed = async () => {
    const [month] = await server.sql<{ used: number }>`
      select used from usage where account_id = ${owner.accountId}`;
    return month?.used ?? 0;
  };
  const sentTo = (requests: readonly { headers: Record<string, unknown> }[]) =>
    requests.some(({ headers }) => headers["x-vercel-protection-bypass"] === SECRET);

  test("is checked with its headers, compared with the last deployment, and counted in the month", async () => {
    const ship = await verify("/live", "production");
    expect(await countUsed()).toBe(0);
    site.requests.length = 0;
    const id = await verify("/tea");
    expect(sentTo(site.requests)).toBe(true);
    expect(await countUsed()).toBe(1);
    const [preview] = await list(true);
    expect(preview).toMatchObject({
      id,
      kind: "preview",
      environment: "Preview",
      state: "verified",
    });
    expect((await list(false)).map((one) => one["id"])).toEqual([ship]);
    const [score] =
      await server.sql`select previous_score, number from scores where deployment_id = ${id}`;
    const [shipped] = await server.sql<{ score: number }>`
      select score from scores where deployment_id = ${ship}`;
    expect(score).toEqual({ previousScore: shipped?.score, number: null });
    const answer = await server.request(`/api/v1/projects/${hook.projectId}/last-ship`, {
      token: owner.token,
    });
    expect(await answer.json()).toMatchObject({ lastShip: { id: ship } });
    const stored = await server.sql`select * from projects, checks`;
    expect(JSON.stringify(stored)).not.toContain(SECRET);
    expect(server.log.join()).not.toContain(SECRET);
  });

  test("sends its headers only to its own origin, and none once its host is no longer listed", async () => {
    await verify("/moved");
    expect(elsewhere.requests.length).toBeGreaterThan(0);
    expect(sentTo(elsewhere.requests)).toBe(false);
    await server.perform("preview off", { project: hook.projectId });
    site.requests.length = 0;
    await verify("/late");
    expect(sentTo(site.requests)).toBe(false);
    expect(await server.perform("preview show", { project: hook.projectId })).toEqual({
      hosts: [],
      headers: [],
    });
  });

  test("beyond the month's quota is unverified immediately", async () => {
    await server.sql`
      insert into usage (account_id, month, used)
      values (${owner.accountId}, date_trunc('month', now() at time zone 'utc')::date, 30)`;
    await expect(verify("/tea")).rejects.toThrow();
    expect(await list(true)).toMatchObject([
      {
        state: "unverified",
        tries: 1,
        failure: { en: "This month's quota of checks is used up." },
      },
    ]);
    expect(await countUsed()).toBe(30);
  });

  test("is rejected after sixty an hour, but production deployments are not", async () => {
    const reports = Array.from({ length: PREVIEWS_AN_HOUR + 1 }, (_, index) =>
      reportOf({ environment: "Preview", url: `${site.url}${index}` }),
    );
    const outcomes = await recordShips(server.deps, hook, [...reports, reportOf()], null, hosts);
    expect(outcomes.slice(-2)).toEqual([
      { limit: 60, retryAfterSeconds: expect.any(Number) },
      { id: expect.any(String) },
    ]);
    await server.sql`update deployments set try_at = null where project_id = ${hook.projectId}`;
  });

  test("is deleted after 30 days with its check and its score", async () => {
    const ship = await verify("/live", "production");
    const id = await verify("/tea");
    await server.sql`update deployments set recorded_at = now() - interval '31 days'`;
    await deleteOldPreviews(server.sql, "");
    const left = await server.sql<{ id: string }>`
      select id from deployments where project_id = ${hook.projectId}`;
    expect(left.map((one) => one.id)).toEqual([ship]);
    expect(await server.sql`select from scores where deployment_id = ${id}`).toEqual([]);
    const checks = await server.sql`select from checks where project_id = ${hook.projectId}`;
    expect(checks).toHaveLength(1);
  });
});
