import { connect } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { useFiles } from "../harness/database.ts";
import { addAccount, startServerHere } from "../harness/process.ts";
import { sendRaw } from "../harness/raw-http.ts";
import { sendRequest, sendCheck } from "../harness/request.ts";
import { findClosedPort } from "../harness/site.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

let token: string;
let metricsUrl: string;

const database = useFiles();
const site = use(startSlowSite);
beforeAll(async () => {
  metricsUrl = `http://127.0.0.1:${await findClosedPort()}`;
});
const server = use(
  () =>
    startServerHere({
      ...database.env,
      SHIPSCORE_LOG_LEVEL: "debug",
      SHIPSCORE_METRICS_ADDRESS: new URL(metricsUrl).host,
    }),
  (started) => started.end("SIGTERM"),
);
beforeAll(async () => {
  token = await addAccount(database.env, "lou@example.com");
});

test.each([
  ["pages", () => server.url],
  ["metrics", () => metricsUrl],
])(
  "a client that sends too many requests is disconnected, and logged once: %s",
  async (_, urlOf) => {
    const before = server.stdout().length;
    const socket = connect(Number(new URL(urlOf()).port), "127.0.0.1").on("error", () => {});
    socket.resume().write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1400));
    const listCut = () =>
      server
        .stdout()
        .slice(before)
        .match(/.*a connection was ended.*/g) ?? [];
    await waitUntil("it is in the log", () => listCut().length > 0);
    await waitUntil("it has ended", () => socket.closed);
    expect(listCut().map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ address: "127.0.0.1", unanswered: 16 }),
    ]);
  },
);

test("metrics are served only on their own address, without a token", async () => {
  expect((await sendRequest(server.url, "/metrics")).status).toBe(404);
  const answer = await sendRequest(metricsUrl, "/metrics");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining("text/plain"),
  ]);
  expect(await answer.text()).toContain("shipscore_http_requests_total");
  expect((await sendRequest(metricsUrl, "/healthz")).status).toBe(404);
});

test("metrics serve at most 64 connections, and no request with two hosts", async () => {
  const { hostname, port } = new URL(metricsUrl);
  const two = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n";
  expect((await sendRaw(metricsUrl, two)).status).toBe(400);
  let closed = 0;
  const silent = Array.from({ length: 70 }, () =>
    connect(Number(port), hostname).once("close", () => closed++),
  );
  await waitUntil("the others are refused", () => closed >= 6);
  expect(silent[0]?.closed).toBe(false);
  for (const socket of silent) socket.destroy();
});

test("logs are JSON lines without secrets, for any input", async () => {
  const secret = "hunter2-hunter2";
  const check = (url: string, headers = {}) =>
    sendRequest(server.url, "/api/v1/check", { token, method: "POST", body: { url, headers } });
  expect(
    (await check(`${site.url}?key=${secret}#${secret}`, { "x-vercel-protection-bypass": secret }))
      .status,
  ).toBe(200);
  for (const url of [
    `https://user:${secret}@example.com/`,
    `https://${token}.test/?a=${secret}`,
    secret,
    `http://x/?b=${secret}`,
  ]) {
    expect((await check(url)).status).toBe(400);
  }
  await sendRequest(server.url, `/api/v1/${token}?token=${token}&password=${secret}`, { token });
  await sendRequest(server.url, `/api/v1/projects/${token}/incidents?x=${secret}`, {
    token,
    headers: { "x-key": token, cookie: `a=${secret}` },
  });
  await sendCheck(server.url, token, "", { body: `{"url": "${secret}"` });
  await sendRaw(
    server.url,
    `GET /${secret} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic ${secret}\r\nbroken ${token}\r\n\r\n`,
  );
  await sendRaw(
    server.url,
    `CONNECT ${secret}:443 HTTP/1.1\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );

  const lines = server.stdout().trim().split("\n");
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty("time");
  const written = server.stdout() + server.stderr();
  expect(written).not.toContain(secret);
  for (let start = 4; start + 8 <= token.length; start++)
    expect(written).not.toContain(token.slice(start, start + 8));
  expect(await (await sendRequest(metricsUrl, "/metrics")).text()).not.toContain(
    token.slice(4, 14),
  );
});
