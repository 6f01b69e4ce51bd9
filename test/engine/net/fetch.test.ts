import type { ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { LOOK_RULESET, lookOf } from "../../../server/engine/judge/look-outcome.ts";
import { judge } from "../../../server/engine/judge/score.ts";
import { probePage, probeUrl } from "../../harness/probing.ts";
import { findClosedPort, getAuthority, listen, type Route, startSite } from "../../harness/site.ts";
import { BREAK_CASES, CODING_CASES, pathOf, routesOf } from "../../harness/body-cases.ts";
import { use } from "../../harness/use.ts";
import { noise } from "../../harness/noise.ts";

const PAGE = `<!doctype html><html lang="fr"><title>Bonjour</title><p>${"Bonjour. ".repeat(500)}`;
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n";
const MAX_PAGE_BYTES = 1_572_864;

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function probeRoute(route: Route) {
  const site = await startSite({ routes: { "/": route } });
  closers.push(() => site.close());
  const evidence = await probeUrl(site.url);
  await vi.waitFor(() => expect(site.open.size).toBe(0));
  return evidence;
}

/** A TLS server that answers every request with these bytes, then closes or not. */
async function probeBytes(write: (socket: Socket) => void) {
  const issued = await (await getAuthority()).issue({ hosts: ["127.0.0.1"] });
  const server = createTlsServer(issued, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => write(socket));
  });
  const open = new Set<Socket>();
  const port = await listen(server, open);
  closers.push(async () => {
    for (const socket of open) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const evidence = await probeUrl(`https://127.0.0.1:${port}/`);
  await vi.waitFor(() => expect(open.size).toBe(0));
  return evidence;
}

const html = { "content-type": "text/html; charset=utf-8" };
const coded = (coding: string) => ({ ...html, "content-encoding": coding });

describe("an incomplete body", () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));

  test.each<[string, Route, string]>([
    ["two codings that it has not", { headers: coded("gzip, br"), body: PAGE }, "undecodable"],
    ["bytes that are not the coding", { headers: coded("gzip"), body: noise(4096) }, "undecodable"],
    ["bytes that are not brotli", { headers: coded("br"), body: noise(4096) }, "undecodable"],
    ["gzip cut", { headers: coded("gzip"), body: gzipSync(PAGE).subarray(0, -9) }, "cut_short"],
    [
      "brotli cut",
      { headers: coded("br"), body: brotliCompressSync(PAGE).subarray(0, -9) },
      "cut_short",
    ],
    ["a bomb of 200 MB", { headers: coded("gzip"), body: bomb }, "over_limit"],
    ["a long page", { headers: html, body: Buffer.alloc(MAX_PAGE_BYTES + 1, "a") }, "over_limit"],
    [
      "fewer bytes than its length",
      (_request, response) => {
        response.writeHead(200, { ...html, "content-length": "5000" });
        response.write(PAGE.slice(0, 100), () => response.destroy());
      },
      "cut_short",
    ],
    [
      "no last chunk",
      (_request, response) => {
        response.writeHead(200, html);
        response.write(PAGE, () => response.destroy());
      },
      "cut_short",
    ],
  ])("%s", async (_name, route, state) => {
    const { page } = await probeRoute(route);
    expect(page.hops).toHaveLength(1);
    expect(page.failure).toBeNull();
    expect(page.body?.state).toBe(state);
    expect(page.body?.decodedBytes).toBeLessThanOrEqual(MAX_PAGE_BYTES);
  });
});

describe("a complete body", () => {
  test.each<[string, Route]>([
    ["gzip", { headers: coded("gzip"), body: gzipSync(PAGE) }],
    ["x-gzip", { headers: coded("X-GZIP"), body: gzipSync(PAGE) }],
    ["br", { headers: coded("br"), body: brotliCompressSync(PAGE) }],
    ["identity", { headers: html, body: PAGE }],
  ])("%s", async (_name, route) => {
    const { page } = await probeRoute(route);
    expect(page.body).toMatchObject({ state: "whole", decodedBytes: Buffer.byteLength(PAGE) });
    expect(page.body?.html?.title).toBe("Bonjour");
  });

  test("as long as the limit", async () => {
    const { page } = await probeRoute({ headers: html, body: Buffer.alloc(MAX_PAGE_BYTES, "a") });
    expect(page.body).toMatchObject({ state: "whole", decodedBytes: MAX_PAGE_BYTES });
  });

  test("wire bytes are those of the coding", async () => {
    const body = gzipSync(PAGE);
    const { page } = await probeRoute({ headers: coded("gzip"), body });
    expect(page.body).toMatchObject({ wireBytes: body.length, encoding: "gzip" });
  });

  test("of an empty answer", async () => {
    const { page } = await probeRoute({ headers: html, body: "" });
    expect(page.body).toMatchObject({ state: "whole", decodedBytes: 0, wireBytes: 0 });
  });

  test("after Early Hints and Processing", async () => {
    const { page } = await probeRoute((_request, response: ServerResponse) => {
      response.writeEarlyHints({ link: "</a.css>; rel=preload" });
      response.writeProcessing();
      response.writeHead(200, { ...html, server: "after" });
      response.end(PAGE);
    });
    expect(page.hops[0]).toMatchObject({ status: 200 });
    expect(page.hops[0]?.headers).toContainEqual(["server", "after"]);
    expect(page.body?.state).toBe("whole");
  });

  test("ended by the close of the connection", async () => {
    const { page } = await probeBytes((socket) =>
      socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n${PAGE}`),
    );
    expect(page.body).toMatchObject({ state: "whole", decodedBytes: Buffer.byteLength(PAGE) });
  });
});

describe("a body as browsers read it", () => {
  const cases = { ...CODING_CASES, ...BREAK_CASES };
  const site = use(() => startSite({ routes: routesOf(cases) }));
  const wholeLength = async () => {
    const { page } = await probeUrl(site.url + pathOf("no coding").slice(1));
    return page.body?.html?.textLength ?? 0;
  };

  test.each(Object.entries(cases))("%s", async (name, { shown, oddities }) => {
    const { page } = await probeUrl(site.url + pathOf(name).slice(1));
    const { html: read = null, state } = page.body ?? {};
    const isRead = state !== "undecodable" && read?.title === "Tea";
    const isWhole = isRead && state === "whole" && read.textLength === (await wholeLength());
    expect({ shown: isWhole ? "whole" : isRead ? "part" : "nothing" }).toEqual({ shown });
    expect(page.body?.oddities).toEqual(oddities);
    const probed = await probePage(site.url + pathOf(name).slice(1));
    expect(lookOf(judge(probed, LOOK_RULESET)).outcome).toBe("good");
  });
});

describe("an endless body is abandoned early", () => {
  const ENDLESS = `${HEAD}connection: close\r\n`;

  test.each([
    ["for its coding", "content-encoding: gzip;q=1\r\n\r\nabc", "undecodable"],
    ["for its length", `\r\n${"a".repeat(MAX_PAGE_BYTES + 1)}`, "over_limit"],
  ])("%s", async (_name, rest, state) => {
    const { page } = await probeBytes((socket) => socket.write(ENDLESS + rest));
    expect(page).toMatchObject({ failure: null, body: { state } });
  });
});

test("an endless body of a redirect is abandoned at the visit's end", async () => {
  const site = await startSite({
    routes: {
      "/": (_request, response) => {
        response.writeHead(302, { location: "/page" });
        response.write("a");
      },
      "/page": { headers: html, body: PAGE },
    },
  });
  closers.push(() => site.close());
  const { page } = await probePage(site.url);
  expect(page.hops.map(({ status }) => status)).toEqual([302, 200]);
  await vi.waitFor(() => expect(site.open.size).toBe(0));
});

describe("a server that gives no answer", () => {
  test.each<[string, (socket: Socket) => void]>([
    ["closes", (socket) => socket.end()],
    ["breaks off", (socket) => socket.destroy()],
    ["speaks no HTTP", (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n")],
    [
      "switches protocols",
      (socket) =>
        socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    ],
    [
      "sends 300 KB of headers",
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${"a".repeat(300_000)}\r\n\r\n`),
    ],
    [
      "sends two lengths",
      (socket) =>
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"),
    ],
  ])("%s", async (_name, write) => {
    const { page } = await probeBytes(write);
    expect(page).toMatchObject({ hops: [], body: null, attempts: 2 });
    expect(page.failure?.phase).toBe("response");
    expect(page.failure?.code).not.toBe("");
    expect(page.tls?.chainError).toBeNull();
  });

  test("more bytes after the announced end cost only the connection", async () => {
    const { page } = await probeBytes((socket) =>
      socket.write(
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 Oh\r\n\r\n",
      ),
    );
    expect(page.hops[0]?.status).toBe(200);
    expect(page.body?.decodedBytes).toBe(2);
  });

  test("nothing listens", async () => {
    const { page, legacyTls, alpn, cors } = await probeUrl(
      `https://127.0.0.1:${await findClosedPort()}/`,
    );
    expect(page).toMatchObject({
      hops: [],
      attempts: 2,
      failure: { phase: "connect", code: "ECONNREFUSED" },
    });
    expect(cors.failure?.code).toBe("ECONNREFUSED");
    expect(legacyTls.outcome).toBe("unknown");
    expect(alpn.outcome).toBe("unknown");
  });

  test("speaks no TLS", async () => {
    const server = createServer((socket) =>
      socket.resume().end("HTTP/1.1 400 Bad Request\r\n\r\n"),
    );
    const port = await listen(server, new Set());
    closers.push(() => new Promise((resolve) => server.close(() => resolve())));
    const { page } = await probeUrl(`https://127.0.0.1:${port}/`);
    expect(page.failure).toMatchObject({ phase: "tls", code: "ERR_SSL_WRONG_VERSION_NUMBER" });
  });
});
