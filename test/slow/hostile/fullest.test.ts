import { createServer } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import { LANGUAGES } from "../../../shared/language.ts";
import { reportCheck } from "../../../server/mcp/run-check.ts";
import { composeCheck } from "../../../server/engine/visit/check-body.ts";
import { listen } from "../../harness/site.ts";
import { startHostileSite } from "../../hostile/hostile-site.ts";
import { fill } from "../../hostile/pages.ts";
import { visitSafely } from "../../hostile/promises.ts";
import { startVisitor, type Visitor } from "../../hostile/visitor.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Quotes and backslashes take two bytes of JSON for one, an é two for one in UTF-8. */
const HEAVY = '"\\é';
const QUOTA = { used: 999, limit: 1000, remaining: 1 };
const LONG_PATH = fill("a", 900);
const LONG_HOST = `${`${fill("n", 60)}.`.repeat(4)}fr`;
const HEADER_LINES = [
  ...Array.from({ length: 80 }, () => `server: ${fill(HEAVY, 250)}`),
  ...["content-security-policy", "permissions-policy", "x-robots-tag"].map(
    (name) => `${name}: ${fill(HEAVY, 4000)}`,
  ),
  ...Array.from(
    { length: 100 },
    (_, index) =>
      `set-cookie: ${fill(HEAVY, 120)}${index}=${fill("a1", 20)}; path=/${fill(HEAVY, 120)}`,
  ),
];

const element = (make: (index: number) => string, count = 150) =>
  Array.from({ length: count }, (_, index) => make(index)).join("");

let visitor: Visitor;

beforeAll(async () => {
  visitor = await startVisitor();
});
afterAll(() => visitor.close());

function writePage(): string {
  const heavy = fill("&quot;\\é", 900);
  return [
    `<!doctype ${fill(HEAVY, 900)}><html lang='${heavy}'><title>${heavy}</title>`,
    element(
      (index) =>
        `<h2>${heavy}</h2><form action='http://${index}.example/${LONG_PATH}'></form><a>{{${heavy}</a>`,
      30,
    ),
    element((index) => `<script src='https://${index}.${LONG_HOST}/'></script>`, 30),
    element((index) => `<script src='/${index}${LONG_PATH}'></script>`, 20),
    element((index) => `<a href='/${index}${LONG_PATH}'>a</a>`),
    element((index) => `<img src='ftp:${index}${heavy}'>`),
    element((index) => `<a href='file:///${index}${heavy}'>a</a>`),
    element((index) => `<link rel=canonical href='urn:${index}${heavy}'>`),
    element(() => `<meta name=description content='${heavy}'>`),
    element(() => `<meta http-equiv=content-security-policy content='${heavy}'>`),
  ].join("");
}

/** Five redirects, each with as much as it may say, and then an answer with as much. */
function writeAnswer(path: string, to: string): Buffer {
  const depth = Number(/^\/(\d)/.exec(path)?.[1] ?? 0);
  const isEnd = depth === 5 || !/^\/(?:\d|$)/.test(path);
  const body = path.endsWith("robots.txt")
    ? `${fill(HEAVY, 900)}\n${element((index) => `sitemap: https://127.0.0.1/${index}${LONG_PATH}\n`, 3)}`
    : writePage();
  const lines = [
    isEnd ? "HTTP/1.1 200 OK" : "HTTP/1.1 302 Found",
    "content-type: text/html",
    `content-length: ${isEnd ? Buffer.byteLength(body) : 0}`,
    ...(isEnd ? [] : [`location: ${to}/${depth + 1}${LONG_PATH}`]),
    ...HEADER_LINES,
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  return isEnd ? Buffer.concat([head, Buffer.from(body)]) : head;
}

test("a site with the longest possible answers fits in its evidence and in an assistant's report", async () => {
  const hosts = [
    "shop.test",
    "www.shop.test",
    ...Array.from({ length: 500 }, (_, index) => `${index}${fill("n", 60)}.example.com`),
  ];
  const site = await startHostileSite(
    (socket, { path, head }) => {
      const host = /^host: (.*)$/im.exec(head)?.[1] ?? "";
      socket.write(writeAnswer(path, `https://${host}`));
    },
    { hosts, commonName: fill(HEAVY, 900) },
  );
  const plain = createServer((socket) => {
    socket.on("data", (bytes) => {
      const [, path = ""] = bytes.toString("latin1").split(" ", 2);
      socket.write(writeAnswer(path, `https://shop.test:${site.port}`));
    });
  });
  const httpPort = await listen(plain, new Set());
  const names = { "shop.test": ["127.0.0.1"], "www.shop.test": ["127.0.0.1"] };
  const { evidence, result } = await visitSafely(visitor, site, {
    url: `https://shop.test:${site.port}/`,
    httpPort,
    names,
  });
  await site.close();
  plain.close();
  expect(evidence.page.hops).toHaveLength(6);
  expect(evidence.page.body?.html?.forms?.length).toBeGreaterThan(5);
  expect(evidence.page.body?.html?.metas.length).toBeGreaterThan(5);
  expect(evidence.drawnCookies?.length).toBeGreaterThan(5);
  expect(evidence.twin?.hops).toHaveLength(6);
  expect(evidence.assets.length + evidence.links.length).toBeGreaterThan(3);
  expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(256 * 1024);
  for (const language of LANGUAGES) {
    const judged = scoreEvidence(evidence, language);
    const check = composeCheck("chk_00000000000000000000", evidence, judged);
    const report = reportCheck({ ...check, quota: QUOTA }, language);
    expect(report.structured.findings.length).toBeGreaterThan(15);
    expect(JSON.stringify(report).length).toBeLessThan(20_000);
  }
});
