import { beforeEach, expect, test } from "vitest";
import { ACTION_WORDS } from "../../server/web/pages/account/events-words.ts";
import { signIn, type Client } from "../harness/application.ts";
import { addPerson, addProject, type Person } from "../harness/people.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const PATH = "/settings/account";
const SITE = "https://127.0.0.1:8443/";

const server = use(startTestServer);
let person: Person;
let other: Person;
let client: Client;
let people = 0;

beforeEach(async () => {
  person = await addPerson(server, `person-${++people}`);
  other = await addPerson(server, `other-${people}`);
  client = await signIn(server, person);
});

interface ShownEvent {
  when: string;
  what: string;
  where: string;
}

/** What the page tells, newest first. */
async function read(
  by = client,
  path = PATH,
): Promise<{ events: ShownEvent[]; next: string | undefined }> {
  const { page } = await by.get(path);
  const words = new Set(Object.values(ACTION_WORDS).flatMap(({ fr, en }) => [fr, en]));
  const events = page.rows.flatMap(([what = "", where = "", when = ""]) =>
    [...words].some((word) => what.startsWith(word)) ? [{ when, what, where }] : [],
  );
  return { events, next: page.links["Next page"] };
}

const insert = (
  action: string,
  values: { actor?: string; actorId?: string; projectId?: string; age?: string },
) =>
  server.sql`
    insert into events (action, account_id, actor, actor_id, project_id, browser, address, at)
    values (${action}, ${person.accountId}, ${values.actor ?? "session"}, ${values.actorId ?? null}, ${values.projectId ?? null},
      'Lynx', '192.0.2.7', now() - ${values.age ?? "0 seconds"}::text::interval)`;

test("actor, action, time and address are listed: for the account itself, the operator", async () => {
  await client.post("/settings/api", { name: "laptop" });
  const { events } = await read();
  expect(events.map(({ what, where }) => [what, where])).toEqual([
    ["Token created laptop", "You, test, 127.0.0.1"],
    ["Signed in", "You, test, 127.0.0.1"],
    ["Token created test", "The administrator of this server"],
    ["Account created", "The administrator of this server"],
  ]);
  expect(events[0]?.when).toMatch(/ago$/);
});

test("in French", async () => {
  const { events } = await read(await signIn(server, person, { language: "fr" }));
  expect(events.at(-1)).toMatchObject({
    what: "Compte créé",
    where: "L'administrateur de ce serveur",
  });
});

test("a browser without a User-Agent has no name", async () => {
  await client.post("/settings/api", { name: "laptop" });
  await server.sql`update events set browser = '' where account_id = ${person.accountId} and browser is not null`;
  expect((await read()).events[0]?.where).toBe("You, 127.0.0.1");
});

test("actions of others are listed without their name or address", async () => {
  await insert("invitation.sent", { actorId: other.accountId });
  const { events } = await read();
  expect(events[0]).toMatchObject({ what: "Invited to a project", where: "Someone else" });
  const { html } = await client.get(PATH);
  for (const hidden of [other.email, other.accountId, "192.0.2.7", "Lynx"])
    expect(html).not.toContain(hidden);
});

test("a project's name is only shown to those who may see it", async () => {
  const own = await addProject(server, person, SITE, "Own project");
  const foreign = await addProject(server, other, SITE, "Foreign project");
  await insert("invitation.sent", { actorId: other.accountId, projectId: foreign });
  await insert("hand_over.accepted", { actorId: person.accountId, projectId: own });
  const { html } = await client.get(PATH);
  expect(html).toContain(`<a href="/projects/${own}">Own project</a>`);
  expect(html).not.toContain("Foreign project");
  expect(html).toContain(foreign);
});

test("nothing of another account, and nothing older than 90 days is listed", async () => {
  await insert("account.plan_changed", { actor: "operator", age: "90 days 1 minute" });
  await insert("account.email_changed", { actorId: person.accountId, age: "89 days 23 hours" });
  await server.perform("account edit", { email: other.email, plan: "pro" });
  const { events } = await read();
  expect(events.map(({ what }) => what)).not.toContain("Plan changed");
  expect(events.map(({ what }) => what)).toContain("E-mail address changed");
});

test("an action of another release is shown as recorded", async () => {
  await insert("rocket.launched", { actor: "operator" });
  expect((await client.get(PATH)).page.text).toContain("rocket.launched");
});

test("a long list has pages, with each line once", async () => {
  await server.sql`insert into events (action, account_id, actor, details)
    select 'account.plan_changed', ${person.accountId}, 'operator', jsonb_build_object('to', 'plan-' || n)
    from generate_series(1, 120) n`;
  const seen: string[] = [];
  let path: string | undefined = PATH;
  while (path !== undefined) {
    const { events, next }: Awaited<ReturnType<typeof read>> = await read(client, path);
    seen.push(...events.map(({ what }) => what));
    path = next;
  }
  expect(seen.filter((what) => what.startsWith("Plan changed"))).toEqual(
    Array.from({ length: 120 }, (_, index) => `Plan changed plan-${120 - index}`),
  );
});

test.each(["x", "-1", "99999999999999999999", "1;", ""])(
  "an invalid page number (%j) shows a page, not an error",
  async (before) => {
    expect((await client.get(`${PATH}?before=${encodeURIComponent(before)}`)).status).toBe(200);
  },
);

test("a project's name cannot reverse the line", async () => {
  const projectId = await addProject(server, other, SITE, "Tea \u202eshop");
  await server.sql`
    insert into memberships (project_id, account_id, accepted_at) values (${projectId}, ${person.accountId}, now())`;
  await insert("invitation.accepted", { actorId: other.accountId, projectId });
  const { html } = await client.get(PATH);
  expect(html).toContain("Tea shop");
  expect(html).not.toContain("\u202e");
});
