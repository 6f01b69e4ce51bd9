import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { beforeAll, describe, expect, inject, test } from "vitest";
import type { HookProvider } from "../../server/base/hook-providers.ts";
import {
  addHook,
  deliver,
  HOSTS,
  type AddedHook,
  payloadOf,
  sendToHook,
  signStandard,
} from "../harness/deployment-hosts.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { minutesFromNow, WRONG_SIGNATURES } from "./wrong-signatures.ts";

const MAX_BYTES = 262_144;

const BODIES: Record<HookProvider, string> = {
  github: JSON.stringify(payloadOf("github")),
  vercel: JSON.stringify(payloadOf("vercel-succeeded")),
  netlify: JSON.stringify(payloadOf("netlify")),
  gitlab: JSON.stringify(payloadOf("gitlab")),
  plain: JSON.stringify({ type: "deployment.succeeded", data: {} }),
};
const PROVIDERS = Object.keys(BODIES) as HookProvider[];

let projectId: string;
let unknownUrl: string;
const hooks = {} as Record<HookProvider, AddedHook>;

const newHook = (provider: HookProvider) => addHook(server, projectId, provider);

const server = useServer();
beforeAll(async () => {
  unknownUrl = new URL("/hooks/hook_00000000000000000000", server.url).href;
  projectId = await addProject(server, await addPerson(server, "alice"), "https://127.0.0.1:9/");
  for (const provider of PROVIDERS) hooks[provider] = await newHook(provider);
});

async function deliveriesOf({ id }: AddedHook) {
  // A refusal is written after its answer.
  await server.deps.work.end();
  return server.perform<{ event: string; outcome: string }[]>("hook deliveries", { id });
}
const outcomesOf = async (hook: AddedHook) =>
  (await deliveriesOf(hook)).map(({ outcome }) => outcome);

/** Everything of an answer but what names the request. */
async function answerOf(response: Response) {
  const { "x-request-id": _, date: __, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

const unknownAnswer = async () => answerOf(await sendToHook(unknownUrl, "{}", {}));

test("an unknown webhook is rejected in French JSON, with a code for programs", async () => {
  const { status, headers, body } = await unknownAnswer();
  expect(status).toBe(401);
  expect(headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "x-shipscore-error": "hook_refused",
    "cache-control": "no-store",
  });
  expect(headers).not.toHaveProperty("www-authenticate");
  expect(JSON.parse(body)).toEqual({
    error:
      "Ce webhook n'existe pas, ou la signature de la requête est absente, incorrecte ou trop ancienne. Vérifiez l'URL et le secret chez l'expéditeur.",
  });
});

test.each(WRONG_SIGNATURES)(
  "%s, %s: rejected like an unknown webhook; its owner reads the reason, but not the content",
  async (provider, _, wrong, outcome) => {
    const hook = await newHook(provider);
    const body = BODIES[provider];
    const headers = { ...HOSTS[provider].headers(), ...(await wrong(body, hook.secret)) };
    const answer = await answerOf(await sendToHook(hook.url, body, headers));
    expect(answer).toEqual(await unknownAnswer());
    expect(await deliveriesOf(hook)).toMatchObject([
      { event: "unknown", outcome: `refused: ${outcome}` },
    ]);
    await server.perform("hook remove", { id: hook.id });
  },
);

const SIGNED_BY: Record<HookProvider, readonly string[]> = {
  github: ["x-hub-signature-256"],
  vercel: ["x-vercel-signature"],
  netlify: ["x-webhook-signature"],
  gitlab: ["webhook-signature", "x-gitlab-token"],
  plain: ["webhook-id", "webhook-timestamp", "webhook-signature"],
};

test.each(
  PROVIDERS.flatMap((provider) => SIGNED_BY[provider].map((name) => [provider, name] as const)),
)("%s: %s sent twice is rejected like a wrong one, in any order", async (provider, name) => {
  const hook = hooks[provider];
  const body = BODIES[provider];
  const isToken = name === "x-gitlab-token";
  const signed = isToken ? { [name]: hook.secret } : HOSTS[provider].sign(hook.secret, body);
  const { [name]: good = "", ...others } = await signed;
  const post = async (values: string[]) => {
    const headers = { ...HOSTS[provider].headers(), ...others, [name]: values };
    const sending = request(hook.url, { method: "POST", headers }).end(body);
    const [answer] = (await once(sending, "response")) as [IncomingMessage];
    return answer.resume().statusCode;
  };
  for (const twice of [
    ["v1,AAAA", good],
    [good, "v1,AAAA"],
    [good, good],
  ])
    expect(await post(twice)).toBe(401);
  expect(await post([good])).toBeLessThan(300);
});

test.each(PROVIDERS)("%s: no byte of the body can change", async (provider) => {
  const hook = hooks[provider];
  const body = BODIES[provider];
  const signature = await HOSTS[provider].sign(hook.secret, body);
  const headers = { ...HOSTS[provider].headers(), ...signature };
  for (const changed of [`${body} `, body.slice(1), body.replace("e", "E"), ""])
    expect((await sendToHook(hook.url, changed, headers)).status).toBe(401);
  expect([200, 202]).toContain((await sendToHook(hook.url, body, headers)).status);
});

test("GitLab's token is enough without a signature", async () => {
  const { url, secret } = hooks.gitlab;
  const headers = { "x-gitlab-event": "Deployment Hook", "x-gitlab-token": secret };
  const body = JSON.stringify({ status: "running", deployment_id: 1 });
  const response = await sendToHook(url, body, headers);
  expect(await response.json()).toEqual({ ignored: "status running" });
});

test("one valid signature of several is enough, and a clock may differ by four minutes", async () => {
  const { url, secret } = hooks.plain;
  const body = JSON.stringify({ type: "tried" });
  const signed = signStandard(secret, body, minutesFromNow(-4));
  const several = `v1,AAAA ${signed["webhook-signature"]} v1a,BBBB`;
  const response = await sendToHook(url, body, { ...signed, "webhook-signature": several });
  expect(await response.json()).toEqual({ ignored: "event tried" });
});

describe("the order of the checks", () => {
  const send = async (body: string, isSigned: boolean, url = hooks.github.url) => {
    const signature = isSigned ? await HOSTS.github.sign(hooks.github.secret, body) : {};
    return (await sendToHook(url, body, { ...HOSTS.github.headers(), ...signature })).status;
  };
  const big = (bytes: number) => `"${"x".repeat(bytes - 2)}"`;

  test("413 comes before 401, also for an unknown webhook and for a body of unknown length", async () => {
    expect(await send(big(MAX_BYTES + 1), true)).toBe(413);
    expect(await send(big(MAX_BYTES + 1), false)).toBe(413);
    expect(await send(big(MAX_BYTES + 1), false, unknownUrl)).toBe(413);
    const body = new ReadableStream({
      start(controller) {
        for (const part of [big(MAX_BYTES), " "]) controller.enqueue(Buffer.from(part));
        controller.close();
      },
    });
    const options: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
    expect((await fetch(unknownUrl, options)).status).toBe(413);
  });

  test("262,144 bytes are accepted", async () => {
    expect(await send(big(MAX_BYTES), false)).toBe(401);
    expect(await send(big(MAX_BYTES), true)).toBe(200);
  });

  test.each([
    ["blank", " "],
    ["no JSON", "state=success"],
    ["half of it", '{"action":'],
    ["a form of JSON", `payload=${encodeURIComponent("{}")}`],
    ["JSON of 100,000 levels", "[".repeat(100_000) + "]".repeat(100_000)],
  ])("401 comes before 400, for a body that is %s", async (_, body) => {
    expect(await send(body, false)).toBe(401);
    await server.deps.work.end();
    expect(await send(body, true)).toBe(400);
    expect((await outcomesOf(hooks.github))[0]).toBe("refused: no JSON");
  });

  test("400 comes before the event's type, in French JSON", async () => {
    const signature = await HOSTS.github.sign(hooks.github.secret, "no");
    const headers = { ...signature, "x-github-event": "ping" };
    const response = await sendToHook(hooks.github.url, "no", headers);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: "Le corps de la requête n'est pas du JSON valide.",
    });
  });
});

test.each(["text/plain", "application/x-www-form-urlencoded", "what is this"])(
  "the content type of a body (%s) does not matter",
  async (type) => {
    const headers = { "x-github-event": "ping", "content-type": type };
    expect(await deliver(hooks.github, { zen: type }, headers)).toEqual({
      status: 200,
      body: { ignored: "event ping" },
    });
  },
);

test("other methods and paths get an error", async () => {
  const got = await fetch(hooks.plain.url);
  expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
  const elsewhere = await fetch(`${hooks.plain.url}/more`, { method: "POST" });
  expect(elsewhere.status).toBe(404);
  expect(await elsewhere.json()).toEqual({ error: "Route introuvable." });
});

test("after a rotation both secrets work for a day; after another the first does not", async () => {
  const hook = await newHook("plain");
  const statusBy = async (secret: string) =>
    (await deliver({ ...hook, secret }, { type: "tried" })).status;
  const second = await server.perform<AddedHook>("hook rotate", { id: hook.id });
  expect(second).toEqual({ id: hook.id, url: hook.url, secret: expect.stringMatching(/^whsec_/) });
  expect([await statusBy(hook.secret), await statusBy(second.secret)]).toEqual([200, 200]);
  const [left] = await server.sql<{ hours: number }>`
    select extract(epoch from old_secret_until - now())::float8 / 3600 as hours from hooks where id = ${hook.id}`;
  expect(left?.hours).toBeGreaterThan(23.9);
  expect(left?.hours).toBeLessThanOrEqual(24);
  await server.sql`update hooks set old_secret_until = now() where id = ${hook.id}`;
  expect([await statusBy(hook.secret), await statusBy(second.secret)]).toEqual([401, 200]);
  const third = await server.perform<AddedHook>("hook rotate", { id: hook.id });
  const statuses = [hook.secret, second.secret, third.secret].map(statusBy);
  expect(await Promise.all(statuses)).toEqual([401, 200, 200]);
  await server.perform("hook remove", { id: hook.id });
  expect(await statusBy(third.secret)).toBe(401);
});

test("a project has at most twenty webhooks", async () => {
  const carol = await addPerson(server, "carol");
  const project = await addProject(server, carol, "https://127.0.0.1:9/");
  for (let count = 0; count < 20; count++)
    await server.perform("hook add", { project, provider: "github" });
  await expect(server.perform("hook add", { project, provider: "github" })).rejects.toThrow(
    `${project} has 20 incoming webhooks, which is the limit.`,
  );
});

test("a webhook of a deleted project is unknown", async () => {
  const bob = await addPerson(server, "bob");
  const project = await addProject(server, bob, "https://127.0.0.1:9/", "Gone");
  const hook = await addHook(server, project, "plain");
  expect((await deliver(hook, { type: "tried" })).status).toBe(200);
  await server.perform("project remove", { id: project, name: "Gone" });
  expect((await deliver(hook, { type: "tried" })).status).toBe(401);
});

/** More than the hundred that are kept. */
const FLOODS = inject("isThorough") ? 10 : 5;
test("a stranger's flood is listed at most fifty times, and signed events are still listed", async () => {
  const hook = await newHook("plain");
  for (let count = 0; count < FLOODS; count++)
    await Promise.all(Array.from({ length: 30 }, () => sendToHook(hook.url, "{}", {})));
  expect(await outcomesOf(hook)).toEqual(Array(50).fill("refused: signature"));
  const [noted] = await server.sql<{ count: number }>`
    select count(*)::int from hook_deliveries where hook_id = ${hook.id}`;
  expect(noted?.count).toBeLessThanOrEqual(100);
  await deliver(hook, { type: "tried" });
  expect((await outcomesOf(hook))[0]).toBe("ignored: event tried");
});

test("no secret is in the log or in the database", async () => {
  const rows = await server.sql<{ text: string }>`
    select encode(secret, 'escape') as text from hooks union all select details::text from events`;
  expect(rows.length).toBeGreaterThan(PROVIDERS.length);
  for (const { secret } of Object.values(hooks)) {
    expect(server.log.join("\n")).not.toContain(secret);
    expect(rows.some(({ text }) => text.includes(secret.slice(0, 12)))).toBe(false);
  }
});
