import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { MAX_ASSETS, MAX_LINKS, MAX_REDIRECTS, MAX_REQUESTS } from "../../../server/base/bounds.ts";
import { createAuthority } from "../../harness/certificates.ts";
import { probeUrl, type Probing } from "../../harness/probing.ts";
import {
  findClosedPort,
  type Routes,
  type Site,
  type SiteOptions,
  startSite,
} from "../../harness/site.ts";
import { noise } from "../../harness/noise.ts";

const HTML = { "content-type": "text/html; charset=utf-8" };
const HANDSHAKES = 2;

const sites: Site[] = [];

afterEach(async () => {
  await Promise.all(sites.splice(0).map((site) => site.close()));
});

async function open(options: SiteOptions): Promise<Site> {
  const site = await startSite(options);
  sites.push(site);
  return site;
}

const redirect = (location: string, status = 301) => ({ status, headers: { location } });
const page = (body: string) => ({ headers: HTML, body: `<!doctype html><title>t</title>${body}` });
const pathsOf = (site: Site) => site.requests.map(({ method, url }) => `${method} ${url}`);

function writeLongSitemap(): string {
  const urls = Array.from(
    { length: 8000 },
    (_, index) => `<url><loc>/${noise(16, String(index)).toString("hex")}</loc></url>`,
  );
  return `<urlset>${urls.join("")}</urlset>`;
}

async function probeRoutes(routes: Routes, probing?: Probing) {
  const site = await open({ routes });
  const evidence = await probeUrl(site.url, probing);
  await vi.waitFor(() => expect(site.open.size).toBe(0));
  return { site, evidence };
}

describe("a rejected URL gives evidence of that only, and no request", () => {
  test.each([
    ["not_found", { outcome: "not_found" }],
    ["dns_timeout", { outcome: "timeout" }],
    ["dns_failure", { outcome: "failed" }],
    ["private", { outcome: "found", addresses: ["10.0.0.1"] }],
  ] as const)("%s", async (code, resolution) => {
    const resolve = () => ({ ...resolution, addresses: ["10.0.0.1"] });
    const {
      dns,
      page: seen,
      cors,
    } = await probeUrl("https://shop.example.com/?key=secret", { resolve });
    expect(dns).toMatchObject({ host: "shop.example.com", kind: "name", refusal: code });
    expect(seen).toMatchObject({ hops: [], attempts: 0, failure: { phase: "guard", code } });
    expect(cors.skipped).toBe(true);
  });
});

describe("redirects", () => {
  test(`are followed manually, ${MAX_REDIRECTS} at most, relative ones too`, async () => {
    const { evidence } = await probeRoutes({
      "/": redirect("/1"),
      "/1": redirect("2", 302),
      "/2": redirect("?q=secret#part", 307),
      "/2?q=secret": redirect("/3", 308),
      "/3": redirect("/4", 303),
      "/4": page("end"),
    });
    expect(evidence.page.hops.map(({ status }) => status)).toEqual([301, 302, 307, 308, 303, 200]);
    expect(evidence.page.hops[3]?.url).toMatch(/\/2\?q=\*\*\*$/);
    expect(evidence.page).toMatchObject({ stop: null, failure: null, body: { state: "whole" } });
    expect(JSON.stringify(evidence)).not.toContain("secret");
  });

  test("beyond the limit are not followed", async () => {
    const routes = Object.fromEntries(
      Array.from({ length: MAX_REDIRECTS + 2 }, (_, index) => [
        `/${index || ""}`,
        redirect(`/${index + 1}`),
      ]),
    );
    const { evidence } = await probeRoutes(routes);
    expect(evidence.page.hops).toHaveLength(MAX_REDIRECTS + 1);
    expect(evidence.page).toMatchObject({ stop: { reason: "too_many" }, body: null });
  });

  test.each([
    ["a loop", "/", { reason: "loop" }],
    ["a step down to http", "http://127.0.0.1/", { reason: "downgrade" }],
    ["a private place", "https://10.0.0.1/", { reason: "refused", refusal: "private" }],
    ["another scheme", "ftp://127.0.0.1/", { reason: "refused", refusal: "not_https" }],
  ])("%s ends the chain with its reason", async (_name, location, stop) => {
    const { evidence } = await probeRoutes({ "/": redirect(location) });
    expect(evidence.page.hops).toHaveLength(1);
    expect(evidence.page).toMatchObject({ stop, body: null, failure: null });
  });

  test("are read as bytes for each kind of request", async () => {
    const moved = redirect(Buffer.from("/über").toString("latin1"));
    const routes: Routes = {
      "/": page('<a href="/link">Link</a>'),
      "/%C3%BCber": page("end"),
      "/link": moved,
      "/robots.txt": moved,
    };
    const site = await open({ routes, plainRoutes: { "/": moved, "/%C3%BCber": page("end") } });
    const { links, robots, plainHttp } = await probeUrl(site.url, {
      httpPort: site.plainPort ?? 0,
    });
    expect(links).toMatchObject([{ status: 200 }]);
    expect(robots.page).toMatch(/\/%C3%BCber$/);
    expect(plainHttp?.hops.map(({ status }) => status)).toEqual([301, 200]);
    expect(plainHttp?.hops[0]?.headers).toContainEqual(["location", "/%C3%BCber"]);
  });

  test("without a target are the answer", async () => {
    const { evidence } = await probeRoutes({ "/": { status: 304 } });
    expect(evidence.page.hops.map(({ status }) => status)).toEqual([304]);
  });
});

describe("a page that sets a cookie and redirects to itself", () => {
  const COOKIE = "seen=4f1c9a7be20d55aa; Path=/; Secure; HttpOnly";
  const gate = ({ headers }: IncomingMessage, response: ServerResponse): void => {
    if (headers.cookie?.includes("seen=")) return void response.writeHead(200, HTML).end("<p>in");
    response.writeHead(302, { location: "/", "set-cookie": COOKIE }).end();
  };

  test("is reached, and its cookie is neither kept nor sent with another request", async () => {
    const { evidence, site } = await probeRoutes({ "/": gate });
    expect(evidence.page).toMatchObject({ stop: null, hops: [{ status: 302 }, { status: 200 }] });
    expect(site.requests.filter(({ headers }) => headers.cookie)).toHaveLength(1);
    expect(JSON.stringify(evidence)).not.toContain("4f1c9a7be20d55aa");
  });

  test("is a loop if it sets the same cookie again", async () => {
    const { evidence, site } = await probeRoutes({
      "/": { status: 302, headers: { location: "/", "set-cookie": COOKIE } },
    });
    expect(evidence.page).toMatchObject({ stop: { reason: "loop" } });
    expect(site.requests.filter(({ headers }) => headers.cookie)).toHaveLength(1);
  });

  test("is endless if it sets a different one each time", async () => {
    let count = 0;
    const { evidence } = await probeRoutes({
      "/": (_request, response) =>
        void response.writeHead(302, { location: "/", "set-cookie": `n=${count++}` }).end(),
    });
    expect(evidence.page).toMatchObject({ stop: { reason: "too_many" } });
  });

  test("goes through another site, which does not get the cookie", async () => {
    const theirs: Routes = {};
    const other = await open({ routes: theirs });
    const site = await open({
      hosts: ["shop.test"],
      routes: {
        "/": gate,
        "/in": { status: 302, headers: { location: other.url, "set-cookie": COOKIE } },
      },
    });
    const home = `https://shop.test:${site.port}/`;
    theirs["/"] = { status: 302, headers: { location: home, "set-cookie": "theirs=1; Path=/" } };
    const { page: seen } = await probeUrl(`${home}in`);
    expect(seen.hops.map(({ status }) => status)).toEqual([302, 302, 200]);
    expect(other.requests.flatMap(({ headers }) => headers.cookie ?? [])).toEqual([]);
    expect(site.requests.flatMap(({ headers }) => headers.cookie ?? [])).toEqual([
      "seen=4f1c9a7be20d55aa",
    ]);
  });
});

describe("a server that starts up for 4.5 s", () => {
  test("is waited for, and gets its side requests a second time", async () => {
    let openAt: number | undefined;
    const later = (request: IncomingMessage, response: ServerResponse): void => {
      openAt ??= performance.now() + 4500;
      const answer = (): void => {
        response.writeHead(request.url === "/" ? 200 : 404, HTML).end("<!doctype html><p>up");
      };
      setTimeout(answer, Math.max(0, openAt - performance.now()));
    };
    const { evidence } = await probeRoutes({ "*": later });
    expect(evidence.page).toMatchObject({ attempts: 1, failure: null, hops: [{ status: 200 }] });
    expect(evidence.page.timings.firstByteMs).toBeGreaterThan(4000);
    expect(evidence.robots.status).toBe(404);
    expect(evidence.notFound.status).toBe(404);
    expect(evidence.cors.status).toBe(200);
  });
});

describe("retries", () => {
  /** Answers 503 to the first request, those of a foreign origin apart. */
  function failingOnce() {
    let isFirst = true;
    return ({ headers }: IncomingMessage, response: ServerResponse): void => {
      const isFailing = isFirst && headers.origin === undefined;
      if (isFailing) isFirst = false;
      response.writeHead(isFailing ? 503 : 200, HTML).end(isFailing ? "busy" : "User-agent: *");
    };
  }

  test("a 5xx of the page is retried once, immediately", async () => {
    const { evidence } = await probeRoutes({ "/": failingOnce() });
    expect(evidence.page.attempts).toBe(2);
    expect(evidence.page.hops.map(({ status }) => status)).toEqual([200]);
  });

  test("a page that stays down is tried twice, never more", async () => {
    const { evidence, site } = await probeRoutes({ "*": { status: 500 } });
    expect(evidence.page).toMatchObject({ attempts: 2, hops: [{ status: 500 }] });
    expect(site.requests.filter(({ url, headers }) => url === "/" && !headers.origin)).toHaveLength(
      2,
    );
  });

  test("a side request is retried in the last wave", async () => {
    const { evidence, site } = await probeRoutes({ "/": page(""), "/robots.txt": failingOnce() });
    expect(evidence.robots.status).toBe(200);
    expect(pathsOf(site).filter((path) => path === "GET /robots.txt")).toHaveLength(2);
  });
});

describe("plain http", () => {
  test("is not tried if the URL has its own port", async () => {
    const { evidence } = await probeRoutes({ "/": page("") });
    expect(evidence.plainHttp).toBeNull();
  });

  test("a step from http to https is followed", async () => {
    const routes: Routes = { "/": page("") };
    const plainRoutes: Routes = {};
    const site = await open({ routes, plainRoutes });
    plainRoutes["/"] = redirect(site.url);
    const evidence = await probeUrl(site.url, { httpPort: site.plainPort ?? 0 });
    expect(evidence.plainHttp).toMatchObject({ closed: false, skipped: false, failure: null });
    expect(evidence.plainHttp?.hops.map(({ status, tls }) => [status, tls === null])).toEqual([
      [301, true],
      [200, false],
    ]);
  });

  test("a refused connection is a closed port", async () => {
    const { evidence } = await probeRoutes({ "/": page("") }, { httpPort: await findClosedPort() });
    expect(evidence.plainHttp).toMatchObject({ closed: true, hops: [] });
  });
});

describe("the headers of a preview", () => {
  const headers = { "x-vercel-protection-bypass": "open-sesame" };
  const opened = (site: Site) =>
    site.requests.filter((request) => request.headers["x-vercel-protection-bypass"]).length;

  test("are not sent if the chain is not trusted", async () => {
    const site = await open({ routes: { "/": page("") } });
    const { certificate } = await createAuthority();
    const evidence = await probeUrl(site.url, { headers, roots: [certificate] });
    expect(evidence.page.hops[0]?.status).toBe(200);
    expect(opened(site)).toBe(0);
  });

  test.each([
    ["names another host", { hosts: ["other.test"] }],
    ["has a common name alone", { hosts: [], order: { commonName: "127.0.0.1" } }],
  ])("are not sent if the certificate %s", async (_name, options) => {
    const site = await open({ routes: { "/": page("") }, ...options });
    await probeUrl(site.url, { headers });
    expect(site.requests.length).toBeGreaterThan(3);
    expect(opened(site)).toBe(0);
  });

  test("never go to another origin, nor over http", async () => {
    const other = await open({ routes: { "/": page(""), "/a.js": {} }, plainRoutes: {} });
    const site = await open({
      routes: { "/": redirect(other.url), "/robots.txt": redirect(`${other.url}robots.txt`) },
    });
    await probeUrl(site.url, { headers, httpPort: other.plainPort ?? 0 });
    expect(opened(site)).toBe(site.requests.length);
    expect(other.requests.some(({ encrypted }) => !encrypted)).toBe(true);
    expect(opened(other)).toBe(0);
  });

  test("go with every request to the URL's own origin, and are nowhere in the evidence", async () => {
    const { evidence, site } = await probeRoutes(
      { "/": page('<script src="/a.js"></script><a href="/b">b</a>') },
      { headers },
    );
    expect(pathsOf(site)).toEqual(expect.arrayContaining(["GET /a.js", "HEAD /b"]));
    expect(opened(site)).toBe(site.requests.length);
    expect(JSON.stringify(evidence)).not.toContain("open-sesame");
  });
});

describe("what the page and robots.txt refer to", () => {
  test(`assets: scripts and styles first, ${MAX_ASSETS} at most, with their statuses`, async () => {
    const images = Array.from(
      { length: MAX_ASSETS },
      (_, index) => `<img src="/${index}.png" alt="">`,
    );
    const { evidence, site } = await probeRoutes({
      "/": page(`${images.join("")}<script src="/a.js"></script>`),
      "/a.js": { headers: { "content-type": "text/javascript" }, body: "1" },
    });
    expect(evidence.assets).toHaveLength(MAX_ASSETS);
    expect(evidence.assets[0]).toMatchObject({ kind: "script", status: 200 });
    expect(evidence.assets[1]).toMatchObject({ kind: "image", status: 404 });
    expect(evidence.assetCount).toBe(MAX_ASSETS + 1);
    const requested = pathsOf(site).filter((path) => /GET .*\.(?:png|js)$/.test(path));
    expect(requested).toHaveLength(MAX_ASSETS);
  });

  test("an asset in a private network or over http is rejected, never requested", async () => {
    const { evidence } = await probeRoutes({
      "/": page('<script src="https://10.0.0.1/a.js"></script><img src="http://127.0.0.1/b.png">'),
    });
    expect(evidence.assets.map(({ failure }) => failure?.code)).toEqual(["private", "not_https"]);
  });

  test("links: HEAD, and GET if HEAD is not supported", async () => {
    const { evidence, site } = await probeRoutes({
      "/": page(
        '<a href="/ok">1</a><a href="/picky">2</a><a href="/get">3</a><a href="https://example.org/">4</a>',
      ),
      "/ok": {},
      "/get": (request, response) =>
        void response.writeHead(request.method === "HEAD" ? 404 : 200).end(),
      "/picky": (request, response) =>
        void response.writeHead(request.method === "HEAD" ? 405 : 200).end(),
    });
    expect(evidence.links.map(({ method, status }) => [method, status])).toEqual([
      ["HEAD", 200],
      ["GET", 200],
      ["GET", 200],
    ]);
    expect(pathsOf(site)).toEqual(expect.arrayContaining(["HEAD /picky", "GET /picky"]));
  });

  test("robots.txt through a redirect, and its sitemap", async () => {
    const routes: Routes = { "/": page(""), "/robots.txt": redirect("/robots") };
    const site = await open({ routes });
    routes["/robots"] = {
      body: `User-agent: *\nDisallow: /\nSitemap: ${site.url}map.xml?key=secret`,
    };
    routes["/map.xml?key=secret"] = { body: '<?xml version="1.0"?><urlset></urlset>' };
    const { robots, sitemap } = await probeUrl(site.url);
    expect(robots).toMatchObject({ status: 200, badLine: null, failure: null });
    expect(robots.blocks?.[0]).toMatchObject({ agent: "*", line: 2 });
    expect(robots.sitemaps).toEqual([`${site.url}map.xml?key=***`]);
    expect(sitemap).toMatchObject({ status: 200, valid: true, url: `${site.url}map.xml?key=***` });
  });

  test.each<[string, Buffer, boolean | null]>([
    ["a bomb", gzipSync(Buffer.alloc(8_000_000, 32)), null],
    ["a page", gzipSync("<!doctype html><p>x"), false],
    ["a sitemap", gzipSync("<urlset><url><loc>https://example.com/</loc></url></urlset>"), true],
    [
      "a sitemap in two members",
      Buffer.concat([
        gzipSync("<urlset><url>"),
        gzipSync("<loc>https://example.com/</loc></url></urlset>"),
      ]),
      true,
    ],
    ["a sitemap longer than what is read", gzipSync(writeLongSitemap()), true],
  ])("a sitemap in a gzip file: %s", async (_name, body, valid) => {
    const routes: Routes = { "/": page(""), "/map.xml.gz": { body } };
    const site = await open({ routes });
    routes["/robots.txt"] = { body: `Sitemap: ${site.url}map.xml.gz` };
    expect((await probeUrl(site.url)).sitemap).toMatchObject({ status: 200, valid });
  });

  test.each([
    ["its own", { body: "User-agent: *\nDisallow: /" }, null],
    ["the other's", "redirect", [expect.objectContaining({ agent: "*", line: 2 })]],
  ])("robots.txt of a page on another host, if it is %s", async (_whose, own, blocks) => {
    const body =
      "User-agent: *\nDisallow: /fr/\nUser-agent: Googlebot\nUser-agent: Bingbot\nAllow: /";
    const other = await open({ routes: { "/fr/": page(""), "/robots.txt": { body } } });
    const moved = redirect(`${other.url}robots.txt`);
    const { evidence } = await probeRoutes({
      "/": redirect(`${other.url}fr/`),
      "/robots.txt": typeof own === "string" ? moved : own,
    });
    expect(evidence.robots.blocks).toEqual(blocks);
  });

  test("a missing robots.txt has no rules", async () => {
    const { evidence } = await probeRoutes({ "/": page("") });
    expect(evidence.robots).toMatchObject({ status: 404, blocks: [], badLine: null, sitemaps: [] });
    expect(evidence.sitemap).toBeNull();
  });

  test("a path that does not exist: its status, its redirect, its leaks", async () => {
    const leak = "<title>Index of /</title><h1>Index of /</h1>";
    const { evidence } = await probeRoutes({ "/": page(""), "*": { headers: HTML, body: leak } });
    expect(evidence.notFound).toMatchObject({
      status: 200,
      leak: { signature: "directory index" },
    });
    const moved = await probeRoutes({ "/": page(""), "*": redirect("/?from=x") });
    expect(moved.evidence.notFound).toMatchObject({ status: 301, leak: null });
    expect(moved.evidence.notFound.location).toMatch(/\/\?from=\*\*\*$/);
  });

  test("a request with a foreign origin, for its CORS headers", async () => {
    const { evidence, site } = await probeRoutes({
      "/": (request, response) => {
        const origin = request.headers.origin ?? "";
        response.writeHead(200, { "access-control-allow-origin": origin }).end();
      },
    });
    const [foreign] = site.requests.flatMap(({ headers }) => headers.origin ?? []);
    expect(foreign).toMatch(/^https:\/\//);
    expect(evidence.cors.headers).toContainEqual(["access-control-allow-origin", foreign]);
  });
});

describe("the twin", () => {
  const hosts = ["shop.test", "www.shop.test"];

  async function probeTwin(twin: Routes[string], resolve?: Probing["resolve"]) {
    const routes: Routes = {
      "/": (request, response) => {
        if (!request.headers.host?.startsWith("www."))
          return void response.writeHead(200, HTML).end("<title>t</title>");
        if (typeof twin === "function") return twin(request, response);
        response.writeHead(twin?.status ?? 200, twin?.headers).end(twin?.body);
      },
    };
    const { port } = await open({ routes, hosts });
    const url = `https://shop.test:${port}/`;
    return probeUrl(url, { ...(resolve && { resolve }) });
  }

  test("does not exist for an IP address", async () => {
    const { evidence } = await probeRoutes({ "/": page("") });
    expect(evidence.twin).toBeNull();
  });

  test("may be a name that does not exist", async () => {
    const { twin } = await probeTwin(page(""), (name) =>
      name === "shop.test"
        ? { outcome: "found", addresses: ["127.0.0.1"] }
        : { outcome: "not_found" },
    );
    expect(twin).toMatchObject({ hops: [], failure: { phase: "guard" }, skipped: false });
  });

  test("may be a copy, and name its canonical", async () => {
    const canonical = '<link rel="canonical" href="https://shop.test/">';
    const { twin, page: own } = await probeTwin(page(canonical));
    expect(own.hops[0]?.tls?.host).toBe("shop.test");
    expect(twin).toMatchObject({ hops: [{ status: 200 }], canonical: "https://shop.test/" });
    expect(twin?.url).toMatch(/^https:\/\/www\.shop\.test:\d+\/$/);
  });

  test("may be a redirect", async () => {
    const { twin } = await probeTwin((request, response) => {
      const port = request.headers.host?.split(":")[1];
      response.writeHead(301, { location: `https://shop.test:${port}/` }).end();
    });
    expect(twin?.hops.map(({ status }) => status)).toEqual([301, 200]);
    expect(twin?.canonical).toBeNull();
  });
});

test("a name's addresses are tried in turn until one connects, under its name", async () => {
  const { port } = await open({ hosts: ["shop.test"], routes: { "/": page("") } });
  const addresses = ["::1", "127.0.0.9", "127.0.0.1"];
  const { dns, page: seen } = await probeUrl(`https://shop.test:${port}/`, {
    resolve: () => ({ outcome: "found", addresses }),
  });
  expect(dns.addresses).toEqual(["127.0.0.9", "127.0.0.1", "::1"]);
  expect(seen.hops[0]).toMatchObject({ address: "127.0.0.1", tls: { host: "shop.test" } });
});

describe("the bounds of a check", () => {
  test(`${MAX_REQUESTS} requests, the GETs of links dropped first`, async () => {
    const assets = Array.from(
      { length: MAX_ASSETS + 2 },
      (_, index) => `<script src="/${index}.js"></script>`,
    );
    const links = Array.from(
      { length: MAX_LINKS + 2 },
      (_, index) => `<a href="/link${index}">x</a>`,
    );
    const refused: Routes[string] = ({ method }, response) =>
      void response.writeHead(method === "HEAD" ? 405 : 200).end();
    const routes: Routes = {
      "/5": page(assets.join("") + links.join("")),
      "/robots.txt": redirect("/robots2.txt"),
      "/robots2.txt": redirect("/robots3.txt"),
      ...Object.fromEntries(links.map((_, index) => [`/link${index}`, refused])),
    };
    for (let hop = 0; hop < 5; hop++) routes[`/${hop || ""}`] = redirect(`/${hop + 1}`);
    const plainRoutes = { "/": redirect("/a"), "/a": redirect("/b"), "/b": redirect("/c") };
    const site = await open({ routes, plainRoutes });
    const evidence = await probeUrl(site.url, { httpPort: site.plainPort ?? 0 });
    expect(site.requests).toHaveLength(MAX_REQUESTS - HANDSHAKES);
    expect(evidence.assets).toHaveLength(MAX_ASSETS);
    expect(evidence.links).toHaveLength(MAX_LINKS);
    expect(evidence.links.filter(({ skipped }) => skipped)).toHaveLength(18);
    expect([evidence.assetCount, evidence.linkCount]).toEqual([MAX_ASSETS + 2, MAX_LINKS + 2]);
  });

  test("an aborted signal ends it immediately, with its reason and without an open socket", async () => {
    const site = await open({ routes: { "*": () => undefined } });
    const stopping = new AbortController();
    const running = probeUrl(site.url, { signal: stopping.signal });
    await vi.waitFor(() => expect(site.requests.map(({ url }) => url)).toContain("/"));
    stopping.abort(new Error("stopping"));
    await expect(running).rejects.toThrow("stopping");
    // Not aborted, it would ask once more when the page's time is over.
    const ofPage = site.requests.filter(
      ({ url, headers }) => url === "/" && headers.origin === undefined,
    );
    expect(ofPage).toHaveLength(1);
    await vi.waitFor(() => expect(site.open.size).toBe(0));
  });
});
