import { isDeepStrictEqual } from "node:util";
import { beforeEach, expect, test } from "vitest";
import type { HookProvider } from "../../server/base/hook-providers.ts";
import {
  addHook,
  deliver,
  payloadOf,
  sendToHook,
  signStandard,
  withFields,
  type AddedHook,
  type Headers,
} from "../harness/deployment-hosts.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

/** A place that no server here may visit. */
const ADDRESS = "https://127.0.0.1:9/";
const COMMIT = "3f1c9b7e2a6d4850b1e9c7a3d5f2846017ab9cde";
const AT = "2026-03-02T10:15:42";

let projectId: string;

const server = useServer();
const alice = use(() => addPerson(server, "alice"));
beforeEach(async () => {
  await server.sql`update projects set owner_id = null`;
  projectId = await addProject(server, alice, ADDRESS);
});

const newHook = (provider: HookProvider) => addHook(server, projectId, provider);

const deliveriesOf = ({ id }: AddedHook) =>
  server.perform<{ id: string; at: Date; event: string; outcome: string }[]>("hook deliveries", {
    id,
  });

const ships = () =>
  server.sql<Record<string, unknown>>`
    select id, url, environment, commit, ref, deployed_at from deployments
    where project_id = ${projectId} order by deployed_at desc`;

const repeated = () => ({ status: 200, body: { ignored: "repeated" } });
const plain = (data: object = {}, type = "deployment.succeeded") => ({ type, data });
const github = (fields: Record<string, unknown>) => withFields(payloadOf("github"), fields);
const vercel = (fields: Record<string, unknown>) =>
  withFields(payloadOf("vercel-succeeded"), fields);
const netlify = (fields: Record<string, unknown>) => withFields(payloadOf("netlify"), fields);
const gitlab = (fields: Record<string, unknown>) => withFields(payloadOf("gitlab"), fields);

test.each<[provider: HookProvider, payload: unknown, ignored: string, headers?: Headers]>([
  ["github", { zen: "Keep it simple." }, "event ping", { "x-github-event": "ping" }],
  ["github", payloadOf("github"), "event deployment", { "x-github-event": "deployment" }],
  ["github", github({ "deployment_status.state": "pending" }), "state pending"],
  ["github", github({ "deployment_status.state": "failure" }), "state failure"],
  ["github", github({ "deployment.environment": "staging" }), "environment staging"],
  ["github", github({ deployment: undefined }), "incomplete"],
  ["github", [], "incomplete"],
  ["vercel", vercel({ type: "deployment.created" }), "event deployment.created"],
  ["vercel", vercel({ type: "constructor" }), "event constructor"],
  ["vercel", vercel({ "payload.target": null }), "target preview"],
  ["vercel", vercel({ "payload.target": undefined }), "target preview"],
  ["vercel", vercel({ "payload.target": "staging" }), "target staging"],
  [
    "vercel",
    withFields(payloadOf("vercel-promoted"), { "payload.target": "staging" }),
    "target staging",
  ],
  ["vercel", null, "event unknown"],
  ["netlify", payloadOf("netlify"), "event deploy_failed", { "x-netlify-event": "deploy_failed" }],
  ["netlify", netlify({ context: "deploy-preview" }), "context deploy-preview"],
  ["netlify", netlify({ context: "branch-deploy" }), "context branch-deploy"],
  ["gitlab", payloadOf("gitlab"), "event Push Hook", { "x-gitlab-event": "Push Hook" }],
  ["gitlab", gitlab({ status: "running" }), "status running"],
  ["gitlab", gitlab({ environment_tier: "staging" }), "environment staging"],
  ["gitlab", gitlab({ environment_tier: undefined }), "environment live"],
  ["plain", plain({}, "deployment.failed"), "event deployment.failed"],
  ["plain", plain({ environment: "preview" }), "environment preview"],
  ["plain", plain({ environment: 7 }), "incomplete"],
  ["plain", "deployment.succeeded", "event unknown"],
])("%s: %j is ignored: %s", async (provider, payload, ignored, headers) => {
  const hook = await newHook(provider);
  expect(await deliver(hook, payload, headers)).toEqual({ status: 200, body: { ignored } });
  expect(await ships()).toEqual([]);
  expect(await deliveriesOf(hook)).toMatchObject([{ outcome: `ignored: ${ignored}` }]);
});

const PREVIEW_URL = "https://site-abc.vercel.app/";

test.each<[provider: HookProvider, environment: string, payload: unknown]>([
  [
    "github",
    "Preview – site",
    github({
      "deployment.environment": "Preview – site",
      "deployment.production_environment": false,
      "deployment_status.environment_url": PREVIEW_URL,
    }),
  ],
  [
    "gitlab",
    "review/tea",
    gitlab({
      environment: "review/tea",
      environment_tier: "development",
      environment_external_url: PREVIEW_URL,
    }),
  ],
  [
    "vercel",
    "preview",
    vercel({ "payload.target": null, "payload.deployment.url": "site-abc.vercel.app" }),
  ],
  [
    "netlify",
    "deploy-preview",
    netlify({ context: "deploy-preview", deploy_ssl_url: PREVIEW_URL }),
  ],
  ["plain", "staging", plain({ environment: "staging", url: PREVIEW_URL })],
])(
  "%s reports a preview in %s, which is no production deployment",
  async (provider, environment, payload) => {
    const hook = await newHook(provider);
    const deliverOnce = async () => (await deliver(hook, payload)).status;
    await server.perform("preview edit", { project: projectId, hosts: "other-*.vercel.app" });
    expect(await deliverOnce()).toBe(200);
    await server.sql`delete from hook_deliveries`;
    await server.perform("preview edit", { project: projectId, hosts: "site-*.vercel.app" });
    expect(await deliverOnce()).toBe(202);
    const list = (previews: boolean) =>
      server.perform<object[]>("deployment list", { project: projectId, previews });
    expect(await list(false)).toEqual([]);
    expect(await list(true)).toMatchObject([{ kind: "preview", environment, url: PREVIEW_URL }]);
  },
);

const LIVE = { "deployment.environment": "live", "deployment.production_environment": true };
const TITLED = {
  "deployment.environment": "Production",
  "deployment.production_environment": undefined,
};
const PROMOTED = {
  commit: "90ad1e5b7c3f42618d0e9a7b6c5d4e3f2a1b0c9d",
  deployed_at: "2026-03-02T11:15:42.000Z",
};
const SAID = { environment: "production", commit: COMMIT, ref: "main", deployedAt: `${AT}+00:00` };
const ON_TIME = { deployed_at: `${AT}.000Z` };

test.each<[provider: HookProvider, what: string, payload: unknown, ship: object, event: string]>([
  ["github", "", payloadOf("github"), ON_TIME, "deployment_status"],
  ["github", "Production", github(TITLED), {}, "deployment_status"],
  ["github", "another environment that is production", github(LIVE), {}, "deployment_status"],
  ["vercel", "", payloadOf("vercel-succeeded"), ON_TIME, "deployment.succeeded"],
  ["vercel", "promoted", payloadOf("vercel-promoted"), PROMOTED, "deployment.promoted"],
  ["netlify", "", payloadOf("netlify"), { deployed_at: `${AT}.634Z` }, "deploy_created"],
  ["gitlab", "", payloadOf("gitlab"), ON_TIME, "Deployment Hook"],
  [
    "gitlab",
    "before it knew tiers",
    gitlab({ environment_tier: undefined, environment: "production" }),
    {},
    "Deployment Hook",
  ],
  [
    "plain",
    "",
    plain({ ...SAID, url: "https://elsewhere.example.net/" }),
    ON_TIME,
    "deployment.succeeded",
  ],
])("%s %s records a deployment of the project's URL", async (provider, _, payload, ship, event) => {
  const hook = await newHook(provider);
  const { status, body } = await deliver(hook, payload);
  expect({ status, body }).toEqual({ status: 202, body: { deployment: expect.any(String) } });
  const [row, ...others] = await ships();
  expect(others).toEqual([]);
  const { deployedAt, ...recorded } = row as { deployedAt: Date };
  const { deployed_at = deployedAt.toISOString(), ...wanted } = ship as { deployed_at?: string };
  expect(recorded).toEqual({
    id: (body as { deployment: string }).deployment,
    url: ADDRESS,
    environment: "production",
    commit: COMMIT,
    ref: "main",
    ...wanted,
  });
  expect(deployedAt.toISOString()).toBe(deployed_at);
  expect(await deliveriesOf(hook)).toEqual([
    { id: expect.stringMatching(/^dlv_/), at: expect.any(Date), event, outcome: "recorded" },
  ]);
});

const REPOSITORY = "https://github.com/harbour-shop/storefront";
const GITLAB = "https://gitlab.example.com/harbour/storefront/-";

test.each<[provider: HookProvider, payload: unknown, links: object]>([
  [
    "github",
    payloadOf("github"),
    { commit: `${REPOSITORY}/commit/${COMMIT}`, ref: `${REPOSITORY}/tree/main` },
  ],
  [
    "github",
    github({ "deployment.ref": "fix/a b#1" }),
    { commit: `${REPOSITORY}/commit/${COMMIT}`, ref: `${REPOSITORY}/tree/fix/a%20b%231` },
  ],
  ["github", github({ repository: undefined }), { commit: null, ref: null }],
  ["github", github({ "repository.html_url": 7 }), { commit: null, ref: null }],
  [
    "gitlab",
    payloadOf("gitlab"),
    { commit: `${GITLAB}/commit/${COMMIT}`, ref: `${GITLAB}/tree/main` },
  ],
  ["netlify", payloadOf("netlify"), { commit: `${REPOSITORY}/commit/${COMMIT}`, ref: null }],
  [
    "vercel",
    payloadOf("vercel-succeeded"),
    { commit: "https://vercel.com/harbour/storefront/7KfTestQ2mZx9", ref: null },
  ],
  ["plain", plain(), { commit: null, ref: null }],
  [
    "plain",
    plain({ commitUrl: "https://git.example.com/c", refUrl: "https://git.example.com/r" }),
    { commit: "https://git.example.com/c", ref: "https://git.example.com/r" },
  ],
  [
    "plain",
    plain({ commitUrl: "javascript:alert(1)", refUrl: "http://git.example.com/" }),
    { commit: null, ref: null },
  ],
  [
    "plain",
    plain({ commitUrl: "https://user:secret@git.example.com/", refUrl: 7 }),
    { commit: null, ref: null },
  ],
  [
    "plain",
    plain({ commitUrl: `https://git.example.com/${"a".repeat(2048)}`, refUrl: "/r" }),
    { commit: null, ref: null },
  ],
])("%s: of %# these https URLs are kept", async (provider, payload, links) => {
  expect(await deliver(await newHook(provider), payload)).toMatchObject({ status: 202 });
  const [row] = await server.sql`
    select commit_url as commit, ref_url as ref from deployments where project_id = ${projectId}`;
  expect(row).toEqual(links);
});

test("the plain webhook accepts an event without details, with the time of its arrival", async () => {
  const hook = await newHook("plain");
  const before = Date.now();
  expect(await deliver(hook, { type: "deployment.succeeded" })).toMatchObject({ status: 202 });
  const [ship] = await ships();
  expect(ship).toMatchObject({ commit: null, ref: null });
  const { deployedAt } = ship as { deployedAt: Date };
  expect(Math.abs(deployedAt.getTime() - before)).toBeLessThan(60_000);
});

test.each(["yesterday", "0001-01-01T00:00:00Z", "9999-99-99T00:00:00Z", "+275760-09-14T00:00:00Z"])(
  "an invalid time, %s, is replaced by that of the arrival",
  async (deployedAt) => {
    expect(await deliver(await newHook("plain"), plain({ deployedAt }))).toMatchObject({
      status: 202,
    });
    const [ship] = (await ships()) as { deployedAt: Date }[];
    expect(Math.abs((ship?.deployedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  },
);

test.each<[provider: HookProvider, payload: unknown, headers: Headers]>([
  ["github", payloadOf("github"), { "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958" }],
  ["vercel", payloadOf("vercel-succeeded"), {}],
  ["netlify", payloadOf("netlify"), {}],
  ["gitlab", payloadOf("gitlab"), { "idempotency-key": "9b1c", "webhook-id": "" }],
  ["github", github({ "deployment_status.state": "pending" }), { "x-github-delivery": "one" }],
])(
  "%s: the same event twice counts once",
  async (provider, payload, { "webhook-id": byToken, ...headers }) => {
    const hook = await newHook(provider);
    const send = async () => {
      if (byToken === undefined) return deliver(hook, payload, headers);
      return sendByToken(hook, payload, headers);
    };
    const first = await send();
    expect(await send()).toEqual({ status: 200, body: { ignored: "repeated" } });
    expect(await ships()).toHaveLength(first.status === 202 ? 1 : 0);
    const [again, once] = await deliveriesOf(hook);
    expect(again?.outcome).toBe("ignored: repeated");
    expect(once?.outcome).not.toBe("ignored: repeated");
  },
);

test("netlify: a body that was ignored under another event's name is recorded and listed", async () => {
  const hook = await newHook("netlify");
  const send = (event: string) => deliver(hook, payloadOf("netlify"), { "x-netlify-event": event });
  expect(await send("deploy_building")).toMatchObject({ status: 200 });
  expect(await send("deploy_created")).toMatchObject({ status: 202 });
  expect((await deliveriesOf(hook))[0]?.outcome).toBe("recorded");
});

async function sendByToken(hook: AddedHook, payload: unknown, headers: Headers) {
  const response = await fetch(hook.url, {
    method: "POST",
    headers: { "x-gitlab-event": "Deployment Hook", "x-gitlab-token": hook.secret, ...headers },
    body: JSON.stringify(payload),
  });
  return { status: response.status, body: await response.json() };
}

test("plain: the same delivery again is a repeat, but the same body in another delivery is not", async () => {
  const hook = await newHook("plain");
  const body = JSON.stringify(plain({ deployedAt: `${AT}Z` }));
  const signed = signStandard(hook.secret, body);
  const send = async (headers: Headers) => {
    const response = await fetch(hook.url, { method: "POST", headers, body });
    return { status: response.status, body: await response.json() };
  };
  expect(await send(signed)).toMatchObject({ status: 202 });
  expect(await send(signed)).toEqual({ status: 200, body: { ignored: "repeated" } });
  expect(await deliver(hook, plain({ deployedAt: "2026-03-02T10:15:43Z" }))).toMatchObject({
    status: 202,
  });
  expect(await ships()).toHaveLength(2);
});

test("another event of the deployment that is already the last one is ignored", async () => {
  const hook = await newHook("github");
  await deliver(hook, payloadOf("github"));
  const again = github({ "deployment_status.id": 91200418 });
  expect(await deliver(hook, again)).toEqual({
    status: 200,
    body: { ignored: "already the last ship" },
  });
  expect(await ships()).toHaveLength(1);
});

test("two webhooks of a project that receive the same event count as two events", async () => {
  const [one, two] = [await newHook("plain"), await newHook("plain")];
  expect(await deliver(one, plain({ deployedAt: `${AT}Z` }))).toMatchObject({ status: 202 });
  expect(await deliver(two, plain({ deployedAt: "2026-03-02T10:16:00Z" }))).toMatchObject({
    status: 202,
  });
});

test("a provider's names are shown on one short line", async () => {
  const hook = await newHook("plain");
  const type = `a\n\u202eb ${"x".repeat(5000)}`;
  const { body } = await deliver(hook, plain({}, type));
  const [delivery] = await deliveriesOf(hook);
  expect(delivery?.event).toMatch(/^a b x{90,100}…?$/);
  expect(delivery?.event.length).toBeLessThanOrEqual(100);
  expect((body as { ignored: string }).ignored).toMatch(/^event a b x+…$/);
});

test("the last 50 deliveries are listed, newest first, and at most 100 are kept", async () => {
  const hook = await newHook("plain");
  for (let number = 0; number < 105; number++) await deliver(hook, plain({}, `event.${number}`));
  const events = (await deliveriesOf(hook)).map(({ event }) => event);
  expect(events).toEqual(Array.from({ length: 50 }, (_, place) => `event.${104 - place}`));
  const [kept] = await server.sql<{ count: number }>`
    select count(*)::int from hook_deliveries where hook_id = ${hook.id}`;
  expect(kept?.count).toBe(100);
});

test("a burst loses no event: each is recorded once, and repeats in it are recognized", async () => {
  const hook = await newHook("github");
  const idOf = (place: number) => ({ "x-github-delivery": `delivery ${place % 150}` });
  const shipOf = (place: number) => github({ "deployment.id": place % 150 });
  const answers = await Promise.all(
    Array.from({ length: 160 }, (_, place) => deliver(hook, shipOf(place), idOf(place))),
  );
  const repeats = answers.filter(({ status }) => status === 200);
  expect(repeats).toEqual(Array.from({ length: 10 }, () => repeated()));
  expect(await ships()).toHaveLength(150);
  expect(await deliveriesOf(hook)).toHaveLength(50);
});

test("three hundred deployments are accepted within a moment; the owner reads why more are rejected, and none is lost later", async () => {
  const hook = await newHook("plain");
  const requests = Array.from({ length: 310 }, (_, place) => {
    const body = JSON.stringify(plain({ commit: `commit ${place}` }));
    return { body, headers: signStandard(hook.secret, body) };
  });
  const send = ({ body, headers }: (typeof requests)[0]) => sendToHook(hook.url, body, headers);
  const answers = await Promise.all(requests.map(send));
  const isRefused = ({ status }: Response) => status === 429;
  const taken = answers.filter(({ status }) => status === 202);
  expect([taken.length, answers.filter(isRefused).length]).toEqual([300, 10]);
  const refused = answers.find(isRefused)!;
  const seconds = Number(refused.headers.get("retry-after"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(12);
  expect(await refused.json()).toEqual({
    error: `Ce projet a atteint le maximum de 300 déploiements par heure. Renvoyez celui-ci dans ${seconds} s.`,
  });
  expect((await deliveriesOf(hook)).map(({ outcome }) => outcome)).toContain(
    "refused: more than 300 ships an hour",
  );
  expect(await ships()).toHaveLength(300);
  // Until there is room for one more.
  await server.sql`update buckets set full_at = full_at - interval '12 seconds'`;
  const again = requests[answers.indexOf(refused)]!;
  expect((await send(again)).status).toBe(202);
  expect(await (await send(again)).json()).toEqual({ ignored: "repeated" });
});

test("of ten simultaneous repeats of an ignored event, nine are listed as repeats", async () => {
  const hook = await newHook("plain");
  const body = JSON.stringify(plain({}, "deployment.failed"));
  const headers = signStandard(hook.secret, body);
  const send = async () => (await fetch(hook.url, { method: "POST", headers, body })).json();
  const answers = await Promise.all(Array.from({ length: 10 }, send));
  expect(answers.filter((answer) => isDeepStrictEqual(answer, repeated().body))).toHaveLength(9);
  const outcomes = (await deliveriesOf(hook)).map(({ outcome }) => outcome);
  expect(outcomes.at(-1)).toBe("ignored: event deployment.failed");
  expect(outcomes.slice(0, -1)).toEqual(Array.from({ length: 9 }, () => "ignored: repeated"));
});
