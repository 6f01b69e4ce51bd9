import { beforeEach, describe, expect, inject, test } from "vitest";
import { WEEKDAYS } from "../../server/base/syntax/local-time.ts";
import { fragment } from "../../server/db/driver/fragment.ts";
import { findHistory } from "../../server/db/projects/history.ts";
import { NO_LOOK, type Look } from "../../server/engine/judge/look-outcome.ts";
import { endMaintenance as endAll } from "../../server/watching/maintenance.ts";
import { createLookout, lookAtClaimed } from "../../server/watching/lookout.ts";
import { hold } from "../harness/locks.ts";
import { claimDue } from "../harness/looks.ts";
import { actorOf, addPeople, addProject } from "../harness/people.ts";
import { columnOf, valueOf } from "../harness/rows.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const ADDRESS = "https://example.com/";
const CART = `${ADDRESS}cart`;
const UNKNOWN = "mnt_00000000000000000000";
const GOOD: Look = { ...NO_LOOK, outcome: "good", isAnswered: true, isOwnFault: false };
const reason = { fr: "Statut 500.", en: "Status 500." };
const FAILED: Look = { ...GOOD, outcome: "failed", reason };

interface Listed {
  id: string;
  from: Date;
  to: Date;
  state: string;
}

const server = useServer();
const people = use(() => addPeople(server));
let project: string;
beforeEach(async () => {
  await server.sql`update projects set owner_id = null`;
  await server.sql`delete from watched_urls`;
  project = await addProject(server, people.alice, ADDRESS);
  await server.sql`insert into watched_urls (id, project_id, url) values (${`url_cart${project.slice(-8)}`}, ${project}, ${CART})`;
  // Somebody else sends what it is told.
  await server.sql`
    insert into alerts (id, project_id, kind, target, host, tells_incidents, tells_ships, tells_drops, claim_id, lease_until)
    values (${`alr${project.slice(3)}`}, ${project}, 'slack', '', 'example.com', true, false, false, 'x', now() + interval '1 day')`;
});

const perform = <Result = { id: string }>(name: string, input: object = {}) =>
  server.perform<Result>(name, { project, ...input });
const add = async (input: object = {}) =>
  (await perform("maintenance add", { from: "now", to: "2099-01-01T00:00Z", ...input })).id;
const windows = () => perform<Listed[]>("maintenance list");
const incidents = (all = false) =>
  perform<{ id: string; url: string; since: Date }[]>("incident list", { all });
const messages = () =>
  columnOf<string>(server.sql`
    select type || ' ' || (data #>> '{incident,url}') from messages where project_id = ${project} order by created_at, id`);

/** Looks at all URLs as if all were due. */
async function look(outcome: Look, only?: string): Promise<void> {
  await server.sql`update looks set due_at = now() where due_at < 'infinity'`;
  for (const claimed of await claimDue(server)) {
    const seen = only === undefined || claimed.url === only ? outcome : GOOD;
    const visit = async () => ({ look: seen, check: null });
    const judgement = { confirm: async (found: Look) => found };
    const lookout = { ...createLookout(server.deps), visit, judgement };
    await lookAtClaimed(server.deps, lookout, claimed, {
      verifies: false,
    });
  }
}
/** Makes everything older. */
const age = async (minutes: number) => {
  const by = `${minutes} minutes`;
  await server.sql`update maintenance set starts_at = starts_at - ${by}::interval, ends_at = ends_at - ${by}::interval where ends_at > now()`;
  await server.sql`
    update looks set failing_since = failing_since - ${by}::interval, first_looked_at = first_looked_at - ${by}::interval`;
};

describe("a window is rejected", () => {
  test.each([
    [
      "that ends before it begins",
      { from: "2098-01-02T00:00Z", to: "2098-01-01T00:00Z" },
      /end after its start/,
    ],
    ["that is over", { from: "2020-01-01T00:00Z", to: "2020-01-02T00:00Z" }, /and in the future/],
    ["of a time that is none", { from: "tomorrow" }, /tomorrow is not a time/],
    ["of a day that is none", { from: "2098-02-30T00:00Z" }, /is not a time/],
    ["of a local time without a zone", { to: "2098-01-01T00:00" }, /has no offset/],
    ["in an unknown zone", { zone: "Europe/Nowhere" }, /IANA/],
    ["on an unknown day", { weekly: "someday", from: "02:00", to: "03:00" }, /monday/],
    ["that comes each week at a date", { weekly: "sunday" }, /HH:MM/],
    [
      "that comes each week and lasts for none",
      { weekly: "sunday", from: "02:00", to: "02:00" },
      /end after/,
    ],
    ["of a URL that is not watched", { urls: [`${ADDRESS}other`] }, /does not watch/],
    ["with a note of two lines", { note: "a\nb" }, /one line/],
  ])("%s", async (_what, input, words) => {
    await expect(add(input)).rejects.toThrow(words);
    expect(await windows()).toEqual([]);
  });

  test("if it is the twenty-first planned one, until one has ended", async () => {
    const [first] = await Promise.all(Array.from({ length: 20 }, () => add()));
    await expect(add()).rejects.toThrow(/20 running or planned maintenance windows/);
    await server.perform("maintenance end", { id: first });
    await expect(server.perform("maintenance end", { id: first })).rejects.toThrow(/already over/);
    expect(await add()).toMatch(/^mnt_/);
  });

  test("if the window to end is unknown, or belongs to someone else, with the same error", async () => {
    await expect(server.perform("maintenance end", { id: UNKNOWN })).rejects.toThrow(
      /no maintenance window/,
    );
    const { endMaintenance } = await import("../../server/projects/maintenance.ts");
    const id = await add();
    await expect(endMaintenance(server.deps, actorOf(people.carol), id)).rejects.toMatchObject({
      code: "maintenance_not_found",
      parameters: { id },
    });
  });
});

describe("a failure during maintenance", () => {
  test("is no incident, in no list, and sends no message", async () => {
    await add();
    for (const outcome of [FAILED, FAILED, FAILED, GOOD, GOOD]) await look(outcome);
    expect([await incidents(true), await messages()]).toEqual([[], []]);
  });

  test("that continues after it is an incident from the first failed probe on, and uptime ignores the window", async () => {
    await look(GOOD);
    const id = await add({ note: "new shelves" });
    for (let minute = 0; minute < 3; minute++) await look(FAILED, ADDRESS);
    await age(60);
    await server.perform("maintenance end", { id });
    const since = await valueOf<Date>(
      server.sql`select failing_since from looks where failing_since is not null`,
    );
    expect(await incidents()).toEqual([]);
    await look(FAILED, ADDRESS);
    const [incident] = await incidents();
    expect(incident).toMatchObject({
      url: ADDRESS,
      since,
      acknowledgedAt: null,
      silencedUntil: null,
      locations: null,
    });
    expect(await messages()).toEqual([`incident.opened ${ADDRESS}`]);
    await server.sql`update looks set first_looked_at = now() - interval '3 hours'`;
    const history = await findHistory(server.sql, project, 1, "en");
    // Soon after midnight hardly more than the window is of this day.
    const isEarly = new Date().getUTCHours() < 2;
    expect((history?.days[0]?.uptime ?? 0) > 0.9 || isEarly).toBe(true);
    expect(await windows()).toMatchObject([
      { id, state: "over", note: "new shelves", urls: null, weekly: null, zone: null },
    ]);
  });

  test("is probed immediately when the window ends, even if its site asked for a longer wait", async () => {
    const id = await add();
    await look({ ...FAILED, retryAfterSeconds: 3600 });
    await look({ ...FAILED, retryAfterSeconds: 3600 });
    expect(await claimDue(server)).toEqual([]);
    await server.sql`update maintenance set ends_at = now() where id = ${id}`;
    await endAll(server.deps);
    // The server may be ending it itself.
    await expect.poll(() => claimDue(server)).toHaveLength(2);
  });

  test.runIf(inject("database") === "postgres")(
    "is not held up by another window whose URLs are locked",
    async () => {
      await add({ urls: [CART] });
      await add({ urls: [ADDRESS] });
      for (let count = 0; count < 2; count++) await look({ ...FAILED, retryAfterSeconds: 3600 });
      const lookOfAddress = fragment`looks where number = (
        select number from watched_urls where project_id = ${project} and is_address)`;
      const release = await hold(
        server.deps.database,
        (sql) => sql`select from ${lookOfAddress} for update`,
      );
      // The first window of the two ends first.
      await server.sql`
        update maintenance set ends_at = now() - case when urls ? ${CART} then interval '2 s' else interval '1 s' end,
          starts_at = now() - interval '1 hour' where project_id = ${project}`;
      const ending = endAll(server.deps);
      await expect.poll(() => claimDue(server)).toMatchObject([{ url: CART }]);
      await release();
      await ending;
      await expect.poll(() => claimDue(server)).toMatchObject([{ url: ADDRESS }]);
    },
  );

  test("of a URL outside the window is an incident", async () => {
    await add({ urls: [CART] });
    for (let count = 0; count < 2; count++) await look(FAILED);
    expect((await incidents()).map(({ url }) => url)).toEqual([ADDRESS]);
  });

  test("is no incident while one of two overlapping windows still runs", async () => {
    const [one, other] = [await add(), await add({ urls: [CART] })];
    for (let count = 0; count < 3; count++) await look(FAILED);
    await server.perform("maintenance end", { id: one });
    await look(FAILED);
    expect((await incidents()).map(({ url }) => url)).toEqual([ADDRESS]);
    await server.perform("maintenance end", { id: other });
    await look(FAILED);
    expect((await incidents()).map(({ url }) => url).toSorted()).toEqual([ADDRESS, CART]);
  });

  test("that started before it stays an incident, whose end is announced", async () => {
    for (let count = 0; count < 2; count++) await look(FAILED, CART);
    await add();
    await look(FAILED, CART);
    expect(await incidents()).toHaveLength(1);
    for (let count = 0; count < 2; count++) await look(GOOD);
    expect(await messages()).toEqual([`incident.opened ${CART}`, `incident.closed ${CART}`]);
  });
});

describe("a window", () => {
  test("uses the clocks of its zone: a skipped hour is one later, a repeated one counts twice", async () => {
    const zone = "Europe/Paris";
    await add({ zone, from: "2098-03-30T02:30", to: "2098-03-30T04:00" });
    await add({ zone, from: "2098-10-26T02:15", to: "2098-10-26T02:45" });
    expect(await windows()).toMatchObject([
      {
        from: new Date("2098-03-30T01:30Z"),
        to: new Date("2098-03-30T02:00Z"),
        zone,
        state: "planned",
      },
      { from: new Date("2098-10-26T00:15Z"), to: new Date("2098-10-26T01:45Z") },
    ]);
  });

  test("that the clocks would skip begins at the skip", async () => {
    await add({ zone: "Europe/Paris", from: "2098-03-30T02:30", to: "2098-03-30 03:30" });
    expect(await windows()).toMatchObject([
      { from: new Date("2098-03-30T01:00Z"), to: new Date("2098-03-30T01:30Z") },
    ]);
  });

  test("that is weekly moves on, ends once or for good, and uptime knows its times", async () => {
    const weekly = WEEKDAYS[(new Date().getUTCDay() + 3) % 7]!;
    const typed = weekly.slice(0, 3).toUpperCase();
    const id = await add({ weekly: typed, from: "02:00", to: "04:00", zone: "Europe/Paris" });
    const [first] = await windows();
    expect(first).toMatchObject({ id, weekly, zone: "Europe/Paris", state: "planned" });
    await server.perform("maintenance end", { id });
    const [second] = await windows();
    const days = (second!.from.getTime() - first!.from.getTime()) / 86_400_000;
    expect(Math.round(days)).toBe(7);
    await server.sql`update maintenance set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour'`;
    await endAll(server.deps);
    // The server may be ending it itself.
    await expect.poll(windows).toMatchObject([{ from: first!.from, state: "planned" }]);
    await server.perform("maintenance remove", { id });
    await endAll(server.deps);
    await expect.poll(windows).toMatchObject([{ id, state: "over" }]);
    const past = await valueOf<string>(
      server.sql`select (upper(past) - lower(past))::text from maintenance where id = ${id}`,
    );
    expect(past).toBe("01:00:00");
  });

  test("is canceled before it starts", async () => {
    const id = await add({ from: "2098-01-01T00:00Z" });
    await server.perform("maintenance end", { id });
    expect(await windows()).toMatchObject([{ state: "over" }]);
    for (let count = 0; count < 2; count++) await look(FAILED);
    expect(await incidents()).toHaveLength(2);
  });
});

describe("a URL that is paused", () => {
  const pause = (url = ADDRESS) => perform("project pause", { url });
  const states = () =>
    perform<object[]>("project urls").then((urls) =>
      urls.map((url) => ({ ...url, id: undefined })),
    );

  test("must be watched", async () => {
    await expect(pause(`${ADDRESS}other`)).rejects.toThrow(/does not watch/);
  });

  test("is not probed, and its incident closes without a message; resumed, it is probed immediately", async () => {
    for (let count = 0; count < 2; count++) await look(FAILED, ADDRESS);
    expect(await valueOf(server.sql`select state from projects where id = ${project}`)).toBe(
      "down",
    );
    await pause();
    await pause();
    expect(await incidents()).toEqual([]);
    expect(await messages()).toEqual([]);
    expect(await states()).toMatchObject([{ state: "unknown", paused: true }, { paused: false }]);
    expect(await valueOf(server.sql`select state from projects where id = ${project}`)).toBe(
      "unknown",
    );
    await server.sql`update looks set due_at = now() where due_at < 'infinity'`;
    expect((await claimDue(server)).map(({ url }) => url)).toEqual([CART]);
    await server.sql`update looks set claim_id = null, lease_until = null`;
    await perform("project resume", { url: ADDRESS });
    await look(GOOD);
    expect(await valueOf(server.sql`select state from projects where id = ${project}`)).toBe("up");
    expect(await states()).toMatchObject([{ state: "up", paused: false }, { state: "up" }]);
  });

  test("ignores the result of a running probe", async () => {
    const claimed = await claimDue(server);
    await pause();
    const visit = async () => ({ look: FAILED, check: null });
    const lookout = { ...createLookout(server.deps), visit };
    for (const one of claimed) await lookAtClaimed(server.deps, lookout, one, { verifies: false });
    expect(await states()).toMatchObject([{ state: "unknown", paused: true }, {}]);
  });
});

describe("a project's pace", () => {
  const edit = (input: object) => server.perform("project edit", { id: project, ...input });
  test.each([
    [{}, /nothing to edit/],
    [{ interval: "59" }, /at least 60 s/],
    [{ interval: "3601" }, /1 to 3600/],
    [{ interval: "1.5" }, /1 to 3600/],
    [{ failures: "1" }, /2 to 5/],
    [{ failures: "6" }, /2 to 5/],
  ])("%j is rejected", async (input, words) => {
    await expect(edit(input)).rejects.toThrow(words);
  });

  test("applies to its URLs, including later ones, and to the failures that open an incident", async () => {
    await edit({ interval: "60", failures: "3" });
    await look(GOOD);
    const within = () =>
      columnOf<boolean>(
        server.sql`select due_at between now() and now() + interval '61 seconds' from looks`,
      );
    expect(await within()).toEqual([true, true]);
    for (let count = 0; count < 2; count++) await look(FAILED);
    expect(await incidents()).toEqual([]);
    await look(FAILED);
    expect(await incidents()).toHaveLength(2);
    await server.sql`insert into watched_urls (id, project_id, url) values (${`url_x${project.slice(-9)}`}, ${project}, ${`${ADDRESS}x`})`;
    expect(await columnOf(server.sql`select distinct interval_seconds from looks`)).toEqual([60]);
    await edit({ interval: "none" });
    expect(await columnOf(server.sql`select distinct interval_seconds from looks`)).toEqual([null]);
  });
});
