import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { probeUrl } from "../../harness/probing.ts";
import { MAX_CONNECTIONS } from "../../../server/base/bounds.ts";
import { type Received, type Routes, type Site, startSite } from "../../harness/site.ts";

const HTML = { "content-type": "text/html; charset=utf-8" };
const HOSTS = ["shop.test", "cdn.test"];

const sites: Site[] = [];

afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

/** A page on shop.test; `{cdn}` in it is the same server under another name. */
async function probePage(body: string, routes: Routes = {}, headers: Record<string, string> = {}) {
  const own: Routes = {
    "/": ({ socket }, response) => {
      const cdn = `https://cdn.test:${socket.localPort}`;
      const page = `<!doctype html><title>t</title>${body.replaceAll("{cdn}", cdn)}`;
      response.writeHead(200, { ...HTML, ...headers }).end(page);
    },
  };
  const site = await startSite({ hosts: HOSTS, routes: { ...own, ...routes } });
  sites.push(site);
  const evidence = await probeUrl(`https://shop.test:${site.port}/`);
  const sent = (path: string): Received["headers"] =>
    site.requests.findLast(({ url }) => url === path)?.headers ?? {};
  const origin = `https://shop.test:${site.port}`;
  return { evidence, site, sent, origin };
}

describe("a file is requested as browsers do", () => {
  test("with the page as Referer on its own site, and the origin for another", async () => {
    const { sent, origin } = await probePage('<img src="/a.png"><img src="{cdn}/b.png">');
    expect(sent("/a.png").referer).toBe(`${origin}/`);
    expect(sent("/b.png").referer).toBe(`${origin}/`);
  });

  test.each<[string, string, Record<string, string>]>([
    ["its header", '<img src="{cdn}/b.png">', { "referrer-policy": "no-referrer" }],
    ["its meta", '<meta name="referrer" content="never"><img src="{cdn}/b.png">', {}],
    ["the element", '<img src="{cdn}/b.png" referrerpolicy="no-referrer">', {}],
  ])("without a Referer if %s", async (_, body, headers) => {
    const { sent } = await probePage(body, {}, headers);
    expect(sent("/b.png").host).toMatch(/^cdn\.test/);
    expect(sent("/b.png").referer).toBeUndefined();
  });

  test.each([
    ["a module", '<script type="module" src="{cdn}/b"></script>', true],
    ["a font", '<link rel="preload" as="font" href="{cdn}/b">', true],
    ["a script with crossorigin", '<script crossorigin src="{cdn}/b"></script>', true],
    ["a script", '<script src="{cdn}/b"></script>', false],
    ["a module of the page's own", '<script type="module" src="/b"></script>', false],
  ])("%s: %s names its origin: %j", async (_, body, isNamed) => {
    const { sent, origin } = await probePage(body);
    expect(sent("/b").host).toBeDefined();
    expect(sent("/b").origin).toBe(isNamed ? origin : undefined);
  });

  test("so that a server with hotlink protection serves it", async () => {
    const { evidence } = await probePage('<img src="{cdn}/a.png">', {
      "/a.png": ({ headers }, response) =>
        void response.writeHead(headers.referer?.startsWith("https://shop.test") ? 200 : 403).end(),
    });
    expect(evidence.assets.map(({ status }) => status)).toEqual([200]);
  });
});

describe("a link that does not answer HEAD gets a GET", () => {
  const onHead = (refuse: (response: ServerResponse) => void): Routes => ({
    "/a": ({ method }, response) => {
      if (method === "HEAD") refuse(response);
      else response.writeHead(200).end();
    },
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ...[400, 403, 404, 405, 410, 500, 501, 502].map(
      (status): [string, (response: ServerResponse) => void] => [
        String(status),
        (response) => response.writeHead(status).end(),
      ],
    ),
    ["a connection that is closed", (response) => response.socket?.destroy()],
  ])("after %s", async (_, refuse) => {
    const { evidence } = await probePage('<a href="/a">a</a>', onHead(refuse));
    expect(evidence.links).toMatchObject([{ method: "GET", status: 200 }]);
  });

  test.each([
    ["/gone", 404],
    ["/there", 200],
    ["/old", 301],
    ["https://other.test/", 301],
  ])("a link that is redirected to %s answers %i", async (location, status) => {
    const { evidence } = await probePage('<a href="/old">a</a>', {
      "/old": (_request, response) => void response.writeHead(301, { location }).end(),
      "/gone": (_request, response) => void response.writeHead(404).end(),
      "/there": (_request, response) => void response.writeHead(200).end(),
    });
    expect(evidence.links).toMatchObject([{ status }]);
    expect(evidence.links[0]?.url).toMatch(/\/old$/);
  });

  test.each([401, 429])("but not after %i", async (status) => {
    const { evidence } = await probePage(
      '<a href="/a">a</a>',
      onHead((response) => response.writeHead(status, { "retry-after": "9" }).end()),
    );
    expect(evidence.links).toMatchObject([{ method: "HEAD", status }]);
  });
});

describe("a server that limits requests", () => {
  const files = Array.from({ length: 8 }, (_, index) => `<script src="/${index}.js"></script>`);

  /** Answers `status` to all but two files, each the first time that it is asked for. */
  function limit(status: number, headers: Record<string, string> = {}) {
    const asked = new Set<string>();
    return ({ url = "" }: IncomingMessage, response: ServerResponse): void => {
      const isBorne = !url.endsWith(".js") || asked.has(url) || asked.size < 2;
      if (url.endsWith(".js")) asked.add(url);
      response.writeHead(isBorne ? 200 : status, isBorne ? HTML : headers).end();
    };
  }

  test.each([
    [503, {}],
    [429, {}],
    [503, { "retry-after": "1" }],
  ])("with %i %j gets a retry after a second", async (status, headers) => {
    const { evidence } = await probePage(files.join(""), { "*": limit(status, headers) });
    expect(evidence.assets.map((asset) => asset.status)).toEqual(files.map(() => 200));
    expect(evidence.durationMs).toBeGreaterThan(1000);
  });

  test.each(["120", "Wed, 21 Oct 2026 07:28:00 GMT"])(
    "gets no more requests if it asks to come back later: %s",
    async (later) => {
      const { evidence, site } = await probePage(files.join(""), {
        "*": limit(503, { "retry-after": later }),
      });
      expect(evidence.assets.filter((asset) => asset.status === 503)).toHaveLength(6);
      expect(site.requests.filter(({ url }) => url.endsWith(".js"))).toHaveLength(8);
    },
  );
});

describe("a file that redirects", () => {
  const redirect = (location: string) => ({ status: 302, headers: { location } });
  const chain = (name: string, count: number): Routes =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`/${name}${at}`, redirect(`/${name}${at + 1}`)]),
    );
  const file = { status: 200, headers: { "content-type": "text/javascript" } };
  const addScript = (path: string) => `<script src="${path}"></script>`;

  test.each<[string, string, Routes, number | null]>([
    ["to a file", "/a", { "/a": redirect("/b"), "/b": file }, 302],
    ["to one that is missing", "/a", { "/a": redirect("/b") }, 404],
    [
      "to one of another host that is missing",
      "/a",
      {
        "/a": ({ socket }, response) =>
          response.writeHead(302, { location: `https://cdn.test:${socket.localPort}/b` }).end(),
      },
      404,
    ],
    ["to itself", "/a", { "/a": redirect("/a") }, null],
    ["20 times", "/a0", { ...chain("a", 20), "/a20": file }, 302],
    ["21 times", "/a0", { ...chain("a", 21), "/a21": file }, null],
    [
      "to itself, with a cookie",
      "/a",
      {
        "/a": ({ headers }, response) =>
          headers.cookie === "seen=1"
            ? response.writeHead(200, file.headers).end()
            : response.writeHead(302, { location: "/a", "set-cookie": "seen=1" }).end(),
      },
      302,
    ],
  ])("%s", async (_, path, routes, status) => {
    const { evidence } = await probePage(addScript(path), routes);
    const [asset] = evidence.assets;
    expect(asset?.status).toBe(status);
    expect(asset?.failure?.code).toBe(status === null ? "ERR_TOO_MANY_REDIRECTS" : undefined);
  });
});

test("a file that redirects to another host sends it what the page's policy allows", async () => {
  const toOther = ({ socket }: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(302, { location: `https://cdn.test:${socket.localPort}/b` }).end();
  const policy = { "referrer-policy": "same-origin" };
  const script = '<script type="module" src="/a"></script>';
  const { sent, origin } = await probePage(script, { "/a": toOther }, policy);
  expect(sent("/a")).toMatchObject({ referer: `${origin}/` });
  expect(sent("/b").host).toMatch(/^cdn\.test/);
  expect(sent("/b")).toMatchObject({ origin });
  expect(sent("/b").referer).toBeUndefined();
});

test("a link whose redirect browsers refuse is not followed", async () => {
  const { evidence } = await probePage('<a href="/a">a</a>', {
    "/a": (_request, response) =>
      response.writeHead(302, ["location", "/b", "location", "/c"]).end(),
    "/b": { status: 200 },
  });
  expect(evidence.links).toMatchObject([{ status: null, failure: { code: "ERR_LOCATIONS" } }]);
});

describe("links", () => {
  const LINKS = Array.from({ length: 8 }, (_, index) => `/${index}`);
  const FILES = Array.from({ length: 12 }, (_, index) => `/${index}.png`);
  const body = [...LINKS.map((path) => `<a href="${path}">a</a>`), ...FILES.map(addImage)].join("");
  const probeLinks = (answerHead: (response: ServerResponse) => void) => {
    const toLink = ({ method }: IncomingMessage, response: ServerResponse) =>
      void (method === "HEAD" ? answerHead(response) : response.writeHead(200).end());
    const toFile = (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(200).end();
    return probePage(body, {
      ...Object.fromEntries(LINKS.map((path) => [path, toLink])),
      ...Object.fromEntries(FILES.map((path) => [path, toFile])),
    });
  };

  test("are requested over the connections of all other requests", async () => {
    const { site } = await probeLinks((response) => response.writeHead(200).end());
    const ownRequests = site.requests.filter(({ headers }) => headers.host?.startsWith("shop."));
    const connections = new Set(ownRequests.map(({ connection }) => connection));
    expect(connections.size).toBeLessThanOrEqual(MAX_CONNECTIONS);
  });

  test.each([
    ["at once", (socket: Socket) => socket.write(`${EMPTY}<p>A body.</p>`)],
    [
      "later",
      (socket: Socket) => socket.write(EMPTY, () => setImmediate(() => socket.write("<p>"))),
    ],
    ["as an answer", (socket: Socket) => socket.write(`${EMPTY}HTTP/1.1 404 None\r\n\r\n`)],
  ])("and one whose HEAD has a body, sent %s, harms no other request", async (_, send) => {
    const { evidence } = await probeLinks(({ socket }) => socket && send(socket));
    const statuses = [...evidence.links, ...evidence.assets].map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(statuses).toHaveLength(LINKS.length + FILES.length);
  });
});

const EMPTY = "HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n";
const addImage = (path: string) => `<img src="${path}">`;
