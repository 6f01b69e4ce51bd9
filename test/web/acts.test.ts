import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { newId } from "../../server/db/id.ts";
import { acceptHandOver, offerProject } from "../../server/projects/hand-over.ts";
import {
  acceptInvitation,
  declineInvitation,
  shareProject,
} from "../../server/projects/invitations.ts";
import { leaveProject } from "../../server/projects/members.ts";
import { addHook } from "../../server/projects/hooks.ts";
import { unwatchUrl, watchUrl } from "../../server/projects/watching.ts";
import { announceIncident } from "../../server/db/alerts/outbox.ts";
import { createCleanUp } from "../../server/watching/retention.ts";
import { addTarget, openOne } from "../harness/alerts.ts";
import { signIn, type Client, type PageAnswer } from "../harness/application.ts";
import { deliver } from "../harness/deployment-hosts.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { startReceiver } from "../harness/receiver.ts";
import { columnOf } from "../harness/rows.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const ADDRESS = "https://127.0.0.1:8443/";
const TEA = `${ADDRESS}tea`;

let server: TestServer;
const receiver = use(startReceiver);
let people: Record<"alice" | "bob" | "carol", Person>;
let alice: Client;
let project: string;
const path = (rest = "") => `/projects/${project}/settings${rest}`;

beforeAll(async () => {
  server = await startTestServer({ roots: [receiver.authority.certificate] });
  people = await addPeople(server);
});
beforeEach(async () => {
  await server.sql`update projects set owner_id = null`;
  project = await addProject(server, people.alice, ADDRESS, "Café");
  await shareProject(server.deps, OPERATOR, project, people.bob.email);
  await acceptInvitation(server.deps, actorOf(people.bob), project);
  alice = await signIn(server, people.alice);
});
afterAll(() => server.close());

/** What the page says was done, and its form that undoes it. */
const saidOn = ({ html }: PageAnswer) =>
  /role="status"[^>]*>\s*<p>(.*?)<\/p>/s.exec(html)?.[1]?.replaceAll("&#39;", "'");
const undoOn = ({ page }: PageAnswer) => page.buttons.find((name) => name === "Undo") ?? "";

/** Presses a button of a page of the settings; returns the page that follows. */
async function press(page: string, button: string | RegExp, typed: Record<string, string> = {}) {
  const form = await alice.get(path(page));
  const name = form.page.buttons.find((each) =>
    typeof button === "string" ? each === button : button.test(each),
  );
  return alice.follow(await alice.press(form, name ?? String(button), typed));
}

const watch = () => watchUrl(server.deps, OPERATOR, project, TEA);
const removeTea = async () => {
  await watch();
  return press("/urls", `Remove ${TEA}`);
};

describe("said", () => {
  test.each<[page: string, button: string, typed: Record<string, string>, said: string]>([
    ["", "Save", { name: "Tea" }, "Saved."],
    ["", "Save", { url: TEA }, "Saved. First result of the new address in a few seconds."],
    ["/urls", "Watch", { urls: TEA }, "Added 1 URL. First result in a few seconds."],
    [
      "/urls",
      "Watch",
      { urls: `${TEA}\n${TEA}2` },
      "Added 2 URLs. First results in a few seconds.",
    ],
    ["/urls", "Watch", { urls: ADDRESS }, "Nothing to add: all of this is watched already."],
    [
      "/people",
      "Invite",
      { email: "x@example.org" },
      "x@example.org is invited. This server sends no e-mail: tell this person to answer on their Projects page.",
    ],
    ["/badge", "Switch on the badge", {}, "Badge switched on. Copy its address below."],
  ])("%s %s %j", async (page, button, typed, said) => {
    const answer = await press(page, button, typed);
    expect(saidOn(answer)).toBe(said);
    expect(undoOn(answer)).toBe("");
  });

  test("to the account that did it alone, on the project's pages, for ten minutes", async () => {
    const form = await alice.get(path("/urls"));
    const { location = "" } = await alice.press(form, "Watch", { urls: TEA });
    const other = await addProject(server, people.alice, ADDRESS, "Other");
    const bob = await signIn(server, people.bob);
    const { search } = new URL(location, ADDRESS);
    expect(saidOn(await alice.get(location))).toMatch(/^Added/);
    expect(saidOn(await alice.get(`/projects/${other}/settings/urls${search}`))).toBeUndefined();
    expect(saidOn(await bob.get(`/projects/${project}/settings${search}`))).toBeUndefined();
    for (const did of ["", "x", "%00", newId("act")])
      expect(saidOn(await alice.get(path(`/urls?did=${did}`)))).toBeUndefined();
    await server.sql`update acts set at = now() - interval '10 minutes'`;
    expect(saidOn(await alice.get(location))).toBeUndefined();
  });

  test("of the newest hundred; retention removes the others", async () => {
    await server.sql`
      insert into acts (id, account_id, project_id, kind, parameters, at)
      select 'act_' || n, ${people.alice.accountId}, ${project}, 'badge.on', '{}', now() - interval '1 minute'
      from generate_series(1, 150) n`;
    await press("", "Save");
    const count = () => columnOf<number>(server.sql`select count(*)::int from acts`);
    expect(await count()).toEqual([100]);
    await server.sql`update acts set at = now() - interval '11 minutes' where id like 'act\\__'`;
    await createCleanUp(server.sql, new AbortController().signal)();
    expect((await count())[0]).toBeLessThan(100);
  });
});

describe("undo is refused", () => {
  const undo = (client: Client, page: string, act: string) =>
    client.post(path(`${page}/undo`), { act });
  const actOf = ({ page }: PageAnswer) =>
    page.formOf(undoOn({ page } as PageAnswer)).fields["act"]?.value ?? "";

  test("to anybody else, and to a former owner", async () => {
    const act = actOf(await removeTea());
    const [bob, carol] = [await signIn(server, people.bob), await signIn(server, people.carol)];
    expect([
      (await undo(bob, "/urls", act)).status,
      (await undo(carol, "/urls", act)).status,
    ]).toEqual([403, 404]);
    await offerProject(server.deps, OPERATOR, project, people.bob.email);
    await acceptHandOver(server.deps, actorOf(people.bob), project);
    expect((await undo(alice, "/urls", act)).status).toBe(403);
    expect((await undo(bob, "/urls", act)).status).toBe(422);
  });

  test.each<[why: string, before: () => Promise<unknown>, said: RegExp]>([
    [
      "after ten minutes",
      () => server.sql`update acts set at = now() - interval '10 minutes'`,
      /Too late to undo/,
    ],
    ["where its place is taken", watch, /something else has taken its place/],
    [
      "where there is no room",
      () => server.sql`
        insert into watched_urls (id, project_id, url)
        select 'url_' || n || right(${project}, 12), ${project}, 'https://full.example/' || n from generate_series(1, 999) n`,
      /the limit is reached/,
    ],
  ])("%s", async (_, before, said) => {
    const removed = await removeTea();
    const act = actOf(removed);
    await before();
    const answer = await undo(alice, "/urls", act);
    expect([answer.status, answer.page.text]).toEqual([422, expect.stringMatching(said)]);
  });

  test("for what was never done", async () => {
    for (const act of ["", "\0", newId("act")])
      expect((await undo(alice, "/urls", act)).status).toBe(422);
  });
});

describe("undone within ten minutes, twice by a double click, all is as it was", () => {
  async function undoTwice(removed: PageAnswer): Promise<PageAnswer> {
    const button = undoOn(removed);
    const [first] = [await alice.press(removed, button), await alice.press(removed, button)].map(
      ({ status, location }) => ({ status, location }),
    );
    expect(first?.status).toBe(303);
    return alice.get(first?.location ?? "");
  }

  test("a watched URL, with its newest check, its looks and its past", async () => {
    const id = await watch();
    const check = newId("chk");
    await server.sql`
      insert into checks (id, kind, project_id, host, state, lease_until) values (${check}, 'cycle', ${project}, 'x', 'done', now())`;
    await server.sql`
      update watched_urls set score = 87, scored_at = now(), newest_check_id = ${check} where id = ${id}`;
    await server.sql`
      update looks set first_looked_at = now() - interval '1 day', verified_at = now(), last_outcome = 'good', streak = 7,
        hour = date_trunc('hour', now()), looks = 5, first_byte_sum = 100
      where number = (select number from watched_urls where id = ${id})`;
    const incident = newId("inc");
    await server.sql`
      insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at)
      values (${incident}, ${id}, ${project}, ${TEA}, now(), '{"fr": "x", "en": "x"}', now())`;
    await addTarget(server, project, receiver.at("/alerts"), { after: 30 });
    await announceIncident(server.sql, "incident.opened", incident);
    const state = () =>
      columnOf(server.sql`
      select case when closed_at is null then 'open' else 'closed' end as state from incidents where project_id = ${project}
      union all select state from projects where id = ${project}
      union all select type from messages where project_id = ${project} and state = 'pending'
      union all select 'due' from alerts where project_id = ${project} and due_at is not null`);
    const read = () => server.sql`
      select watched_urls.*, first_looked_at, verified_at, last_outcome, streak, hour, looks.looks, first_byte_sum,
        (select count(*)::int from checks where id = newest_check_id) as checks
      from watched_urls join looks using (number) where watched_urls.id = ${id}`;
    const before = await read();
    const removed = await press("/urls", `Remove ${TEA}`);
    expect(saidOn(removed)).toBe("Removed /tea. It is not watched any more.");
    expect([await read(), (await server.sql`select from looks where looks = 5`).length]).toEqual([
      [],
      0,
    ]);
    await server.sql`update alerts set due_at = null`;
    expect(await state()).toEqual(["closed", "unknown"]);
    const back = await undoTwice(removed);
    expect(await state()).toEqual(["open", "degraded", "incident.opened", "due"]);
    expect(saidOn(back)).toBe("/tea is watched again, with its history.");
    expect(await read()).toEqual(before);
    expect(back.page.buttons).toContain(`Remove ${TEA}`);
  });

  test("what is not taken back is forgotten: its newest check goes with the act", async () => {
    const id = await watch();
    const check = newId("chk");
    await server.sql`
      insert into checks (id, kind, project_id, host, state, lease_until) values (${check}, 'cycle', ${project}, 'x', 'done', now())`;
    await server.sql`update watched_urls set newest_check_id = ${check} where id = ${id}`;
    await press("/urls", `Remove ${TEA}`);
    const count = () => server.sql`select id from checks where id = ${check}`;
    expect(await count()).toHaveLength(1);
    await server.sql`update acts set at = now() - interval '10 minutes'`;
    await createCleanUp(server.sql, new AbortController().signal)();
    expect(await count()).toEqual([]);
    await watch();
    await server.sql`update watched_urls set newest_check_id = ${check} where project_id = ${project}`;
    await server.sql`
      insert into checks (id, kind, project_id, host, state, lease_until) values (${check}, 'cycle', ${project}, 'x', 'done', now())`;
    await unwatchUrl(server.deps, OPERATOR, project, { url: TEA });
    expect(await count()).toEqual([]);
  });

  test("a member, who sees nothing meanwhile", async () => {
    const bob = await signIn(server, people.bob);
    const removed = await press("/people", `Remove ${people.bob.email}`);
    expect((await bob.get(`/projects/${project}`)).status).toBe(404);
    expect(saidOn(await undoTwice(removed))).toBe(`${people.bob.email} is a member again.`);
    expect((await bob.get(`/projects/${project}`)).status).toBe(200);
  });

  test("no member who left or declined since", async () => {
    const bob = actorOf(people.bob);
    for (const answer of ["leave", "decline"]) {
      const removed = await press("/people", `Remove ${people.bob.email}`);
      await shareProject(server.deps, OPERATOR, project, people.bob.email);
      if (answer === "decline") await declineInvitation(server.deps, bob, project);
      else {
        await acceptInvitation(server.deps, bob, project);
        await leaveProject(server.deps, bob, project);
      }
      const { page } = await alice.press(removed, "Undo");
      expect([answer, page.text]).toEqual([answer, expect.stringContaining("Too late to undo")]);
      await shareProject(server.deps, OPERATOR, project, people.bob.email);
      await acceptInvitation(server.deps, bob, project);
    }
  });

  test("a hook, with its secret and what it received; the last one is asked for", async () => {
    const { id, secret = "" } = await addHook(server.deps, OPERATOR, project, {
      provider: "plain",
    });
    const hook = { id, url: `${server.url}/hooks/${id}`, secret, provider: "plain" as const };
    const send = async () => (await deliver(hook, { type: "deployment.failed" })).status;
    expect(await send()).toBe(200);
    await server.deps.work.end();
    const shown = await alice.get(`/projects/${project}/hooks/${id}`);
    const form = shown.page.formOf(`Remove Other (Standard Webhooks) …${id.slice(-4)}`);
    expect(form.method).toBe("get");
    const asked = await alice.get(form.action);
    expect(asked.page.h1).toBe("Remove the last hook of Café?");
    const [bob, carol] = [await signIn(server, people.bob), await signIn(server, people.carol)];
    const question = `/projects/${project}/hooks/${id}/remove`;
    expect([(await bob.get(question)).status, (await carol.get(question)).status]).toEqual([
      403, 404,
    ]);
    const removed = await alice.follow(await alice.press(asked, asked.page.buttons[0] ?? ""));
    expect(await send()).toBe(401);
    expect(saidOn(await undoTwice(removed))).toMatch(/is back, with the same secret/);
    expect(await send()).toBe(200);
    await server.deps.work.end();
    expect(await server.sql`select from hook_deliveries where hook_id = ${id}`).toHaveLength(2);
    expect((await alice.get(path("/hooks"))).html).not.toContain(secret);
  });

  test("an alert, which is told nothing meanwhile, with its deliveries", async () => {
    const { id } = await addTarget(server, project, receiver.at(project));
    await openOne(server, project);
    await receiver.nth(project, 1);
    await server.deps.work.end();
    const read = () => server.sql`select id, type, state from messages where alert_id = ${id}`;
    const before = await read();
    const removed = await press(`/../alerts/${id}`, /^Remove Webhook/);
    expect([await read(), (await server.sql`select from alerts where id = ${id}`).length]).toEqual([
      [],
      0,
    ]);
    expect(saidOn(await undoTwice(removed))).toMatch(/is back. What waited is sent now./);
    expect(await read()).toEqual(before);
    await openOne(server, project);
    await receiver.nth(project, 2);
  });

  test("the badge, at its address", async () => {
    await press("/badge", "Switch on the badge");
    const [badge = ""] = /\/badge\/\w{22}\.svg/.exec((await alice.get(path("/badge"))).html) ?? [];
    const removed = await press("/badge", "Switch off the badge");
    const status = async () => (await fetch(new URL(badge, server.url))).status;
    expect(await status()).toBe(404);
    await undoTwice(removed);
    expect(await status()).toBe(200);
  });
});
