import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inconsistentKey, pemOf, rsaKey } from "../../harness/app-keys.ts";
import { addTarget } from "../../harness/alerts.ts";
import { signIn, type Client } from "../../harness/application.ts";
import { addHook, HOSTS, type AddedHook } from "../../harness/deployment-hosts.ts";
import { addPerson, addProject, type Person } from "../../harness/people.ts";
import { startTestServer } from "../../harness/server.ts";
import { startSite } from "../../harness/site.ts";
import { REPOSITORY, startGitHub } from "../../harness/status-hosts.ts";
import { use } from "../../harness/use.ts";

/** Asks for /healthz in a thread, one request after another, and reports the milliseconds of each. */
const PULSE = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { Agent, get } = require("node:http");
  const agent = new Agent({ keepAlive: true });
  const ask = () => {
    const startedAt = performance.now();
    get(workerData + "/healthz", { agent }, (response) =>
      response.resume().once("end", () => {
        parentPort.postMessage(performance.now() - startedAt);
        setTimeout(ask, 5);
      }),
    );
  };
  ask();`;

/** Sends requests in another thread, so that only the server works in this one. */
const SENDER = `
  const { parentPort } = require("node:worker_threads");
  const { request } = require("node:http");
  parentPort.on("message", ({ url, body, headers }) =>
    request(url, { method: "POST", headers }, (response) =>
      response.resume().once("end", () => parentPort.postMessage(response.statusCode)),
    ).end(body),
  );`;

const LONG_FORM = 131_000;
const many = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join("");
const keys = (count: number) => `{${many(count, (index) => `"${index}":0,`)}"z":0}`;

const github = use(startGitHub);
const server = use(() => startTestServer({ env: { SHIPSCORE_STATUS_HOSTS: github.host } }));
/** A target whose certificate has 3,000 names. */
const target = use(() =>
  startSite({
    hosts: ["127.0.0.1", ...Array.from({ length: 3000 }, (_, index) => `host-${index}.test`)],
  }),
);
let pulse: Worker;
let sender: Worker;
let times: number[] = [];
let eve: Person;
let client: Client;
let project: string;
let hooks: Record<"github" | "vercel", AddedHook>;
let alertId: string;

beforeAll(async () => {
  eve = await addPerson(server, "eve");
  client = await signIn(server, eve);
  project = await addProject(server, eve, "https://127.0.0.1:9/");
  hooks = {
    github: await addHook(server, project, "github"),
    vercel: await addHook(server, project, "vercel"),
  };
  alertId = (await addTarget(server, project, target.url)).id;
  pulse = new Worker(PULSE, { eval: true, workerData: server.url });
  pulse.on("message", (ms: number) => times.push(ms));
  await once(pulse, "message");
  sender = new Worker(SENDER, { eval: true });
});
afterAll(() => Promise.all([pulse.terminate(), sender.terminate()]));

const sendElsewhere = (url: string, body: string, headers: Record<string, string>) => () => {
  sender.postMessage({
    url,
    body,
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
  });
  return once(sender, "message");
};

const appKeys: Record<string, string> = {
  "a key of 46,400 bits": inconsistentKey({ n: 5800, d: 5800 }),
  "a key of 10,400 bits": inconsistentKey({ n: 1300, d: 1300 }),
  "a private exponent of 18,400 bits": inconsistentKey({ n: 512, d: 2300 }),
  "primes of 5,000 bits": inconsistentKey({ n: 256, d: 1, p: 620 }),
  "a DSA key": generateKeyPairSync("dsa", { modulusLength: 3072, divisorLength: 256 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString(),
  "a good key of 4,096 bits": pemOf(rsaKey(4096), "pkcs8"),
};

const post = (path: string, fields: Record<string, string>) =>
  sendElsewhere(server.url + path, new URLSearchParams(fields).toString(), {
    cookie: `shipscore=${client.cookies.get("shipscore")}`,
    "content-type": "application/x-www-form-urlencoded",
    "sec-fetch-site": "same-origin",
  });

type Attack = () => Promise<unknown>;

/** The bodies are written before, so that only the server works while it is measured. */
async function writeAttacks(): Promise<Record<string, Attack>> {
  const app = { repository: REPOSITORY, api: github.api, app: "1", installation: "7" };
  const own = `/projects/${project}`;
  const attacks: Record<string, Attack> = {};
  for (const [name, key] of Object.entries(appKeys)) {
    const typed = { ...app, key_secret: key };
    attacks[`form: ${name}`] = post(`${own}/hooks/${hooks.github.id}/reporting`, typed);
    attacks[`operator: ${name}`] = () =>
      server
        .perform("hook reporting", { hook: hooks.github.id, ...app, key })
        .catch(() => undefined);
  }
  const headers = {
    authorization: `Bearer ${eve.token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const postJson = (path: string, body: string) => sendElsewhere(server.url + path, body, headers);
  const meta = keys(19_000);
  return {
    ...attacks,
    "URLs of 3 MB, all line breaks": post(`${own}/settings/urls`, {
      urls: "\n".repeat(1_000_000),
    }),
    "URLs of 3 MB, each of 1,450 characters": post(`${own}/settings/urls`, {
      urls: many(2000, (index) => `https://${index}.é.test/${"x".repeat(1450)}\r\n`),
    }),
    "an alert to a certificate of 3,000 names": () => server.perform("alert test", { id: alertId }),
    "an event of 256 KB with 26,000 values": await event(hooks.github, keys(26_000)),
    "an event of 200 KB in one name": await event(
      hooks.vercel,
      JSON.stringify({ type: "a \u202E".repeat(40_000) }),
    ),
    "an event with 19,000 fields of a deployment": await event(
      hooks.vercel,
      `{"type":"deployment.succeeded","payload":{"deployment":{"id":"x","meta":${meta}}}}`,
    ),
    "a call of 64 KB to MCP": postJson(
      "/mcp",
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":${keys(6000)}}`,
    ),
    "a check of 16 KB": postJson("/api/v1/check", `{"url":"x","more":${keys(1500)}}`),
    "an e-mail address of 128 KB": post(`${own}/members`, {
      email: `${"a.".repeat(LONG_FORM / 2)}@b.test`,
    }),
    "a passkey of 128 KB": post("/settings/account/passkeys", {
      name: "key",
      credential: JSON.stringify({ id: "x", response: "A".repeat(LONG_FORM - 1000) }),
    }),
    "hosts of previews of 128 KB": post(`${own}/settings/previews`, {
      hosts: "*a".repeat(LONG_FORM / 2),
      headers: "a:b\n".repeat(10),
    }),
    "a sign-in of 16 KB": post("/sign-in", {
      email: "a@".repeat(3000),
      password: "é".repeat(1000),
    }),
  };
}

async function event({ provider, secret, url }: AddedHook, body: string): Promise<Attack> {
  const host = HOSTS[provider];
  return sendElsewhere(url, body, { ...host.headers(), ...(await host.sign(secret, body)) });
}

/** The number of answers of /healthz while something runs, and the milliseconds of the slowest. */
async function watch(run: () => Promise<unknown>) {
  times = [];
  const startedAt = performance.now();
  await run();
  const tookMs = performance.now() - startedAt;
  await once(pulse, "message");
  return { tookMs, answers: times.length, slowestMs: Math.max(...times) };
}

const line = (name: string, { tookMs, answers, slowestMs }: Awaited<ReturnType<typeof watch>>) =>
  `${name.padEnd(48)} ${tookMs.toFixed(0).padStart(6)} ms ${String(answers).padStart(5)} answers, slowest ${slowestMs.toFixed(0).padStart(5)} ms`;

test("/healthz answers while the longest forms, keys, certificates and bodies are read", async () => {
  const lines = [line("calm", await watch(() => sleep(3000)))];
  for (const [name, attack] of Object.entries(await writeAttacks())) {
    await server.sql`delete from buckets`;
    await attack();
    const measured = await watch(async () => {
      for (let time = 0; time < 3; time++) await attack();
    });
    lines.push(line(name, measured));
    expect(measured.answers).toBeGreaterThan(0);
  }
  lines.push(line("calm again", await watch(() => sleep(3000))));
  process.stdout.write(`${lines.join("\n")}\n`);
});
