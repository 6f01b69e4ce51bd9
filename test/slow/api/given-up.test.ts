import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { recordEndedThread } from "../../../server/db/accounts/accounts.ts";
import type { Check } from "../../../shared/check.ts";
import { addPerson, addProject, countUsedChecks, type Person } from "../../harness/people.ts";
import { startTestServer } from "../../harness/server.ts";
import { startSite } from "../../harness/site.ts";
import { use } from "../../harness/use.ts";
import { sendCheck } from "../../harness/request.ts";

const TIMEOUT_MS = 120_000;
let alice: Person;
let mallory: Person;

const site = use(() =>
  startSite({
    routes: {
      "*": {
        headers: { "content-type": "text/html" },
        body: "<!doctype html><title>A page</title><script></script>",
      },
    },
  }),
);
const server = use(() =>
  startTestServer({
    threadFile: fileURLToPath(new URL("../../harness/harmed-thread.js", import.meta.url)),
  }),
);
beforeAll(async () => {
  [alice, mallory] = [await addPerson(server, "alice"), await addPerson(server, "mallory")];
});

const check = (person: Person, path: string, headers = {}) =>
  sendCheck(server.url, person.token, `${site.url}${path}`, {
    headers: { "accept-language": "en", ...headers },
  });

const getUsed = (person: Person) => countUsedChecks(server, person);

const readMetrics = () => server.deps.metrics.registry.metrics();

describe("a check that ends its thread", { timeout: TIMEOUT_MS }, () => {
  test("does not count the first time, and the check next to it gets its result", async () => {
    const [harmful, honest] = await Promise.all([check(mallory, "hang"), check(alice, "")]);
    expect(harmful.status).toBe(503);
    expect(harmful.headers.get("retry-after")).toBe("2");
    expect(await harmful.json()).toEqual({
      error: expect.stringContaining("Aucun crédit n'a été consommé"),
    });
    expect(honest.status).toBe(200);
    expect([await getUsed(mallory), await getUsed(alice)]).toEqual([0, 1]);
  });

  test("counts the second time within the hour, with a result that says so and can be repeated", async () => {
    const key = { "idempotency-key": "second" };
    const answer = await (await check(mallory, "hang", key)).text();
    const { id, verdict, quota, findings } = JSON.parse(answer) as Check;
    expect({ verdict, used: quota.used }).toEqual({ verdict: "inconclusive", used: 1 });
    const csp = findings.find((finding) => finding.id === "hdr.csp");
    expect(csp).toMatchObject({ status: "unknown" });
    expect(csp?.evidence).toContain("its analysis did not finish");
    expect(await (await check(mallory, "hang", key)).text()).toBe(answer);
    expect(await getUsed(mallory)).toBe(1);
    expect(server.log.some((line) => line.includes("check given up") && line.includes(id))).toBe(
      true,
    );
    expect(await readMetrics()).toContain(
      'shipscore_given_up_checks_total{kind="check",reason="hung"} 2',
    );
  });

  test("is a first and a second one if two servers have one at the same time", async () => {
    const { id } = await server.perform<{ id: string }>("account add", {
      email: "oscar@example.com",
      plan: "free",
    });
    const both = [recordEndedThread(server.sql, id), recordEndedThread(server.sql, id)];
    expect((await Promise.all(both)).filter(Boolean)).toHaveLength(1);
  });

  test("counts as the first again an hour later", async () => {
    await server.sql`
      update accounts set thread_ended_at = thread_ended_at - interval '61 minutes'
      where email = ${mallory.email}`;
    expect((await check(mallory, "hang")).status).toBe(503);
    expect(await getUsed(mallory)).toBe(1);
  });

  test("is an inconclusive probe, and an inconclusive deployment", async () => {
    const projectId = await addProject(server, alice, `${site.url}hang`);
    expect(await server.perform("round", {})).toMatchObject([
      { kind: "look", outcome: "inconclusive", score: null },
    ]);
    const ship = { projectId, url: `${site.url}hang`, environment: "production" };
    await server.perform("deployment add", { ...ship, commit: null, ref: null, wait: true });
    const { token } = alice;
    const answer = await server.request(`/api/v1/projects/${projectId}/last-ship`, { token });
    expect(await answer.json()).toMatchObject({ lastShip: { verdict: "inconclusive" } });
    const metrics = await readMetrics();
    for (const kind of ["check", "look", "deployment"]) {
      expect(metrics).toContain(`shipscore_checks_total{kind="${kind}",verdict="inconclusive"} 1`);
      expect(metrics).toContain(`shipscore_check_seconds_count{kind="${kind}"}`);
    }
  });
});

test("a rule that throws is unknown, logged with the check's id and counted", async () => {
  const { id, findings } = (await (await check(alice, "throw")).json()) as Check;
  expect(findings.find((finding) => finding.id === "html.title")).toMatchObject({
    status: "unknown",
    evidence: "Not assessed: the rule itself crashed on this page.",
  });
  const line = server.log.find((one) => one.includes("rule failed"));
  expect(JSON.parse(line ?? "")).toMatchObject({
    checkId: id,
    rule: "html.title",
    err: { message: "thrown by the rule" },
  });
  expect(await readMetrics()).toContain('shipscore_rule_failures_total{rule="html.title"} 1');
  // This process, which judges again what was stored, has that rule as it is.
  await server.sql`delete from checks where id = ${id}`;
});
