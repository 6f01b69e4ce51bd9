import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startHostileSite } from "../../hostile/hostile-site.ts";
import { visitSafely } from "../../hostile/promises.ts";
import { startVisitor, type Visitor } from "../../hostile/visitor.ts";
import { answerOf } from "../../hostile/writing.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const BYPASS = "Tr0ub4dor&3-bypass";
const QUERY = "c0rrect-horse&battery~staple";
const FRAGMENT = "access_token=fr4gment-of-a-login";
const COOKIE = "s3ssion-of-somebody-else";
/** What of each would give it away. */
const TRACES = ["Tr0ub4dor", "c0rrect", "fr4gment", "s3ssion"];

let visitor: Visitor;

beforeAll(async () => {
  visitor = await startVisitor();
});
afterAll(() => visitor.close());

/** Every place where a site may repeat what it was told. */
const MIRRORS: [
  name: string,
  lines: (secret: string) => string[],
  body: (secret: string) => string,
][] = [
  [
    "its headers",
    (secret) => [
      `server: ${secret}`,
      `x-powered-by: a ${secret}`,
      `etag: "${secret}"`,
      `vary: ${secret}`,
      `x-robots-tag: ${secret}`,
    ],
    () => "",
  ],
  [
    "Set-Cookie",
    (secret) => [
      `set-cookie: ${secret}=1; path=/${secret}; domain=${secret}`,
      `set-cookie: a=${secret}`,
      `set-cookie: ${secret}`,
    ],
    () => "",
  ],
  [
    "Location",
    (secret) => [
      `location: /${encodeURIComponent(secret)}/${encodeURIComponent(secret)}?${encodeURIComponent(secret)}#${encodeURIComponent(secret)}`,
    ],
    () => "",
  ],
  [
    "Refresh and Link",
    (secret) => [`refresh: 9;url=/${secret}?a=${secret}`, `link: </${secret}>; rel=preload`],
    () => "",
  ],
  [
    "its policies",
    (secret) => [
      `content-security-policy: default-src /${secret}; report-uri /r/${secret}?k=${secret}`,
      `permissions-policy: camera=("${secret}")`,
    ],
    () => "",
  ],
  [
    "WWW-Authenticate and CORS",
    (secret) => [`www-authenticate: ${secret}`, `access-control-allow-origin: ${secret}`],
    () => "",
  ],
  ["its title", () => [], (secret) => `<!doctype html><title>You searched ${secret}</title>`],
  [
    "its doctype, language and charset",
    () => [],
    (secret) => `<!doctype ${secret}><html lang="${secret}"><meta charset="${secret}">`,
  ],
  [
    "its metas",
    () => [],
    (secret) =>
      `<meta name=description content="${secret}"><meta property=og:image content="/${secret}"><meta http-equiv=refresh content="9;url=/${secret}">`,
  ],
  ["its first words, cut", () => [], (secret) => `${"a".repeat(105)} ${secret}`],
  ["a title that is cut", () => [], (secret) => `<title>${"a".repeat(285)} ${secret}</title>`],
  [
    "its links and files",
    () => [],
    (secret) => {
      const file = secret === COOKIE ? "a" : secret;
      return `<!doctype html><a href="/${secret}">a</a><img src="/${file}/a.png"><script src="/${file}.js?v=${secret}"></script><link rel=canonical href="/${secret}">`;
    },
  ],
  [
    "robots.txt and sitemaps",
    () => [],
    (secret) =>
      `User-agent: *\nDisallow: /*${secret}\nDisallow: /\n${secret}\nSitemap: https://127.0.0.1/${encodeURIComponent(secret)}.xml`,
  ],
  [
    "a text that escapes it",
    () => [],
    (secret) =>
      `<!doctype html><p>${secret.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}`,
  ],
];

describe("no secret of a check is in its evidence if the site repeats it in", () => {
  test.each(MIRRORS)("%s", async (_name, lines, body) => {
    const site = await startHostileSite((socket, { head }) => {
      const bypass = /^x-vercel-protection-bypass: (.*)$/m.exec(head)?.[1]?.trim() ?? "none";
      const query = /\?q=(\S*)/.exec(head)?.[1] ?? "none";
      const secrets = [bypass, decodeURIComponent(query), FRAGMENT, COOKIE];
      const answer = answerOf(
        secrets.map(body).join(""),
        `set-cookie: sid=${COOKIE}; path=/`,
        ...secrets.flatMap(lines),
      ).toString("utf8");
      const isMoved = answer.includes("\r\nlocation:");
      socket.write(isMoved ? answer.replace("200 OK", "302 Found") : answer);
    });
    const url = `${site.url}?q=${encodeURIComponent(QUERY)}#${FRAGMENT}`;
    const { evidence, result } = await visitSafely(visitor, site, {
      url,
      headers: { "x-vercel-protection-bypass": BYPASS },
    });
    await site.close();
    expect(site.requests.some(({ head }) => head.includes(BYPASS))).toBe(true);
    for (const trace of TRACES) {
      expect(JSON.stringify(evidence)).not.toContain(trace);
      expect(JSON.stringify(result)).not.toContain(trace);
    }
  });
});

test("the path of a file stays as on the page, even if a cookie contains a part of it", async () => {
  const file = "/static/abcd1234ef/app.js";
  const site = await startHostileSite((socket, { head }) =>
    socket.write(
      head.includes(" /static/")
        ? answerOf("").toString().replace("200 OK", "404 Not Found")
        : answerOf(
            `<!doctype html><title>Shop</title><script src="${file}"></script>`,
            "set-cookie: build=abcd1234ef",
          ),
    ),
  );
  const { evidence, result } = await visitSafely(visitor, site);
  await site.close();
  expect(evidence.assets).toMatchObject([{ url: expect.stringContaining(file), status: 404 }]);
  expect(JSON.stringify(result)).toContain(file);
});

test("a page keeps its URL, on any port, when a file is requested with its path", async () => {
  const path = "/blog/my-first-post-2026";
  const page = `<!doctype html><html lang="en"><title>Noindex</title><link rel="canonical" href="https://127.0.0.1${path}"><img src="/_next/image?url=${path}/cover.png" alt="">`;
  const site = await startHostileSite((socket) =>
    socket.write(
      answerOf(page, "set-cookie: robots=noindex, nofollow", "x-robots-tag: noindex, nofollow"),
    ),
  );
  const url = site.url.replace(/\/$/, path);
  const { evidence, result } = await visitSafely(visitor, site, { url });
  await site.close();
  expect(evidence.url).toBe(url);
  expect(evidence.page.hops).toMatchObject([{ url }]);
  expect(evidence.page.body?.html?.canonicals).toMatchObject([{ url: `https://127.0.0.1${path}` }]);
  const indexable = result.findings.find(({ id }) => id === "seo.indexable");
  expect(indexable).toMatchObject({ status: "fail", evidence: expect.stringContaining("noindex") });
});
