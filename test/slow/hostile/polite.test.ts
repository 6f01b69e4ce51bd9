import { connect, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MAX_CONNECTIONS, MAX_REQUESTS } from "../../../server/base/bounds.ts";
import { listen, type Route, type Routes, type Site, startSite } from "../../harness/site.ts";
import { startVisitor, type Report, type Visitor } from "../../hostile/visitor.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const USER_AGENT = "shipscore-test";
const HANDSHAKES = 2;
const ANSWER_MS = 30;
const HTML = { "content-type": "text/html" };

/** Stands before a site and counts the visitors that are connected at once; one that has left no longer counts. */
async function startCounter(behindPort: number) {
  const inside = new Set<Socket>();
  let most = 0;
  const server: Server = createServer((visitor) => {
    const beyond = connect(behindPort, "127.0.0.1");
    inside.add(visitor);
    for (const event of ["end", "close"]) visitor.on(event, () => inside.delete(visitor));
    for (const socket of [visitor, beyond]) socket.on("error", () => socket.destroy());
    visitor.on("close", () => beyond.destroy());
    visitor.pipe(beyond).pipe(visitor);
    setImmediate(() => (most = Math.max(most, inside.size)));
  });
  const port = await listen(server, new Set());
  return { port, most: () => most, reset: () => (most = 0), close: () => server.close() };
}

let visitor: Visitor;

beforeAll(async () => {
  visitor = await startVisitor();
});
afterAll(() => visitor.close());

describe("a check of a site with more files than it may request", () => {
  const inFlight = new Map<number, number>();
  let mostInFlight = 0;
  let site: Site;
  let counter: Awaited<ReturnType<typeof startCounter>>;
  let report: Report;

  /** Answers after a while, so that requests that were sent together are there together. */
  const slowly =
    (route: Exclude<Route, Function>): Route =>
    ({ socket: { remotePort = 0 } }, response) => {
      inFlight.set(remotePort, (inFlight.get(remotePort) ?? 0) + 1);
      mostInFlight = Math.max(mostInFlight, ...inFlight.values());
      setTimeout(() => {
        inFlight.set(remotePort, (inFlight.get(remotePort) ?? 1) - 1);
        response.writeHead(route.status ?? 200, route.headers).end(route.body);
      }, ANSWER_MS);
    };

  beforeAll(async () => {
    const files = Array.from({ length: 20 }, (_, index) => `<script src="/${index}.js"></script>`);
    const links = Array.from({ length: 20 }, (_, index) => `<a href="/link-${index}">a</a>`);
    const routes: Routes = {
      "/": slowly({ headers: HTML, body: `<!doctype html>${files.join("")}${links.join("")}` }),
      "*": slowly({ headers: HTML, body: "Not this one." }),
    };
    site = await startSite({
      hosts: ["shop.test", "www.shop.test", "127.0.0.1"],
      routes,
      plainRoutes: { "*": slowly({ status: 301, headers: { location: "/over" } }) },
    });
    counter = await startCounter(site.port);
    routes["/robots.txt"] = slowly({
      body: `User-agent: *\nDisallow: /\nSitemap: https://shop.test:${counter.port}/map.xml`,
    });
    report = await visitor.visit({
      url: `https://shop.test:${counter.port}/`,
      httpPort: site.plainPort ?? 0,
      names: { "shop.test": ["127.0.0.1"], "www.shop.test": ["127.0.0.1"] },
    });
  });
  afterAll(async () => {
    counter.close();
    await site.close();
  });

  test("sends requests of every wave and kind", () => {
    const asked = site.requests.map(
      ({ method, url, headers, encrypted }) =>
        `${encrypted ? "" : "http "}${headers.host?.startsWith("www.") ? "www " : ""}${method} ${url}`,
    );
    expect(asked).toEqual(
      expect.arrayContaining([
        "GET /",
        "http GET /",
        "www GET /",
        "GET /robots.txt",
        "GET /map.xml",
        "GET /1.js",
        "HEAD /link-0",
      ]),
    );
    expect(asked.filter((each) => /GET \/shipscore-[0-9a-f]{16}$/.test(each))).toHaveLength(1);
    expect(site.requests.filter(({ headers }) => headers.origin)).toHaveLength(1);
  });

  test("identifies itself in every request", () => {
    expect(new Set(site.requests.map(({ headers }) => headers["user-agent"]))).toEqual(
      new Set([USER_AGENT]),
    );
  });

  test(`sends at most ${MAX_REQUESTS} requests, including its two handshakes`, () => {
    expect(site.requests.length).toBeGreaterThan(20);
    expect(site.requests.length).toBeLessThanOrEqual(MAX_REQUESTS - HANDSHAKES);
    expect(report.evidence.legacyTls.outcome).toBe("refused");
  });

  test(`has at most ${MAX_CONNECTIONS} connections to a host at the same time, and one request at a time on each`, async () => {
    counter.reset();
    await visitor.visit({ url: `https://127.0.0.1:${counter.port}/` });
    expect(counter.most()).toBeGreaterThan(2);
    expect(counter.most()).toBeLessThanOrEqual(MAX_CONNECTIONS);
    expect(mostInFlight).toBe(1);
  });
});

describe("a site that rejects the check with", () => {
  test.each([401, 403, 429])(
    "%i gets no requests for what its page refers to, and none twice",
    async (status) => {
      const body =
        '<!doctype html><title>No</title><script src="/a.js"></script><a href="/b">b</a>';
      const site = await startSite({ routes: { "*": { status, headers: HTML, body } } });
      const { evidence, result } = await visitor.visit({ url: site.url });
      await site.close();
      const asked = site.requests.map(({ url }) => url.replace(/[0-9a-f]{16}/, "")).toSorted();
      expect(asked).toEqual(["/", "/", "/robots.txt", "/shipscore-"]);
      expect(evidence).toMatchObject({ assets: [], links: [] });
      expect(result.verdict).toBe("inconclusive");
    },
  );
});
