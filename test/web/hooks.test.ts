import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { signIn, type Client } from "../harness/application.ts";
import { deliver, payloadOf, sendToHook } from "../harness/deployment-hosts.ts";
import { expectSoundPage } from "../harness/html.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
import { HOOK_PROVIDERS } from "../../server/base/hook-providers.ts";
import { acceptHandOver, offerProject } from "../../server/projects/hand-over.ts";
import { REPORTING } from "../../server/web/pages/project/hook-page.tsx";
import { readBlocks } from "../ci/blocks.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(startTestServer);
let people: Record<"alice" | "bob" | "carol", Person>;
let alice: Client;
let project: string;
const path = (rest = "") => `/projects/${project}${rest}`;

beforeAll(async () => {
  people = await addPeople(server);
});
beforeEach(async () => {
  await server.sql`update projects set owner_id = null`;
  project = await addProject(server, people.alice, "https://127.0.0.1:9/", "Café");
  alice = await signIn(server, people.alice);
});

const settings = (client = alice) => client.get(path("/settings/hooks"));
const pageOf = (id: string, client = alice) => client.get(path(`/hooks/${id}`));
const listed = () =>
  server.sql<{ id: string; provider: string }>`
    select id, provider from hooks where project_id = ${project} order by created_at, id`;
const secretIn = (html: string) =>
  /<input[^>]*id="secret"[^>]*value="([^"]*)"/.exec(html)?.[1] ??
  /value="([^"]*)"[^>]*id="secret"/.exec(html)?.[1] ??
  "";

async function add(provider: string): Promise<{ id: string; url: string; secret: string }> {
  const answer = await alice.press(await settings(), "Add the incoming webhook", { provider });
  expect(answer.status).toBe(provider === "vercel" ? 303 : 200);
  const hook = (await listed()).at(-1);
  const id = hook?.id ?? "";
  return { id, url: `${server.url}/hooks/${id}`, secret: secretIn(answer.html) };
}

/** The page of a hook, which says what was done. */
const doneOn = (id: string) => `${path(`/hooks/${id}`)}?done=hook-rotated#done`;

const SAVE = "Save the secret";
const TEST = "Test the incoming webhook";

describe("rejected", () => {
  test("for everyone but the owner: the page and its forms", async () => {
    const { id } = await add("plain");
    const read = () => server.sql`select * from hooks where project_id = ${project}`;
    const before = await read();
    await shareProject(server.deps, OPERATOR, project, people.bob.email);
    await acceptInvitation(server.deps, actorOf(people.bob), project);
    const bob = await signIn(server, people.bob);
    const carol = await signIn(server, people.carol);
    const unknown = await carol.get("/projects/prj_00000000000000000000/hooks/x");
    for (const client of [bob, carol]) {
      const { status, page } = await pageOf(id, client);
      expect([status, page.text]).toEqual([404, unknown.page.text]);
    }
    const gone = "hook_00000000000000000000";
    expect((await pageOf(gone)).page.text).toBe(unknown.page.text);
    const fields = { provider: "plain", hook: id };
    for (const form of [
      "/settings/hooks",
      ...[id, gone].flatMap((hook) =>
        ["rotate", "test", "remove", "reporting", "reporting/off"].map(
          (verb) => `/hooks/${hook}/${verb}`,
        ),
      ),
    ]) {
      expect([form, (await bob.post(path(form), fields)).status]).toEqual([form, 403]);
      expect([form, (await carol.post(path(form), fields)).status]).toEqual([form, 404]);
      const foreign = await alice.post(path(form), fields, { "sec-fetch-site": "cross-site" });
      expect([form, foreign.status]).toEqual([form, 403]);
    }
    expect(await read()).toEqual(before);
    expect((await bob.get(path("/settings"))).html).not.toContain(id);
  });

  test("an unknown provider, at the field", async () => {
    const answer = await alice.post(path("/settings/hooks"), { provider: "heroku" });
    expect(answer.status).toBe(422);
    expect(answer.html).toContain("Choose a provider from the list.");
    expect(await listed()).toEqual([]);
  });

  test.each([["two words of Vercel"], [""]])("the secret %j, at the field", async (typed) => {
    const { id } = await add("vercel");
    const answer = await alice.press(await pageOf(id), SAVE, {
      hook_secret: typed,
    });
    expect(answer.status).toBe(422);
    expect(answer.page.problems["hook_secret"]).toContain("A secret is one line of 1 to 500");
    expect(answer.html).not.toContain("two words of Vercel");
    expect(secretIn(answer.html)).toBe("");
  });

  test("the webhook of another owner's project", async () => {
    const { id } = await add("plain");
    const others = await addProject(server, people.carol, "https://127.0.0.1:9/");
    const carol = await signIn(server, people.carol);
    expect((await carol.get(`/projects/${others}/hooks/${id}`)).status).toBe(404);
    for (const verb of ["rotate", "test", "remove"])
      expect((await carol.post(`/projects/${others}/hooks/${id}/${verb}`)).status).toBe(404);
    expect(await listed()).toMatchObject([{ id }]);
  });

  test("a webhook that was removed in another tab: the page is out of date", async () => {
    const { id } = await add("plain");
    const page = await pageOf(id);
    await server.sql`delete from hooks where id = ${id}`;
    for (const button of [SAVE, TEST])
      expect([button, (await alice.press(page, button)).status]).toEqual([button, 409]);
  });
});

test.each(HOOK_PROVIDERS)(
  "the page of a webhook of %s has its URL and the steps",
  async (provider) => {
    const { id, secret } = await add(provider);
    const shown = await pageOf(id);
    expectSoundPage(shown.html, "en");
    expect(shown.html).toContain(`value="${server.deps.site.origin}/hooks/${id}"`);
    expect(shown.page.text).toContain("Waiting for the first event");
    expect(shown.page.buttons).toContain(`Copy ${id}`);
    expect(secret === "" || !shown.html.includes(secret)).toBe(true);
    expect([provider, secret !== ""]).toEqual([provider, provider !== "vercel"]);
    expect(shown.page.buttons.includes(TEST)).toBe(provider === "plain");
    const french = await pageOf(id, await signIn(server, people.alice, { language: "fr" }));
    expectSoundPage(french.html, "fr");
    const menus = ({ html }: typeof shown) => html.match(/<b lang="en">[^<]+<\/b>/g);
    expect(menus(french)).toEqual(menus(shown));
  },
);

test("the lines for a job match docs/ci.md", async () => {
  const blocks = await readBlocks("ci.md");
  expect(blocks.map(({ text }) => text.trim())).toContain(REPORTING);
});

test("a webhook is added, shows its secret once, lists its events, and is removed", async () => {
  const hook = await add("github");
  expect(hook.secret).toMatch(/^[0-9A-Za-z]{43}$/);
  const of = { ...hook, provider: "github" as const };
  await deliver(of, { zen: "x" }, { "x-github-event": "<b>ping</b>" });
  await deliver(of, payloadOf("github"));
  await sendToHook(hook.url, "{}", { "x-github-event": "push" });
  await server.deps.work.end();
  const shown = await pageOf(hook.id);
  expect(shown.html).not.toContain(hook.secret);
  for (const words of [
    "Recorded",
    "Event &lt;b>ping&lt;/b>",
    "The signature is missing, or was not made with this secret.",
  ])
    expect(shown.html).toContain(words);
  expect(shown.html).not.toContain(">push");
  const name = `GitHub …${hook.id.slice(-4)}`;
  const list = await settings();
  expect(list.page.links[name]).toBe(path(`/hooks/${hook.id}`));
  expect(list.page.text).toContain("Refused The signature is missing");
  expect((await alice.get(path())).html).toContain("3f1c9b7");
  const asked = await alice.press(shown, `Remove ${name}`);
  expect([asked.page.h1, await listed()]).toEqual([`Remove ${name}?`, [expect.anything()]]);
  const removed = await alice.press(asked, `Remove ${name}`);
  expect([removed.status, removed.location]).toEqual([
    303,
    expect.stringContaining(path("/settings/hooks")),
  ]);
  expect(await listed()).toEqual([]);
  expect((await alice.press(asked, `Remove ${name}`)).status).toBe(303);
  expect((await alice.press(shown, `Remove ${name}`)).status).toBe(404);
});

test("a secret is rotated, and the old one works for a day", async () => {
  const hook = { ...(await add("netlify")), provider: "netlify" as const };
  const rotated = await alice.press(await pageOf(hook.id), SAVE);
  expect(rotated.status).toBe(200);
  const second = secretIn(rotated.html);
  expect(second).not.toBe(hook.secret);
  const own = await alice.press(await pageOf(hook.id), SAVE, { hook_secret: "of-my-own" });
  expect([own.status, own.location]).toEqual([303, doneOn(hook.id)]);
  for (const [secret, status] of [
    [hook.secret, 401],
    [second, 200],
    ["of-my-own", 200],
  ] as const)
    expect((await deliver({ ...hook, secret }, { state: "x" })).status).toBe(status);
});

test("Vercel chooses the secret: everything is rejected until it is pasted", async () => {
  const hook = { ...(await add("vercel")), provider: "vercel" as const };
  const send = (secret: string) => deliver({ ...hook, secret }, { type: "x" });
  expect((await send("of-Vercel")).status).toBe(401);
  await server.deps.work.end();
  const waiting = await pageOf(hook.id);
  expect(waiting.page.text).toContain("The provider's secret is missing.");
  expect(waiting.page.text).toContain("The webhook has no secret yet.");
  expect((await alice.get(path())).page.text).not.toContain("former owner");
  const saved = await alice.press(waiting, SAVE, { hook_secret: "of-Vercel" });
  expect([saved.status, saved.location]).toEqual([303, doneOn(hook.id)]);
  expect((await send("of-Vercel")).status).toBe(200);
  expect((await pageOf(hook.id)).page.text).not.toContain("Refuses all events");
});

describe("a test event", () => {
  const ships = () => server.sql`select id from deployments where project_id = ${project}`;

  test("is verified and listed like an event, but is no deployment", async () => {
    const { id } = await add("plain");
    const pressed = await alice.press(await pageOf(id), TEST);
    expect([pressed.status, pressed.location]).toEqual([303, path(`/hooks/${id}#events`)]);
    await alice.press(await pageOf(id), TEST);
    const { page } = await pageOf(id);
    expect(page.rows.slice(1).map(([event, , outcome]) => [event, outcome])).toEqual(
      Array.from({ length: 2 }, () => ["test", "● Test passed"]),
    );
    expect(await ships()).toEqual([]);
  });

  test("is rejected beyond 30 an hour, and without a secret after a transfer", async () => {
    const { id } = await add("plain");
    const page = await pageOf(id);
    await server.sql`delete from buckets`;
    const answers = await Promise.all(Array.from({ length: 40 }, () => alice.press(page, TEST)));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    await server.sql`delete from buckets`;
    await shareProject(server.deps, OPERATOR, project, people.bob.email);
    await acceptInvitation(server.deps, actorOf(people.bob), project);
    await offerProject(server.deps, actorOf(people.alice), project, people.bob.email);
    await acceptHandOver(server.deps, actorOf(people.bob), project);
    expect((await alice.press(page, TEST)).status).toBe(403);
    const bob = await signIn(server, people.bob);
    const handed = await pageOf(id, bob);
    expect(handed.page.text).toContain("A former owner knows the secret.");
    expect(handed.page.buttons).not.toContain(TEST);
    expect((await bob.press(page, TEST)).status).toBe(409);
  });
});

test("in French", async () => {
  const french = await signIn(server, people.alice, { language: "fr" });
  const hook = { ...(await add("plain")), provider: "plain" as const };
  await deliver(hook, { type: "deployment.failed" });
  await deliver(hook, { type: "deployment.succeeded", data: { environment: "staging" } });
  const shown = await pageOf(hook.id, french);
  for (const words of [
    "Webhooks entrants",
    "Événement deployment.failed",
    "Environnement staging",
    "Autre (Standard Webhooks)",
  ])
    expect(shown.html.replaceAll("\u00a0", " ").replaceAll("\u202f", " ")).toContain(words);
  expect(shown.page.formOf("Enregistrer le secret").action).toContain(hook.id);
});

test("twenty webhooks, and one with all its deliveries, fit on small pages", async () => {
  await server.sql`insert into hooks (id, project_id, provider, secret)
    select 'hook_' || lpad(n::text, 5, '0') || right(${project}, 15), ${project}, 'plain', '' from generate_series(1, 20) n`;
  await server.sql`insert into hook_deliveries (id, hook_id, event, outcome)
    select 'dlv_' || hooks.id || n, hooks.id, 'deployment.succeeded', 'refused: signature'
    from hooks, generate_series(1, 100) n where project_id = ${project}`;
  const list = await settings();
  expect(list.html.match(/made with this secret/g)).toHaveLength(20);
  const [first] = await listed();
  const one = await pageOf(first?.id ?? "");
  expect(one.html.match(/made with this secret/g)).toHaveLength(50);
  for (const { html } of [list, one]) expect(Buffer.byteLength(html)).toBeLessThan(50_000);
});

test("actions on webhooks are in the audit, without a secret", async () => {
  const hook = await add("plain");
  await alice.press(await pageOf(hook.id), SAVE);
  await alice.post(path(`/hooks/${hook.id}/remove`));
  const events = await server.sql`
    select action, actor, details from events where project_id = ${project} and action like 'hook.%' order by id`;
  expect(events).toEqual(
    ["hook.added", "hook.rotated", "hook.removed"].map((action) => ({
      action,
      actor: "session",
      details: { hookId: hook.id },
    })),
  );
});
