import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parseNetworks } from "../../../server/engine/net/address.ts";
import { createPoster, type Poster } from "../../../server/engine/net/post.ts";
import type { Resolution } from "../../../server/engine/net/resolve.ts";
import { createAuthority } from "../../harness/certificates.ts";
import { findClosedPort, getAuthority, listen, startSite, type Site } from "../../harness/site.ts";

const LOOPBACK = "127.0.0.0/8,::1/128";
const BODY = JSON.stringify({ text: "Été" });

let roots: string[];
let site: Site;
const bodies: string[] = [];
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  roots = [(await getAuthority()).certificate];
  const redirect = { status: 302, headers: { location: "/good" } };
  site = await startSite({
    routes: {
      "/good": (request, response) => {
        request.setEncoding("utf8");
        let body = "";
        request.on("data", (chunk: string) => (body += chunk));
        request.on("end", () => {
          bodies.push(body);
          response.writeHead(200).end("ok");
        });
      },
      "/redirect": redirect,
      "/busy": { status: 429, headers: { "retry-after": "7" } },
      "/reset": (_request, response) => void response.destroy(),
      "/silent": () => {},
      "/endless": (_request, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write("x"), 10);
        response.on("close", () => clearInterval(drip));
      },
      "/early": (_request, response) => void response.writeHead(200).end("ok"),
    },
    plainRoutes: { "/plain": { status: 204 } },
  });
});
afterAll(async () => {
  await site.close();
  await Promise.all(closers.map((close) => close()));
});

interface Posting {
  /** The networks that alerts may enter. */
  allow?: string;
  allowStatuses?: string;
  resolve?: (name: string) => Resolution;
  body?: string;
}

function posterOf({ allow = LOOPBACK, allowStatuses = "", resolve }: Posting): Poster {
  const found = { outcome: "found" as const, addresses: ["127.0.0.1"] };
  const network = {
    resolver: { resolve: (name: string) => Promise.resolve(resolve?.(name) ?? found) },
    allowNetworks: parseNetworks(allow),
    localAddresses: () => [],
  };
  const statuses = { ...network, allowNetworks: parseNetworks(allowStatuses) };
  return createPoster({ alerts: network, statuses }, { userAgent: "test", roots });
}

const post = (url: string, posting: Posting = {}) =>
  posterOf(posting).post(
    { url, headers: { "content-type": "application/json" }, body: posting.body ?? BODY },
    new AbortController().signal,
  );

/** The URL of a TLS server that does this with each connection. */
async function serveBytes(handle: (socket: Socket) => void): Promise<string> {
  const issued = await (await getAuthority()).issue({ hosts: ["127.0.0.1"] });
  const open = new Set<Socket>();
  const server = createTlsServer(issued, (socket) => {
    socket.on("error", () => socket.destroy());
    handle(socket);
  });
  const port = await listen(server, open);
  closers.push(async () => {
    for (const socket of open) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `https://127.0.0.1:${port}/`;
}

describe("a target is rejected before anything is sent to it", () => {
  test.each<[string, string, Posting, string]>([
    ["a private address", "https://127.0.0.1:443/", { allow: "" }, "not_allowed"],
    ["a name with a private address", "https://example.com/", { allow: "" }, "not_allowed"],
    ["http outside the allowed networks", "http://93.184.215.14/", {}, "not_allowed"],
    ["another protocol", "ftp://127.0.0.1/", {}, "not_allowed"],
    [
      "a name that is not found",
      "https://example.com/",
      { resolve: () => ({ outcome: "not_found" }) },
      "unresolved",
    ],
    [
      "a name that nobody answers for",
      "https://example.com/",
      { resolve: () => ({ outcome: "timeout" }) },
      "unresolved",
    ],
  ])("%s", async (_what, url, posting, failure) => {
    const before = site.accepted();
    expect(await post(url, posting)).toEqual({ failure });
    expect(site.accepted()).toBe(before);
  });

  test("a name that resolves to a private address since the last post", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const poster = posterOf({
      resolve: () => ({ outcome: "found", addresses: answers.shift() ?? [] }),
    });
    const { signal } = new AbortController();
    const posted = { url: `https://localhost:${site.port}/early`, headers: {}, body: BODY };
    expect(await poster.post(posted, signal)).toMatchObject({ status: 200 });
    expect(await poster.post(posted, signal)).toEqual({ failure: "not_allowed" });
  });
});

describe("a post that fails", () => {
  test("immediately: nothing listens, a reset, a certificate of another host, a redirect", async () => {
    expect(await post(`https://127.0.0.1:${await findClosedPort()}/`)).toEqual({
      failure: "unreachable",
    });
    expect(await post(`${site.url}reset`)).toEqual({ failure: "cut_off" });
    const untrusted = await startSite({ authority: await createAuthority() });
    closers.push(() => untrusted.close());
    expect(await post(untrusted.url)).toEqual({ failure: "untrusted" });
    expect(untrusted.requests).toEqual([]);
    expect(await post(`${site.url}redirect`)).toMatchObject({ status: 302 });
    expect(bodies).toEqual([]);
  });

  test("after ten seconds: silence, a drip of headers, an endless handshake, an unread body", async () => {
    const drips = await serveBytes((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx-drip: ");
      const drip = setInterval(() => socket.write("x"), 100);
      socket.on("close", () => clearInterval(drip));
    });
    const mute = createServer((socket) => void socket.resume());
    const open = new Set<Socket>();
    const port = await listen(mute, open);
    closers.push(async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => mute.close(() => resolve()));
    });
    const deaf = await serveBytes((socket) => void socket.pause());
    const outcomes = await Promise.all([
      post(`${site.url}silent`),
      post(drips),
      post(`https://127.0.0.1:${port}/`),
      post(deaf, { body: "x".repeat(20_000_000) }),
    ]);
    expect(outcomes).toEqual(outcomes.map(() => ({ failure: "timeout" })));
    await vi.waitFor(() => expect(open.size).toBe(0));
  });

  test("ends on endless headers", async () => {
    const url = await serveBytes((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const flood = setInterval(() => socket.write(`x: ${"y".repeat(10_000)}\r\n`), 1);
      socket.on("close", () => clearInterval(flood));
    });
    expect(await post(url)).toEqual({ failure: "too_long" });
  });
});

describe("a post that is answered", () => {
  test("has arrived completely; only the status and Retry-After of the answer are read", async () => {
    expect(await post(`${site.url}good`)).toEqual({ status: 200, retryAfter: null });
    expect(bodies).toEqual([BODY]);
    expect(await post(`${site.url}busy`)).toEqual({ status: 429, retryAfter: "7" });
    expect(await post(`${site.url}endless`)).toEqual({ status: 200, retryAfter: null });
    await vi.waitFor(() => expect(site.open.size).toBe(0));
  });

  test("may use http within the allowed networks", async () => {
    const url = `http://127.0.0.1:${site.plainPort}/plain`;
    expect(await post(url)).toEqual({ status: 204, retryAfter: null });
  });

  test("aborts with the reason when the process ends", async () => {
    const stopping = new AbortController();
    const posted = posterOf({}).post(
      { url: `${site.url}silent`, headers: {}, body: BODY },
      stopping.signal,
    );
    stopping.abort(new Error("over"));
    await expect(posted).rejects.toThrow("over");
  });
});
