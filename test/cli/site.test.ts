import { describeDay } from "../../shared/report/times.ts";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, test } from "vitest";
import { listSitemapPaths } from "../../cli/config/sitemap.ts";
import { readSitemap } from "../../shared/sitemap.ts";
import { openContext, runCli } from "../harness/cli.ts";
import { CHECK, json, PROJECTS, startContractDouble } from "../harness/contract-double.ts";
import { startSite, type Routes } from "../harness/site.ts";
import { useFolder, use } from "../harness/use.ts";

const folder = useFolder();

const PRODUCTION = "https://www.example.com";
const urlset = (...paths: string[]) =>
  `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
    .map((path) => `<url><loc> ${PRODUCTION}${path} </loc><lastmod>2026-01-01</lastmod></url>`)
    .join("\n")}</urlset>`;
const many = (count: number) => Array.from({ length: count }, (_, number) => `/${number}`);
const index = (...paths: string[]) =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${PRODUCTION}${path}</loc></sitemap>`).join("")}</sitemapindex>`;
const docs = Array.from({ length: 23 }, (_, number) => `/docs/${number}?a=1&amp;b=2`);

const routes: Routes = {};
const site = use(() => startSite({ routes }));
const elsewhere = use(() =>
  startSite({ routes: { "/map.xml": { body: urlset("/from-elsewhere") } } }),
);

/** The month's quota as the server tells it, and the score of a path. */
let quota: { readonly header?: string; readonly remaining: number };
const server = use(() =>
  startContractDouble((request, response, count) => {
    if (request.method === "GET")
      return json(PROJECTS, 200, quota.header ? { "x-shipscore-quota": quota.header } : {})(
        request,
        response,
        count,
      );
    const { url } = JSON.parse(request.body) as { url: string };
    const score = url.endsWith("/docs/7?a=1&b=2") ? 12 : 59;
    json({
      ...CHECK,
      url,
      finalUrl: url,
      score,
      quota: { used: 12, limit: 300, remaining: quota.remaining },
    })(request, response, count);
  }),
);

beforeEach(() => {
  for (const path of Object.keys(routes)) delete routes[path];
  Object.assign(routes, {
    "/robots.txt": { body: `User-agent: *\nSITEMAP: ${PRODUCTION}/index.xml\r\n` },
    "/index.xml": { body: index("/pages.xml.gz", "/docs.xml") },
    "/pages.xml.gz": { body: gzipSync(urlset("/", "/about")) },
    "/docs.xml": { body: urlset(...docs) },
  });
  quota = { header: "used=12, limit=300", remaining: 287 };
});

async function check(
  config: object,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const file = join(folder, "site.json");
  await writeFile(file, JSON.stringify({ site: site.url.slice(0, -1), ...config }));
  const [asked, sent] = [site.requests.length, server.requests.length];
  const ran = await runCli(["check", "--config", file, ...args], { ...server.env, ...env });
  const posts = server.requests.slice(sent).filter(({ method }) => method === "POST");
  const urls = posts.map(({ body }) => (JSON.parse(body) as { url: string }).url);
  return {
    ...ran,
    paths: urls.map((url) => url.replace(site.url, "/")),
    sent: server.requests.length - sent,
    headers: posts.map(({ body }) => (JSON.parse(body) as { headers?: object }).headers),
    asked: site.requests.slice(asked),
  };
}

test("25 pages of an index are checked, gated and reported in each format, worst first", async () => {
  const formats = ["json", "markdown", "junit", "sarif", "gitlab", "html"];
  const reports = Object.fromEntries(formats.map((name) => [name, `out/${name}`]));
  const until = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const config = {
    pages: [{ path: "/", gate: { minScore: 50 } }],
    sitemap: {},
    gate: { minScore: 59 },
    accept: [{ rule: "asset.broken", pages: ["/docs/*"], reason: "moving", until }],
    reports,
  };
  const env = { SHIPSCORE_FORCE_TTY: "80" };
  const { exitCode, stdout, stderr, paths } = await check(config, [], env);
  expect(exitCode).toBe(1);
  expect(paths.toSorted()).toEqual(
    ["/", "/about", ...docs.map((path) => path.replace("&amp;", "&"))].toSorted(),
  );
  expect(stderr).toMatch(/^shipscore: 25 pages to check; 288 checks left\.$/m);
  const lines = stdout.split("\n");
  expect(lines[1]).toMatch(/^ +12 .*\/docs\/7\?a=1&b=2$/);
  expect(stdout).toContain("\nhdr.csp costs 4 points on 25 of 25 pages: one fix is enough\n");
  expect(stdout).toMatch(/^https:.*docs\/0\S+: 59\/100, \d+ with 1 accepted finding$/m);
  const day = describeDay(new Date(until), { language: "en" });
  expect(stdout).toContain(`\nasset.broken accepted through ${day}: moving (on 23 of 25 pages)\n`);
  expect(stdout).toContain("25 of 25 URLs checked; 287 of 300 checks left this month.");
  const read = async (name: string) => readFile(join(folder, "out", name), "utf8");
  const { checks } = JSON.parse(await read("json")) as { checks: { gate: object }[] };
  expect(checks).toHaveLength(25);
  expect(await read("markdown")).toContain(
    "- hdr.csp costs 4 points on 25 of 25 pages: one fix is enough",
  );
  expect((await read("junit")).match(/<testsuite /g)).toHaveLength(25);
  expect((await read("junit")).match(/<skipped>accepted through/g)).toHaveLength(23);
  expect((await read("sarif")).match(/"justification": "accepted through/g)).toHaveLength(23);
  expect((await read("gitlab")).match(/"check_name": "asset.broken"/g)).toHaveLength(2);
  expect((await read("html")).match(/asset\.broken accepted through/g)).toHaveLength(23);
});

test("the file's own pages come first, then others up to the requested number", async () => {
  const sitemap = {
    path: "/docs.xml",
    limit: 3,
    include: ["/docs/*"],
    exclude: ["/docs/1*", "/docs/2?*"],
  };
  const pages = ["/new", "/docs/0?a=1&b=2"];
  const wanted = [
    "/new",
    "/docs/0?a=1&b=2",
    "/docs/3?a=1&b=2",
    "/docs/4?a=1&b=2",
    "/docs/5?a=1&b=2",
  ];
  const { paths, asked } = await check({ pages, sitemap });
  expect(paths.toSorted()).toEqual(wanted.toSorted());
  expect(asked.map(({ url }) => url)).toEqual(["/docs.xml"]);
  expect((await check({ pages, sitemap: { limit: 0 } })).asked).toEqual([]);
});

describe("--limit applies to all pages of a run:", () => {
  const pages = ["/new", "/docs/0?a=1&b=2"];

  test.each<[config: object, limit: string, named: string]>([
    [{ sitemap: {} }, "0", "1 page"],
    [{ pages, sitemap: {} }, "1", "2 pages"],
    [{ pages }, "1", "2 pages"],
  ])("with %j, %s is rejected before the site is contacted", async (config, limit, named) => {
    const { exitCode, stderr, asked, sent } = await check(config, ["--limit", limit]);
    expect([exitCode, asked, sent]).toEqual([2, [], 0]);
    expect(stderr).toContain(`--limit ${limit} is less than the ${named} to check.`);
  });

  test.each<[config: object, limit: string, count: number, leftOut: string | undefined]>([
    [{ pages }, "2", 2, undefined],
    [{ pages, sitemap: {} }, "2", 2, "24 pages"],
    [{ pages, sitemap: {} }, "25", 25, "1 page"],
    [{ pages, sitemap: {} }, "26", 26, undefined],
    [{ pages, sitemap: { limit: 3 } }, "4", 4, "1 page"],
    [{ pages, sitemap: { limit: 3 } }, "9", 5, undefined],
  ])("with %j, %s allows %i", async (config, limit, count, leftOut) => {
    const { exitCode, stderr, paths } = await check(config, ["--limit", limit]);
    const all = [
      ...pages,
      "/",
      "/about",
      ...docs.slice(1).map((path) => path.replace("&amp;", "&")),
    ];
    expect([exitCode, paths.toSorted()]).toEqual([0, all.slice(0, count).toSorted()]);
    expect(/--limit \d+ leaves out (.*) of the sitemap\./.exec(stderr)?.[1]).toBe(leftOut);
  });
});

describe("a file that needs more than 100 checks", () => {
  test.each<[pages: string[], listed: string[], flags: string[], count: number]>([
    [many(101), [], [], 101],
    [["/"], many(100), ["--json"], 101],
    [many(70), many(140), ["--quiet"], 140],
  ])("makes no checks (%#)", async (pages, listed, flags, count) => {
    routes["/x"] = { body: urlset(...listed) };
    const sitemap = listed.length > 0 ? { sitemap: { path: "/x" } } : {};
    const env = { GITHUB_ACTIONS: "true" };
    const { exitCode, stdout, stderr, sent } = await check({ pages, ...sitemap }, flags, env);
    expect([exitCode, stdout, sent]).toEqual([2, "", 0]);
    const sentence = `site.json needs ${count} checks, and without --limit the maximum is 100. Add --limit N, such as --limit ${count} for all of them.`;
    expect(stderr).toMatch(new RegExp(`^shipscore: .*${sentence}$`, "m"));
    expect(stderr).toMatch(/^::error title=shipscore::.*needs/m);
  });

  test("makes as many as --limit allows", async () => {
    const { exitCode, paths } = await check({ pages: many(101) }, ["--limit", "101"]);
    expect([exitCode, paths.length]).toEqual([0, 101]);
  });

  test("counts a page once", async () => {
    routes["/x"] = { body: urlset(...many(100), ...many(100).toReversed()) };
    const { exitCode, paths } = await check({ pages: ["/7"], sitemap: { path: "/x" } });
    expect([exitCode, paths.length]).toEqual([0, 100]);
  });
});

describe("the quota is reported before the first check", () => {
  const config = { pages: ["/a", "/b", "/c"] };

  test("and more pages than it allows are rejected before any check", async () => {
    quota = { header: "used=298, limit=300", remaining: 2 };
    const { exitCode, stderr, paths } = await check(config);
    expect([exitCode, paths]).toEqual([49, []]);
    expect(stderr).toContain(
      "there are 3 pages to check, and only 2 checks of 300 left this month.",
    );
  });

  test("by an older server with the first check", async () => {
    quota = { remaining: 1 };
    const { exitCode, stderr, paths } = await check(config);
    expect([exitCode, paths.length]).toEqual([49, 1]);
    expect(stderr).toContain(
      "there are 2 pages to check, and only 1 check of 300 left this month.",
    );
    quota = { remaining: 2 };
    expect(await check(config)).toMatchObject({ exitCode: 0, paths: { length: 3 } });
  });
});

describe("a sitemap exits 3 before any check if", () => {
  const redirect = (location: string) => ({ status: 302, headers: { location } });
  test.each<[path: string, changed: Routes, sentence: string]>([
    ["/nonesuch.xml", {}, "nonesuch.xml cannot be read: the site responds with 404."],
    [
      "/index.xml",
      { "/docs.xml": { status: 500 }, "/pages.xml.gz": { status: 404 } },
      "pages.xml.gz cannot be read: the site responds with 404.",
    ],
    [
      "/x",
      {
        "/x": { body: index("/docs.xml", ...many(12)) },
        ...Object.fromEntries(many(12).map((path) => [path, { status: 404 }])),
      },
      "the site responds with 404.",
    ],
    ["/page", { "/page": { body: "<html><loc>/</loc></html>" } }, "it is not a sitemap."],
    ["/x", { "/x": { body: Buffer.from([0x1f, 0x8b, 1]) } }, "its compression is broken."],
    ["/x", { "/x": { body: gzipSync(Buffer.alloc(11_000_000)) } }, "it is over 10 MB."],
    ["/x", { "/x": { body: Buffer.alloc(10_000_001, " ") } }, "it is over 10 MB."],
    ["/x", { "/x": { body: index("/index.xml") } }, "it is an index in an index."],
    ["/x", { "/x": redirect("/x") }, "it redirects too many times."],
    ["/x", { "/x": redirect("http://127.0.0.1/") }, "it redirects to a URL that is not https."],
    ["/x", { "/x": ({ socket }) => socket.destroy() }, "cannot be read: ECONNRESET."],
  ])("%s (%#)", async (path, changed, sentence) => {
    Object.assign(routes, changed);
    const { exitCode, stdout, stderr, paths } = await check({ sitemap: { path } });
    expect([exitCode, stdout, paths]).toEqual([3, "", []]);
    expect(stderr).toContain(sentence);
  });
});

test.each<[why: string, changed: Routes, note: string]>([
  [
    "missing",
    { "/docs.xml": { status: 404 } },
    "docs.xml cannot be read: the site responds with 404; its pages are left out.",
  ],
  ["not a sitemap", { "/docs.xml": { body: "Hm." } }, "it is not a sitemap; its pages are"],
  ["an index itself", { "/docs.xml": { body: index("/x") } }, "it is an index in an index;"],
  [
    "named in robots.txt, and missing",
    {
      "/robots.txt": { body: "Sitemap: /nonesuch.xml\nSitemap: /pages.xml.gz" },
      "/nonesuch.xml": { status: 404 },
    },
    "nonesuch.xml cannot be read",
  ],
])("one sitemap among others is skipped with a note if it is %s", async (_why, changed, note) => {
  Object.assign(routes, changed);
  const { exitCode, stderr, paths } = await check({ sitemap: {} });
  expect([exitCode, paths.toSorted()]).toEqual([0, ["/", "/about"]]);
  expect(stderr).toContain(note);
});

test("a sitemap in an index may be text or a feed", async () => {
  routes["/index.xml"] = { body: index("/a.txt", "/b.rss") };
  routes["/a.txt"] = { body: `\ufeff${site.url}a\n\n${site.url}b\n` };
  routes["/b.rss"] = { body: "<rss><channel><link>/</link><item><link>/c</link></item></rss>" };
  const { exitCode, paths } = await check({ sitemap: {} });
  expect([exitCode, paths.toSorted()]).toEqual([0, ["/", "/a", "/b", "/c"]]);
});

test("a sitemap that takes longer than 30 s is abandoned", async () => {
  routes["/slow.xml"] = () => {};
  const context = await openContext();
  const choice = { path: "/slow.xml", known: new Set<string>(), headers: {} };
  await expect(listSitemapPaths(context, site.url.slice(0, -1), choice, 200)).rejects.toMatchObject(
    {
      exitCode: 3,
      message: expect.stringContaining("it takes longer than 0.2 s"),
    },
  );
});

describe("the headers of a preview go to no origin that only the file names:", () => {
  const secret = { "cf-access-client-id": "s3cret" };
  const SHIPSCORE_TARGET_HEADERS = JSON.stringify(secret);
  const unnamed = (url: string) =>
    `SHIPSCORE_TARGET_HEADERS would be sent to ${new URL(url).origin}, which is set only in a file. Set SHIPSCORE_TARGET_ORIGIN`;

  test.each<[origin: string, sentence: () => string]>([
    ["", () => unnamed(site.url)],
    ["https://b.example", () => unnamed(site.url)],
    ["a.example", () => "SHIPSCORE_TARGET_ORIGIN is not an https origin. Use one such as"],
    ["http://a.example", () => "SHIPSCORE_TARGET_ORIGIN is not an https origin."],
    ["https://a.example/x?s3cret", () => "SHIPSCORE_TARGET_ORIGIN is not an https origin."],
  ])("SHIPSCORE_TARGET_ORIGIN=%s", async (SHIPSCORE_TARGET_ORIGIN, sentence) => {
    const env = { SHIPSCORE_TARGET_HEADERS, SHIPSCORE_TARGET_ORIGIN };
    for (const config of [{}, { sitemap: {} }]) {
      const { exitCode, stderr, asked, sent } = await check(config, [], env);
      expect([exitCode, asked, sent]).toEqual([2, [], 0]);
      expect(stderr).toContain(sentence());
      expect(stderr).not.toContain("s3cret");
    }
  });

  test("a list of URLs names no origin", async () => {
    const list = join(folder, "urls.txt");
    await writeFile(list, `${site.url}a\n${elsewhere.url}\n`);
    const args = ["check", `${site.url}b`, "--urls", list];
    const sent = server.requests.length;
    const ran = await runCli(args, { ...server.env, SHIPSCORE_TARGET_HEADERS });
    expect([ran.exitCode, server.requests.length]).toEqual([2, sent]);
    expect(ran.stderr).toContain(unnamed(elsewhere.url));
    const env = { SHIPSCORE_TARGET_HEADERS, SHIPSCORE_TARGET_ORIGIN: elsewhere.url };
    expect((await runCli(args, { ...server.env, ...env })).exitCode).toBe(0);
    const headers = server.requests.slice(sent).map(({ body }) => JSON.parse(body) as object);
    expect(headers).toEqual(Array(3).fill(expect.objectContaining({ headers: secret })));
  });

  test.each<[named: string, args: () => string[], env: () => Readonly<Record<string, string>>]>([
    ["SHIPSCORE_TARGET_ORIGIN", () => [], () => ({ SHIPSCORE_TARGET_ORIGIN: site.url })],
    ["--site", () => ["--site", elsewhere.url], () => ({ SHIPSCORE_TARGET_ORIGIN: "" })],
    ["a typed URL", () => [elsewhere.url], () => ({ SHIPSCORE_TARGET_ORIGIN: site.url })],
  ])("%s names one", async (_, args, env) => {
    const { headers } = await check({}, args(), { SHIPSCORE_TARGET_HEADERS, ...env() });
    expect(headers).toEqual([secret]);
  });
});

test("the headers of a preview go only to the site's own origin, and only with a valid certificate", async () => {
  const secret = { "x-vercel-protection-bypass": "a-secret-of-32-characters-or-more" };
  const env = {
    SHIPSCORE_TARGET_HEADERS: JSON.stringify(secret),
    SHIPSCORE_TARGET_ORIGIN: site.url,
  };
  routes["/index.xml"] = { status: 302, headers: { location: `${elsewhere.url}map.xml` } };
  const [ca] = [join(folder, "ca.pem")];
  await writeFile(ca, site.authority.certificate);
  const sent = async (more: Readonly<Record<string, string>>) => {
    const { asked, paths, exitCode } = await check({ sitemap: {} }, [], { ...env, ...more });
    expect([exitCode, paths.toSorted()]).toEqual([0, ["/", "/from-elsewhere"]]);
    return asked.map(({ headers }) => headers["x-vercel-protection-bypass"]);
  };
  expect(await sent({})).toEqual([undefined, undefined]);
  const value = secret["x-vercel-protection-bypass"];
  expect(await sent({ NODE_EXTRA_CA_CERTS: ca })).toEqual([value, value]);
  for (const { headers } of elsewhere.requests)
    expect(headers).not.toHaveProperty("x-vercel-protection-bypass");
});

test("beyond 50,000 addresses the rest is skipped, with a note", async () => {
  routes["/x"] = { body: urlset(...many(50_001)) };
  const sitemap = { path: "/x", include: ["/49999", "/50000"] };
  const { stderr, paths } = await check({ sitemap });
  expect(paths).toEqual(["/", "/49999"]);
  expect(stderr).toContain("only the first 50,000 URLs of the sitemap were read.");
});

describe("the contents of a sitemap", () => {
  test.each<[text: string, addresses: readonly string[] | undefined]>([
    ["", undefined],
    ["<loc>https://a.example/</loc>", undefined],
    ["https://a.example/\r\nhttps://a.example/b\n", ["https://a.example/", "https://a.example/b"]],
    [
      "<urlset><!-- <loc>/no</loc> --><url><loc><![CDATA[/a?b&c]]></loc></url></urlset>",
      ["/a?b&c"],
    ],
    [
      "<urlset><url><loc>/a&#233;&#x41;&quot;&unknown;</loc><image:loc>/i</image:loc></url>",
      ['/aéA"&unknown;'],
    ],
    ['<!DOCTYPE a [<!ENTITY x "y">]><urlset><url><loc>/&x;&x;</loc></url></urlset>', ["/&x;&x;"]],
    ["<urlset><loc>/never ends", []],
    [
      "\ufeffHTTPS://a.example/\n\n\r\rhttps://a.example/b",
      ["HTTPS://a.example/", "https://a.example/b"],
    ],
    ["https://a.example/\nno URL", undefined],
    ["\n\n", undefined],
    [
      "<s:urlset><s:url><s:loc>/a</s:loc><loc>/no</loc><i:loc>/no</i:loc></s:url></s:urlset>",
      ["/a"],
    ],
    [
      '<feed><link href="/no"/><entry><link rel="self" href="/no"/><link href=\'/a&amp;b\'/><link rel="alternate" href="/c"/></entry></feed>',
      ["/a&b", "/c"],
    ],
    [
      "<rss><channel><link>/no</link><item><link>/a</link><guid>/no</guid></item><item><link><![CDATA[/b]]></link></item></channel></rss>",
      ["/a", "/b"],
    ],
    ["<rdf:RDF><channel><link>/no</link></channel><item><link>/a</link></item></rdf:RDF>", ["/a"]],
  ])("%j", (text, addresses) => {
    expect(readSitemap(text)?.addresses).toEqual(addresses);
  });

  test.each(["<", "<!--", "<urlset><loc>", "<urlset", "\n ", "&#", "<![CDATA["])(
    "a hostile one of %j takes little time",
    (part) => {
      expect(readSitemap(`<urlset>${part.repeat(1_000_000)}`)?.addresses.length).toBeLessThan(
        1_000_001,
      );
    },
  );
});
