import { describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { findScan, watchScan } from "../../server/scan/scans.ts";
import type { Task, TaskKind } from "../../server/engine/visit/visits.ts";
import { startScan } from "../../server/scan/scan-request.ts";
import { describeError } from "../../server/http/errors.ts";
import { addTarget } from "../harness/alerts.ts";
import { actorOf, addPerson, addProject } from "../harness/people.ts";
import { sendCheck } from "../harness/request.ts";
import { startReceiver } from "../harness/receiver.ts";
import { useServer } from "../harness/server.ts";
import { waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const NONE = {
  SHIPSCORE_ALLOW_NETWORKS: "",
  SHIPSCORE_SCAN_NETWORKS: "",
  SHIPSCORE_ALERT_NETWORKS: "",
};
const PRIVATE = { code: "url_refused", parameters: { code: "private" } };

describe.each([
  { setting: "no setting", opens: [] },
  { setting: "SHIPSCORE_ALLOW_NETWORKS", opens: ["check", "status"] },
  { setting: "SHIPSCORE_SCAN_NETWORKS", opens: ["scan"] },
  { setting: "SHIPSCORE_ALERT_NETWORKS", opens: ["alert"] },
])("with a private network in $setting", ({ setting, opens }) => {
  const site = use(startReceiver);
  const env = setting in NONE ? { ...NONE, [setting]: "127.0.0.0/8" } : NONE;
  const server = useServer({ env });
  const alice = use(() => addPerson(server, "alice"));
  const mayEnter = (purpose: string) => opens.includes(purpose);

  /** What is refused asks the site nothing, and the log names the setting. */
  async function untilLogged(unset: string) {
    const line = { host: "127.0.0.1", setting: unset };
    await waitUntil(`the log names ${unset}`, () =>
      server.log.some((text) => text.includes(JSON.stringify(line).slice(1, -1))),
    );
    expect(site.accepted()).toBe(0);
  }

  const runTask = <Kind extends TaskKind>(task: Task<Kind>) =>
    server.deps.threads.run(task, {
      owner: "acc_1",
      maxMs: 15_000,
      signal: server.deps.stopping,
    });

  const run = (kind: "api" | "scan") => {
    const order = { request: { url: site.url, preview: false, headers: {} }, id: "chk_1" };
    return kind === "api"
      ? runTask({ kind, known: [], order: { ...order, language: "en" } })
      : runTask({ kind, known: [], order });
  };

  test.runIf(!mayEnter("check"))("no check may reach it", async () => {
    const answer = await sendCheck(server.url, alice.token, site.url);
    expect([answer.status, answer.headers.get("x-shipscore-error")]).toEqual([400, "url_private"]);
    await untilLogged("SHIPSCORE_ALLOW_NETWORKS");
    await run("api");
    const reading = runTask({ kind: "sitemap", known: [], order: { sitemapAt: site.url } });
    expect((await reading).result).toMatchObject({ refusal: { code: "private" } });
    expect(site.accepted()).toBe(0);
    const project = { email: alice.email, name: "Shop", url: site.url };
    await expect(server.perform("project add", project)).rejects.toThrow(
      /The setting is SHIPSCORE_ALLOW_NETWORKS\.$/,
    );
  });

  test.runIf(!mayEnter("scan"))("no public scan may reach it, or ask its owner", async () => {
    const asked = { url: site.url, again: false };
    const refusal = await startScan(server.deps, asked, "192.0.2.1").catch((error) => error);
    expect(refusal).toMatchObject(PRIVATE);
    expect(describeError(refusal).sentence).not.toContain("SHIPSCORE_");
    await untilLogged("SHIPSCORE_SCAN_NETWORKS");
    await run("scan");
    const question = runTask({ kind: "owner", known: [], order: { robotsOf: site.url } });
    expect((await question).result).toEqual({ refuses: false, isFinal: false });
    expect(site.accepted()).toBe(0);
  });

  test.runIf(!mayEnter("alert"))("no alert may reach it", async () => {
    const project = await addProject(server, alice, "https://93.184.215.14/");
    for (const actor of [actorOf(alice), OPERATOR])
      await expect(addTarget(server, project, site.at("hook"), {}, actor)).rejects.toMatchObject(
        PRIVATE,
      );
    await untilLogged("SHIPSCORE_ALERT_NETWORKS");
    const post = { url: site.at("hook"), headers: {}, body: "{}" };
    const posting = server.deps.poster.post(post, server.deps.stopping);
    expect(await posting).toEqual({ failure: "not_allowed" });
    expect(site.accepted()).toBe(0);
    const added = { project, kind: "webhook", target: site.at("hook"), on: "incident" };
    await expect(server.perform("alert add", { ...added, language: "en" })).rejects.toThrow(
      /The setting is SHIPSCORE_ALERT_NETWORKS\.$/,
    );
  });

  test.runIf(!mayEnter("status"))("no status may reach it", async () => {
    const ask = { method: "GET", url: site.url, headers: {}, body: null } as const;
    expect(await server.deps.poster.request(ask, server.deps.stopping)).toEqual({
      failure: "not_allowed",
    });
    await untilLogged("SHIPSCORE_ALLOW_NETWORKS");
  });

  test.runIf(mayEnter("check"))("a check may reach it", async () => {
    expect((await sendCheck(server.url, alice.token, site.url)).status).toBe(200);
  });

  test.runIf(mayEnter("scan"))("a public scan may reach it", async () => {
    const asked = { url: site.url, again: false };
    const { id } = await startScan(server.deps, asked, "192.0.2.1");
    for await (const _ of watchScan(server.deps, id, AbortSignal.timeout(60_000)));
    expect(await findScan(server.sql, id, "en")).toMatchObject({ state: "done" });
    expect(site.requests.map(({ url }) => url)).toContain("/");
  });

  test.runIf(mayEnter("alert"))("an alert may reach it", async () => {
    const project = await addProject(server, alice, "https://93.184.215.14/");
    const { id } = await addTarget(server, project, site.at("hook"), {}, actorOf(alice));
    await server.perform("alert test", { id });
    expect(site.posted("hook")).toHaveLength(1);
  });

  test.runIf(mayEnter("status"))("a status may reach it", async () => {
    const ask = { method: "GET", url: site.url, headers: {}, body: null } as const;
    expect(await server.deps.poster.request(ask, server.deps.stopping)).toMatchObject({
      status: 204,
    });
  });
});
