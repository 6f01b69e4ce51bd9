import { beforeAll, describe, expect, test } from "vitest";
import type { ProjectHistory } from "../../server/db/projects/history.ts";
import { newId } from "../../server/db/id.ts";
import { drawSparkline } from "../../server/operator/history.ts";
import { sumUpDays } from "../harness/past.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { runServerCommand, refused } from "../harness/process.ts";
import { useServer } from "../harness/server.ts";

const ADDRESS = "https://127.0.0.1:8443/";
const REASON = JSON.stringify({ fr: "Le serveur répond 500.", en: "The server answers 500." });

let id: string;
const dayOf = (daysAgo: number) =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const at = (daysAgo: number, time: string) => `${dayOf(daysAgo)}T${time}.000Z`;

/** Looks of one hour at the project's address, of which `failed` failed. */
async function insertHour(hour: string, looks: number, failed: number, firstByteSum: number) {
  await server.sql`
    insert into hours (number, hour, looks, failed, inconclusive, first_byte_sum, first_byte_max)
    select number, ${hour}::text::timestamptz, ${looks}::int, ${failed}::int, 1, ${firstByteSum}::int, 99
    from watched_urls where project_id = ${id} and is_address`;
  await sumUpDays(server.sql, id);
}

const insertScore = (when: string, score: number, verdict = "ship") => server.sql`
  insert into scores (project_id, number, at, score, verdict, ruleset)
  select ${id}, number, ${when}::text::timestamptz, ${score}::int, ${verdict}, '2026.2'
  from watched_urls where project_id = ${id} and is_address`;

async function insertIncident(since: string, closedAt: string | null, isOther = false) {
  const incident = newId("inc");
  await server.sql`
    insert into incidents (id, watched_url_id, project_id, url, since, closed_at, reason, last_checked_at)
    select ${incident}, case when ${isOther}::boolean then 'url_other' else id end, ${id}, url, ${since}::text::timestamptz,
      ${closedAt}::text::timestamptz, ${REASON}::text::jsonb, now()
    from watched_urls where project_id = ${id} and is_address`;
  return incident;
}

async function insertDeployment(deployedAt: string, environment = "production") {
  const deployment = newId("dep");
  await server.sql`
    insert into deployments (id, project_id, url, environment, commit, ref, deployed_at, try_at)
    values (${deployment}, ${id}, ${ADDRESS}, ${environment}, 'abc123', 'main', ${deployedAt}::text::timestamptz, null)`;
  return deployment;
}

const readHistory = (days?: string) =>
  server.perform<ProjectHistory>("history", { project: id, ...(days && { days }) });

const server = useServer();
beforeAll(async () => {
  id = await addProject(server, await addPerson(server, "alice"), ADDRESS, "Shop");
});

describe("rejected", () => {
  const run = (...words: string[]) => runServerCommand(["history", ...words], server.database.env);
  test.each(["0", "-3", "many", "", "1e999"])("--days %j", async (days) => {
    expect(refused(await run(id, "--days", days), 2)).toContain(
      "The days must be a positive number, such as 30.",
    );
  });
  test("an unknown project", async () => {
    expect(refused(await run("prj_00000000000000000000", "--json"), 1)).toContain(
      "There is no project prj_00000000000000000000.",
    );
  });
});

test("everything is empty for a project without probes", async () => {
  expect(await readHistory()).toEqual({ days: [], incidents: [], deployments: [] });
});

describe("days", () => {
  beforeAll(async () => {
    await server.sql`
      update looks set first_looked_at = ${at(5, "12:00:00")}::text::timestamptz,
        hour = date_trunc('day', now(), 'UTC'), looks = 5, failed = 2, inconclusive = 1, first_byte_sum = 250, first_byte_max = 140
      where number = (select number from watched_urls where project_id = ${id})`;
  });

  test("are listed oldest first if they have data, with score, uptime and time to first byte", async () => {
    await insertHour(at(5, "12:00:00"), 12, 11, 0);
    await insertIncident(at(5, "12:00:00"), at(5, "18:00:00"));
    await insertHour(at(3, "00:00:00"), 3, 0, 200);
    await insertHour(at(3, "23:00:00"), 4, 1, 100);
    await insertIncident(at(3, "23:30:00"), at(2, "00:30:00"));
    await insertHour(at(2, "00:00:00"), 9, 0, 804);
    await insertIncident(at(2, "06:00:00"), at(2, "07:00:00"));
    await insertScore(at(3, "01:00:00"), 70);
    await insertScore(at(3, "22:00:00"), 81);
    await insertScore(at(3, "23:00:00"), 40, "inconclusive");
    await insertScore(at(1, "10:00:00"), 91);
    await insertIncident(at(0, "00:00:00"), null);
    expect((await readHistory()).days).toEqual([
      { day: dayOf(5), score: null, uptime: 0.5, firstByteMs: null },
      { day: dayOf(3), score: 81, uptime: 0.9792, firstByteMs: 75 },
      { day: dayOf(2), score: null, uptime: 0.9375, firstByteMs: 101 },
      { day: dayOf(1), score: 91, uptime: null, firstByteMs: null },
      { day: dayOf(0), score: null, uptime: 0, firstByteMs: 125 },
    ]);
  });

  test("an incident of another URL does not reduce the uptime", async () => {
    const before = (await readHistory()).days;
    await insertIncident(at(2, "10:00:00"), at(2, "20:00:00"), true);
    expect((await readHistory()).days).toEqual(before);
  });

  test.each<[days: string, first: number]>([
    ["30", 5],
    ["4", 3],
    ["3", 2],
    ["1.5", 1],
    ["1", 0],
  ])("of the last %s start with today's and go back that far", async (days, first) => {
    expect((await readHistory(days)).days[0]?.day).toBe(dayOf(first));
  });
});

describe("incidents and deployments", () => {
  test("of the period are listed newest first; an incident that was open at its start is included", async () => {
    const { incidents } = await readHistory("3");
    expect(incidents).toEqual([
      expect.objectContaining({ since: new Date(at(0, "00:00:00")), closedAt: null }),
      expect.objectContaining({ since: new Date(at(2, "10:00:00")) }),
      expect.objectContaining({ since: new Date(at(2, "06:00:00")) }),
      {
        id: expect.stringMatching(/^inc_/),
        url: ADDRESS,
        since: new Date(at(3, "23:30:00")),
        closedAt: new Date(at(2, "00:30:00")),
        reason: "The server answers 500.",
        deployment: null,
      },
    ]);
  });

  test("only production deployments are listed, with their results", async () => {
    await insertDeployment(at(40, "12:00:00"));
    await insertDeployment(at(2, "12:00:00"), "staging");
    const older = await insertDeployment(at(2, "13:00:00"));
    const newer = await insertDeployment(at(1, "13:00:00"));
    const checkId = newId("chk");
    await server.sql`
      insert into checks (id, kind, project_id, host, state, lease_until, score, verdict, ruleset)
      values (${checkId}, 'deployment', ${id}, '127.0.0.1', 'done', now(), 90, 'ship', '2026.2')`;
    await server.sql`update deployments set check_id = ${checkId} where id = ${newer}`;
    await server.sql`
      insert into scores (project_id, deployment_id, score, previous_score, verdict, ruleset, changed)
      values (${id}, ${newer}, 90, 84, 'ship', '2026.2', array['hdr.csp', 'hdr.hsts'])`;
    const shared = { url: ADDRESS, environment: "production", commit: "abc123", ref: "main" };
    expect((await readHistory()).deployments).toEqual([
      {
        ...shared,
        id: newer,
        deployedAt: new Date(at(1, "13:00:00")),
        score: 90,
        verdict: "ship",
        ruleset: "2026.2",
        checkId,
        previousScore: 84,
        changed: ["hdr.csp", "hdr.hsts"],
      },
      {
        ...shared,
        id: older,
        deployedAt: new Date(at(2, "13:00:00")),
        score: null,
        verdict: null,
        ruleset: null,
        checkId: null,
        previousScore: null,
        changed: [],
      },
    ]);
  });
});

describe("as text", () => {
  const print = async (env = {}, ...words: string[]) => {
    const all = { ...server.database.env, ...env };
    const { exitCode, stdout } = await runServerCommand(["history", id, ...words], all);
    expect(exitCode).toBe(0);
    return stdout.split("\n");
  };

  test("in a pipe: events, in fields", async () => {
    const events = await print();
    expect(events.pop()).toBe("");
    expect(events.map((line) => line.split("\t")).map(([, kind, , url]) => [kind, url])).toEqual(
      ["incident", "deployment", "deployment", "incident", "incident", "incident", "incident"].map(
        (kind) => [kind, ADDRESS],
      ),
    );
    const deployment = events.find((line) => line.includes("hdr.hsts"));
    expect(deployment).toMatch(/\t90\t84\tship\thdr\.csp, hdr\.hsts$/);
    expect(events[0]).toMatch(/\tThe server answers 500\.$/);
  });

  test("on a terminal with headings", async () => {
    const lines = await print({ SHIPSCORE_FORCE_TTY: "100" });
    expect(lines.slice(0, 3)).toEqual([
      expect.stringMatching(/^ +DAYS +NEWEST$/),
      "score   ··▆·▇·  91",
      "uptime  ▁·▆▃·▁  0%",
    ]);
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    expect(lines).toContainEqual(expect.stringMatching(/^AT +WHAT +ID/));
  });

  test("as JSON: times are ISO", async () => {
    const history = JSON.parse((await print({}, "--json")).join("\n")) as ProjectHistory;
    expect(Object.keys(history)).toEqual(["days", "incidents", "deployments"]);
    expect(history).toEqual(JSON.parse(JSON.stringify(await readHistory())));
  });
});

test.each<[values: (number | null)[], bottom: number, top: number, line: string]>([
  [[], 0, 100, ""],
  [[0, 50, 100, null], 0, 100, "▁▄█·"],
  [[99.999, -5, 105], 0, 100, "▇▁█"],
  [[1, 0.9999, 0.9, 0.2], 0.9, 1, "█▇▁▁"],
])("a sparkline of %j from %d to %d: only the best is a full bar", (values, bottom, top, line) => {
  expect(drawSparkline(values, { bottom, top })).toBe(line);
});
