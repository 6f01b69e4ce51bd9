import { PassThrough } from "node:stream";
import type { FastifyReply } from "fastify";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createStreams } from "../../server/web/kit/streams.ts";
import { startScan, type StartedScan } from "../../server/scan/scan-request.ts";
import { deleteScan } from "../../server/scan/scans.ts";
import { readEvents, type ServerEvent } from "../harness/events.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const site = use(startSlowSite);
const server = use(() =>
  startTestServer({
    roots: [site.authority.certificate],
    env: { SHIPSCORE_TRUSTED_PROXIES: "127.0.0.1" },
  }),
);
let started: StartedScan;
let scans = 0;

afterAll(async () => {
  site.release();
});
beforeEach(async () => {
  site.hold();
  started = await start(server);
});
afterEach(() => site.release());

function start(to: TestServer) {
  const asked = { url: `${site.url}${++scans}`, again: false };
  return startScan(to.deps, asked, `192.0.2.${scans}`);
}

const listen = (headers: Record<string, string> = {}, to = server, id = started.id) => {
  const leaving = new AbortController();
  const answer = fetch(new URL(`/scan/${id}/events`, to.url), {
    headers: { accept: "text/event-stream", "accept-language": "en", ...headers },
    signal: leaving.signal,
  });
  return { answer, leave: () => leaving.abort() };
};

test.each([
  ["en", "Loading the page"],
  ["fr", "Chargement de la page"],
])("they describe the steps in words (%s), and end with the scan", async (language, words) => {
  const answer = await listen({ "accept-language": language }).answer;
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const seen: ServerEvent[] = [];
  for await (const event of readEvents(answer)) {
    seen.push(event);
    if (event.data.step === "visiting") site.release();
  }
  expect(seen.at(-1)).toEqual({ event: "end", data: {} });
  expect(seen).toContainEqual({
    event: "state",
    data: { state: "running", step: "visiting", text: words },
  });
});

test("they end immediately for a finished scan", async () => {
  site.release();
  for await (const _ of readEvents(await listen().answer));
  const seen = [];
  for await (const event of readEvents(await listen().answer)) seen.push(event);
  expect(seen).toEqual([{ event: "end", data: {} }]);
});

test("they end when the scan is deleted", async () => {
  const events = readEvents(await listen().answer);
  expect((await events.next()).value).toMatchObject({ event: "state" });
  await deleteScan(server.deps, started.id, started.deleteKey ?? "");
  const rest = [];
  for await (const event of events) rest.push(event);
  expect(rest.at(-1)).toEqual({ event: "end", data: {} });
});

describe("a visitor", () => {
  const from = { "x-forwarded-for": "192.0.2.250" };
  const news = () => server.deps.news.listenerCount("changed");

  test("leaves no listener after disconnecting", async () => {
    const before = news();
    const listeners = Array.from({ length: 4 }, () => listen(from));
    await Promise.all(listeners.map(({ answer }) => answer));
    await waitUntil("all are listened for", () => news() === before + 4);
    for (const { leave } of listeners) leave();
    await Promise.allSettled(listeners.map(async ({ answer }) => (await answer).text()));
    await waitUntil("nobody is", () => news() === before);
    const { answer, leave } = listen(from);
    expect((await answer).status).toBe(200);
    leave();
  });

  test("has at most 4 streams, and others have theirs", async () => {
    const visitor = { "x-forwarded-for": "192.0.2.252" };
    const listeners = Array.from({ length: 4 }, () => listen(visitor));
    const answers = await Promise.all(listeners.map(({ answer }) => answer));
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(200));
    const fifth = await listen(visitor).answer;
    expect([fifth.status, fifth.headers.get("retry-after")]).toEqual([503, "2"]);
    const other = listen({ "x-forwarded-for": "192.0.2.251" });
    expect((await other.answer).status).toBe(200);
    for (const { leave } of [...listeners, other]) leave();
  });

  test("without a stream follows the scan by polling", async () => {
    const visitor = { "x-forwarded-for": "192.0.2.253", "accept-language": "en" };
    const listeners = Array.from({ length: 4 }, () => listen(visitor));
    await Promise.all(listeners.map(({ answer }) => answer));
    expect((await listen(visitor).answer).status).toBe(503);
    const ask = async () =>
      (await fetch(new URL(`/scan/${started.id}`, server.url), { headers: visitor })).text();
    await expect.poll(ask).toContain("Loading the page");
    site.release();
    await expect.poll(ask, { timeout: 30_000 }).toContain("Ship Score");
    for (const { leave } of listeners) leave();
  });
});

/** What a stream is sent by, outside of any server. */
function fakeReply() {
  const sent: PassThrough[] = [];
  const reply = {
    request: { method: "GET" },
    headers: () => reply,
    send: (stream: PassThrough) => sent.push(stream),
  };
  return { reply: reply as unknown as FastifyReply, sent };
}
const forEver = (_: unknown, signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

test("a server keeps at most 512 streams open, and a closed one makes room", async () => {
  const streams = createStreams(server.deps);
  const { reply, sent } = fakeReply();
  for (let count = 0; count < 512; count++)
    streams.send(reply, { owner: `visitor ${count}` }, forEver);
  expect(() => streams.send(reply, { owner: "another" }, forEver)).toThrow("busy");
  await new Promise((resolve) => sent[0]?.once("close", resolve).destroy());
  streams.send(reply, { owner: "another" }, forEver);
  for (const stream of sent) stream.destroy();
});

test("an account keeps at most 16 open, over all its sessions", () => {
  const streams = createStreams(server.deps);
  const { reply, sent } = fakeReply();
  const open = (owner: string, session: number) =>
    streams.send(reply, { owner, session: `${session}` }, forEver, { closesOldest: true });
  for (let count = 0; count < 17; count++) open("acc_1", count % 4);
  expect(sent).toHaveLength(17);
  expect(() => open("acc_1", 4)).toThrow("busy");
  open("acc_2", 0);
  for (const stream of sent) stream.destroy();
});

test("a client that does not read is disconnected", async () => {
  const { reply, sent } = fakeReply();
  createStreams(server.deps).send(reply, { owner: "slow" }, async (send, signal) => {
    while (!signal.aborted) send("state", { text: "x".repeat(1000) });
  });
  expect(sent[0]?.destroyed).toBe(true);
});

test("a stopping server closes them without an end event, so that browsers connect to the next one", async () => {
  const stopping = await startTestServer({ roots: [site.authority.certificate] });
  const { id } = await start(stopping);
  const events = readEvents(await listen({}, stopping, id).answer);
  expect((await events.next()).value).toMatchObject({ event: "state" });
  const stopped = stopping.stop();
  const rest = [];
  for await (const { event } of events) rest.push(event);
  expect(rest).not.toContain("end");
  site.release();
  await stopped;
  await stopping.database.drop();
});

test("they end after five minutes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const { reply, sent } = fakeReply();
  createStreams(server.deps).send(reply, { owner: "long" }, forEver);
  vi.advanceTimersByTime(300_000);
  vi.useRealTimers();
  expect(sent[0]?.writableEnded).toBe(true);
});
