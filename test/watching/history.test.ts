import { beforeAll, describe, expect, test } from "vitest";
import type { ProjectHistory } from "../../server/db/projects/history.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

let projectId: string;
let status = 200;
const headers: Record<string, string> = { "content-type": "text/html" };
const FRAMED = "x-frame-options";
/** What that header changes: before it there was no security header that could be invalid. */
const FRAMING = ["hdr.framing", "hdr.valid"];

const page = "<!doctype html><title>x</title><p>Some text to read on this page.</p>";
const site = use(() =>
  startSite({
    routes: { "*": (_, response) => void response.writeHead(status, headers).end(page) },
  }),
);
const server = useServer();
const alice = use(() => addPerson(server, "alice"));
beforeAll(async () => {
  projectId = await addProject(server, alice, site.url, "Shop");
});

const round = () => server.perform("round", {});
const deploy = async (environment = "production") => {
  const input = { projectId, url: site.url, environment, wait: true };
  return (await server.perform<{ id: string }>("deployment add", input)).id;
};

interface StoredScore {
  score: number;
  previousScore: number | null;
  changed: string[];
}
const scoreOf = async (deploymentId: string) => {
  const [row] = await server.sql<StoredScore>`
    select score, previous_score, coalesce(to_json(changed), '[]') as changed from scores where deployment_id = ${deploymentId}`;
  return row;
};

test("a deployment's score names that of the previous one, and the changed findings", async () => {
  const first = await scoreOf(await deploy());
  expect(first).toMatchObject({ previousScore: null, changed: [] });
  const second = await scoreOf(await deploy());
  expect(second).toEqual({ score: first?.score, previousScore: first?.score, changed: [] });
  headers[FRAMED] = "deny";
  const third = await scoreOf(await deploy());
  expect(third).toMatchObject({ previousScore: first?.score, changed: FRAMING });
  expect(third?.score).toBeGreaterThan(first?.score ?? 100);
  delete headers[FRAMED];
  const fourth = await scoreOf(await deploy());
  expect(fourth).toEqual({ ...first, previousScore: third?.score, changed: FRAMING });
});

test("a deployment to another environment is compared within its environment", async () => {
  expect(await scoreOf(await deploy("staging"))).toMatchObject({
    previousScore: null,
    changed: [],
  });
});

test("a production deployment sets the score of its watched URL", async () => {
  const [row] = await server.sql<{ score: number; isRecent: boolean }>`
    select score, scored_at > now() - interval '1 hour' as is_recent from watched_urls where project_id = ${projectId}`;
  expect(row).toEqual({ score: expect.any(Number), isRecent: true });
});

test("an incident names the production deployment within the hour before it, and no other", async () => {
  const older = await deploy();
  await server.sql`
    update deployments set deployed_at = deployed_at - interval '61 minutes' where project_id = ${projectId}`;
  const outage = async () => {
    status = 500;
    await round();
    await round();
    status = 200;
    await round();
    await round();
    const [incident] = await server.sql<{ deploymentId: string | null; closedAt: Date }>`
      select deployment_id, closed_at from incidents where project_id = ${projectId} order by since desc limit 1`;
    expect(incident?.closedAt).toBeInstanceOf(Date);
    return incident?.deploymentId;
  };
  expect(await outage()).toBeNull();
  await server.sql`
    update deployments set deployed_at = deployed_at + interval '3 minutes' where id = ${older}`;
  expect(await outage()).toBe(older);
  await deploy("staging");
  expect(await outage()).toBe(older);
  const newest = await deploy();
  expect(await outage()).toBe(newest);
});

test("rounds are counted in the current day: probes, time to first byte, time of failure", async () => {
  const { days, incidents } = await server.perform<ProjectHistory>("history", {
    project: projectId,
    days: "2",
  });
  const today = days.at(-1);
  expect(today).toEqual({
    day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    score: expect.any(Number),
    uptime: expect.any(Number),
    firstByteMs: expect.any(Number),
  });
  expect(today?.uptime).toBeGreaterThan(0);
  expect(today?.uptime).toBeLessThan(1);
  expect(incidents.map(({ deployment }) => deployment === null)).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

describe("verifications of a watched URL", () => {
  let id: string;
  const verifications = () => server.sql<StoredScore & { verdict: string }>`
    select score, verdict, coalesce(to_json(changed), '[]') as changed from scores
    where project_id = ${id} and deployment_id is null order by at`;
  const checks = () => server.sql<{ id: string; answer: string; evidence: Buffer }>`
    select id, answer, evidence from checks where project_id = ${id}`;

  beforeAll(async () => {
    id = await addProject(server, alice, `${site.url}watched`, "Watched");
  });

  test("are each scored, with the findings changed since the previous one", async () => {
    await round();
    await round();
    headers[FRAMED] = "deny";
    await round();
    delete headers[FRAMED];
    const [first, second, third, ...more] = await verifications();
    expect(more).toEqual([]);
    expect(first).toMatchObject({ score: expect.any(Number), changed: [] });
    expect(second).toEqual(first);
    expect(third).toMatchObject({ changed: FRAMING });
    const [watched] = await server.sql`select score from watched_urls where project_id = ${id}`;
    expect(watched).toEqual({ score: third?.score });
  });

  test("keep only the newest one's answer and evidence", async () => {
    const [newest, ...older] = await checks();
    expect(older).toEqual([]);
    expect(JSON.parse(newest?.answer ?? "")).toMatchObject({
      id: newest?.id,
      url: `${site.url}watched`,
    });
    expect(newest?.evidence.length).toBeGreaterThan(100);
    await round();
    const [newer, ...rest] = await checks();
    expect(rest).toEqual([]);
    expect(newer?.id).not.toBe(newest?.id);
  });

  test("leave the URL its score if most was not assessed", async () => {
    const [before] = await server.sql`select score from watched_urls where project_id = ${id}`;
    status = 429;
    await round();
    status = 200;
    expect((await verifications()).at(-1)).toMatchObject({ verdict: "inconclusive" });
    expect(await server.sql`select score from watched_urls where project_id = ${id}`).toEqual([
      before,
    ]);
  });

  test("include a deployment to the URL, which outlives the next", async () => {
    const input = { projectId: id, url: `${site.url}watched`, environment: "production" };
    await server.perform("deployment add", { ...input, wait: true });
    const [shipped, ...rest] = await checks();
    expect(rest).toEqual([]);
    const [watched] = await server.sql`
      select newest_check_id from watched_urls where project_id = ${id}`;
    expect(watched).toEqual({ newestCheckId: shipped?.id });
    await round();
    expect(await checks()).toHaveLength(2);
    await round();
    expect(await checks()).toHaveLength(2);
  });

  test("leave their scores, and no check, after the end of watching", async () => {
    const url = `${site.url}other`;
    await server.perform("project watch", { id, url });
    await round();
    expect(await checks()).toHaveLength(3);
    const { length } = await verifications();
    await server.perform("project unwatch", { id, url });
    expect(await checks()).toHaveLength(2);
    expect(await verifications()).toHaveLength(length);
  });
});
