import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { addAccount, useProcess } from "../../harness/process.ts";
import { startPostgres } from "../../harness/postgres.ts";
import { startProxy } from "../../harness/proxy.ts";
import { sendRequest, type RequestOptions } from "../../harness/request.ts";
import { use } from "../../harness/use.ts";

const ROUTES: [path: string, options: RequestOptions][] = [
  ["/api/v1/check", { method: "POST", body: { url: "https://127.0.0.1:9/" } }],
  ["/api/v1/projects", {}],
  ["/api/v1/projects/prj_01234567890123456789/incidents", {}],
  ["/api/v1/projects/prj_01234567890123456789/last-ship", {}],
  ["/api/v1/nowhere", {}],
];

/** A driver without a deadline waits for a silent server for ever, and the system's TCP for minutes. */
const HUNG_MS = 20_000;
/** docs/operating.md, Failover. */
const BACK_WITHIN_MS = 5000;

describe.runIf(inject("database") === "postgres")("without the database", () => {
  let token: string;

  const postgres = use(
    () => startPostgres(),
    (it) => it.stop(),
  );
  const proxy = use(() => startProxy(postgres.url));
  const server = useProcess(() => ({ DATABASE_URL: proxy.url }));
  beforeAll(async () => {
    token = await addAccount({ DATABASE_URL: postgres.url }, "ann@example.com");
  });

  async function expectUnavailable(): Promise<void> {
    const started = performance.now();
    const answers = await Promise.all(
      [...ROUTES, ...ROUTES, ...ROUTES].map(([path, options]) =>
        sendRequest(server.url, path, { ...options, token }),
      ),
    );
    expect(performance.now() - started).toBeLessThan(HUNG_MS);
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
      expect(await answer.json()).toEqual({
        error: "La base de données ne répond pas. Réessayez dans un instant.",
      });
    }
    const statusOf = async (path: string, options?: RequestOptions) =>
      (await sendRequest(server.url, path, options)).status;
    expect(await statusOf("/api/v1/projects", { token: `${token.slice(0, -1)}!` })).toBe(401);
    expect(await statusOf("/api/v1/projects")).toBe(401);
    expect(await statusOf("/readyz")).toBe(503);
    expect(await statusOf("/healthz")).toBe(200);
  }

  async function expectBack(): Promise<void> {
    const started = performance.now();
    const poll = async (path: string) => {
      while ((await sendRequest(server.url, path, { token })).status !== 200) await sleep(50);
    };
    await Promise.all(["/api/v1/projects", "/api/v1/projects", "/readyz"].map(poll));
    expect(performance.now() - started).toBeLessThan(HUNG_MS);
  }

  const warmUp = () =>
    Promise.all(
      Array.from({ length: 32 }, () => sendRequest(server.url, "/api/v1/projects", { token })),
    );

  test("killed: every route reports it immediately, and works again without a restart", async () => {
    await warmUp();
    await postgres.kill();
    await expectUnavailable();
    await sleep(1500);
    await expectUnavailable();
    await postgres.start();
    await expectBack();
  });

  test("silent: every route reports it, and works again while the old connections stay dead", async () => {
    await warmUp();
    proxy.freeze();
    await expectUnavailable();
    proxy.thaw();
    await expectBack();
  });

  test("silent for one request: later ones do not each wait for a connection that died with it", async () => {
    await warmUp();
    proxy.freeze();
    const started = performance.now();
    const statusOf = async () =>
      (await sendRequest(server.url, "/api/v1/projects", { token })).status;
    expect(await statusOf()).toBe(503);
    proxy.thaw();
    while ((await statusOf()) !== 200) await sleep(50);
    expect(performance.now() - started).toBeLessThan(BACK_WITHIN_MS);
  });

  test("it stays up, logs no secret of its address, and ends even with a dead connection", async () => {
    expect(server.child.exitCode).toBeNull();
    expect(server.stdout()).not.toContain("unhandled");
    expect(server.stdout()).not.toContain("postgres@");
    proxy.freeze();
    expect(await server.end("SIGTERM")).toBe(0);
  });
});
