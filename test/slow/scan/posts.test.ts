import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { Pool } from "undici";
import { useFiles } from "../../harness/database.ts";
import { addAccount, startServerProcess, type ServerProcess } from "../../harness/process.ts";
import { sendRequest } from "../../harness/request.ts";
import { startSlowSite } from "../../harness/slow-site.ts";
import { use } from "../../harness/use.ts";

const POSTS = 10_000;
const CONNECTIONS = 32;
const CHECKS = 20;
const ALLOWED = 20;

let token: string;
/** On one database: two on Postgres; the embedded one has one. */
let servers: ServerProcess[];

const database = useFiles();
const site = use(startSlowSite);
beforeAll(async () => {
  token = await addAccount(database.env, "ann@example.com");
  const env = {
    ...database.env,
    SHIPSCORE_TRUSTED_PROXIES: "127.0.0.0/8",
    SHIPSCORE_SCANS_AT_ONCE: "100",
  };
  const count = inject("database") === "postgres" ? 2 : 1;
  servers = await Promise.all(Array.from({ length: count }, () => startServerProcess(env)));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end("SIGTERM")));
});

/** What a visitor behind a proxy is answered: the status, and when it may come again. */
async function post(pool: Pool, index: number) {
  const { statusCode, headers, body } = await pool.request({
    path: "/scan",
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "x-forwarded-for": `10.${index >> 8}.${index & 255}.1`,
    },
    body: JSON.stringify({ url: `https://127.3.3.3:8443/${index}` }),
  });
  const { error } = (await body.json()) as { error?: string };
  return { status: statusCode, retryAfter: Number(headers["retry-after"]), error };
}

/** Posts one after the other from `next()` on until it has none. */
async function keepPosting(pool: Pool, next: () => number | undefined) {
  const answers = [];
  for (let index = next(); index !== undefined; index = next())
    answers.push(await post(pool, index));
  return answers;
}

async function flood() {
  let posted = 0;
  const next = () => (posted < POSTS ? posted++ : undefined);
  const pools = servers.map(({ url }) => new Pool(url, { connections: CONNECTIONS }));
  const all = pools.flatMap((pool) =>
    Array.from({ length: CONNECTIONS }, () => keepPosting(pool, next)),
  );
  const answers = (await Promise.all(all)).flat();
  await Promise.all(pools.map((pool) => pool.close()));
  return answers;
}

async function check(index: number): Promise<number> {
  const { status } = await sendRequest(
    servers[index % servers.length]?.url ?? "",
    "/api/v1/check",
    {
      token,
      method: "POST",
      body: { url: site.url },
    },
  );
  return status;
}

test("10,000 posts for one host over all servers start as many scans as allowed; checks continue", async () => {
  const flooding = flood();
  const checks = [];
  for (let index = 0; index < CHECKS; index++) checks.push(await check(index));
  const answers = await flooding;
  const withStatus = (status: number) => answers.filter((answer) => answer.status === status);
  const [started, refused, busy] = [202, 429, 503].map(withStatus);
  expect(checks).toEqual(Array.from({ length: CHECKS }, () => 200));
  expect(answers).toHaveLength(POSTS);
  expect(started).toHaveLength(ALLOWED);
  // Busy is who waited for the first answers for longer than one may, on a machine with too much to do.
  expect([...(refused ?? []), ...(busy ?? [])]).toHaveLength(POSTS - ALLOWED);
  expect(refused?.length).toBeGreaterThan(POSTS / 2);
  expect([...new Set(refused?.map(({ error }) => error?.replace(/dans .*/, "")))]).toEqual([
    "L'hôte « 127.3.3.3 » a été analysé 20 fois au cours de la dernière heure : c'est le maximum. Réessayez ",
  ]);
  const times = refused?.map(({ retryAfter }) => retryAfter) ?? [];
  expect(Math.min(...times)).toBeGreaterThan(3000);
  expect(Math.max(...times)).toBeLessThanOrEqual(3600);
});
