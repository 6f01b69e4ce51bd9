import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OPERATOR } from "../../server/db/accounts/actors.ts";
import { acceptInvitation, shareProject } from "../../server/projects/invitations.ts";
import { signIn, type Client } from "../harness/application.ts";
import { deliver, payloadOf, sendToHook } from "../harness/deployment-hosts.ts";
import { actorOf, addPeople, addProject, type Person } from "../harness/people.ts";
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
const NONE = "hook_00000000000000000000";
const SAID = expect.stringMatching(/\/settings\/hooks\?did=act_\w{20}#did$/);
const listed = () =>
  server.sql<{ id: string; provider: string }>`
    select id, provider from hooks where project_id = ${project} order by created_at, id`;
const secretIn = (html: string) =>
  /<input[^>]*id="secret"[^>]*value="([^"]*)"/.exec(html)?.[1] ??
  /value="([^"]*)"[^>]*id="secret"/.exec(html)?.[1] ??
  "";

async function add(provider: string): Promise<{ id: string; url: string; secret: string }> {
  const answer = await alice.press(await settings(), "Add the deployment hook", { provider });
  expect(answer.status).toBe(200);
  const hook = (await listed()).at(-1);
  const id = hook?.id ?? "";
  return { id, url: `${server.url}/hooks/${id}`, secret: secretIn(answer.html) };
}

describe("refused", () => {
  test.each(["settings/hooks", "settings/hooks/rotate", "hooks/HOOK/remove"])(
    "POST %s",
    async (to) => {
      const { id } = await add("plain");
      const form = to.replace("HOOK", id);
      const read = () => server.sql`select * from hooks where project_id = ${project}`;
      const before = await read();
      const fields = { provider: "plain", hook: id };
      await shareProject(server.deps, OPERATOR, project, people.bob.email);
      await acceptInvitation(server.deps, actorOf(people.bob), project);
      const [bob, carol] = await Promise.all(
        [people.bob, people.carol].map((person) => signIn(server, person)),
      );
      expect((await bob?.post(path(`/${form}`), fields))?.status).toBe(403);
      expect((await carol?.post(path(`/${form}`), fields))?.status).toBe(404);
      expect(
        (await alice.post(path(`/${form}`), fields, { "sec-fetch-site": "cross-site" })).status,
      ).toBe(403);
      const gone = { ...fields, hook: NONE };
      const none = path(`/${to.replace("HOOK", NONE)}`);
      expect((await bob?.post(none, gone))?.status).toBe(403);
      expect((await carol?.post(none, gone))?.status).toBe(404);
      expect(await read()).toEqual(before);
      const seen = (await settings(bob)).html;
      expect(seen).not.toContain(id);
    },
  );

  test("a provider that is none, said at the field", async () => {
    const answer = await alice.post(path("/settings/hooks"), { provider: "heroku" });
    expect(answer.status).toBe(422);
    expect(answer.html).toContain("Choose a provider from the list.");
    expect(await listed()).toEqual([]);
  });

  test("a secret that is none, said at the field and not shown again", async () => {
    const { id } = await add("vercel");
    const typed = { hook: id, hook_secret: "two words of Vercel" };
    const answer = await alice.press(await settings(), "Rotate the hook's secret", typed);
    expect(answer.status).toBe(422);
    expect(answer.html).toContain("A secret is one line of 1 to 500 characters");
    expect(answer.html).not.toContain("two words of Vercel");
  });

  test("the hook of another owner's project", async () => {
    const { id } = await add("plain");
    const others = await addProject(server, people.carol, "https://127.0.0.1:9/");
    const carol = await signIn(server, people.carol);
    const answer = await carol.post(`/projects/${others}/settings/hooks/rotate`, { hook: id });
    expect(answer.status).toBe(404);
    expect((await carol.post(`/projects/${others}/hooks/${id}/remove`)).status).toBe(404);
    expect(await listed()).toMatchObject([{ id }]);
  });
});

test("a hook is added, its secret shown once, what it received is listed, and it is removed", async () => {
  const hook = await add("github");
  expect(hook.secret).toMatch(/^[0-9A-Za-z]{43}$/);
  const of = { ...hook, provider: "github" as const };
  await deliver(of, { zen: "x" }, { "x-github-event": "<b>ping</b>" });
  await deliver(of, payloadOf("github"));
  await sendToHook(hook.url, "{}", { "x-github-event": "push" });
  await server.deps.work.end();
  const page = await settings();
  expect(page.html).not.toContain(hook.secret);
  expect(page.html).toContain(`/hooks/${hook.id}`);
  for (const words of [
    "Recorded",
    "Event &lt;b>ping&lt;/b>",
    "The signature is missing, or was not made with this secret.",
  ])
    expect(page.html).toContain(words);
  expect(page.html).not.toContain("push");
  const ship = (await alice.get(path())).html;
  expect(ship).toContain("3f1c9b7");
  const removed = await alice.press(page, `Remove GitHub …${hook.id.slice(-4)}`);
  expect([removed.status, removed.location]).toEqual([303, SAID]);
  expect(await listed()).toEqual([]);
  expect((await alice.press(page, `Remove GitHub …${hook.id.slice(-4)}`)).status).toBe(303);
});

test("a secret is rotated, to a new one or to that of the provider; both are good", async () => {
  const hook = await add("vercel");
  const page = await settings();
  const rotated = await alice.press(page, "Rotate the hook's secret", { hook: hook.id });
  const statusBy = async (secret: string) =>
    (await deliver({ ...hook, secret, provider: "vercel" }, { type: "x" })).status;
  const second = secretIn(rotated.html);
  expect(second).not.toBe(hook.secret);
  expect([await statusBy(hook.secret), await statusBy(second)]).toEqual([200, 200]);
  const typed = { hook: hook.id, hook_secret: "of-Vercel" };
  const own = await alice.press(page, "Rotate the hook's secret", typed);
  expect([own.status, own.location]).toEqual([303, SAID]);
  expect([await statusBy(second), await statusBy("of-Vercel")]).toEqual([200, 200]);
});

test("in French", async () => {
  const french = await signIn(server, people.alice, { language: "fr" });
  const hook = await add("plain");
  await deliver({ ...hook, provider: "plain" }, { type: "deployment.failed" });
  await deliver(
    { ...hook, provider: "plain" },
    { type: "deployment.succeeded", data: { environment: "staging" } },
  );
  const { html, page } = await settings(french);
  for (const words of [
    "Webhooks de déploiement",
    "Événement deployment.failed",
    "Environnement staging",
    "Autre (Standard Webhooks)",
  ])
    expect(html.replaceAll("\u00a0", " ").replaceAll("\u202f", " ")).toContain(words);
  for (const button of ["Ajouter le webhook de déploiement", "Renouveler le secret du webhook"])
    expect(page.formOf(button).action).toContain(path("/settings/hooks"));
});

test("twenty hooks with many deliveries show the newest, on a page of few bytes", async () => {
  await server.sql`insert into hooks (id, project_id, provider, secret)
    select 'hook_' || n || right(${project}, 15), ${project}, 'plain', '' from generate_series(1, 20) n`;
  await server.sql`insert into hook_deliveries (id, hook_id, event, outcome)
    select 'dlv_' || hooks.id || n, hooks.id, 'deployment.succeeded', 'refused: signature'
    from hooks, generate_series(1, 50) n where project_id = ${project}`;
  const { html } = await settings();
  expect(html.match(/made with this secret/g)).toHaveLength(5);
  expect(Buffer.byteLength(html)).toBeLessThan(50_000);
});

test("what is done to hooks is told in the audit, without a secret", async () => {
  const hook = await add("plain");
  await alice.press(await settings(), "Rotate the hook's secret", { hook: hook.id });
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
