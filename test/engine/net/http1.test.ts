import { describe, expect, test } from "vitest";
import { judge } from "../../../server/engine/judge/score.ts";
import { LOOK_RULESET, lookOf } from "../../../server/engine/judge/look-outcome.ts";
import { HTTP1_CASES, WITHOUT_STATUS_LINE } from "../../harness/http1-cases.ts";
import {
  type RawSiteOptions,
  type RawAnswerCase,
  startRawSite,
} from "../../harness/raw-answers.ts";
import { probePage, type Probing, probeUrl } from "../../harness/probing.ts";
import { use } from "../../harness/use.ts";

const shared = use(
  async () => ({ site: await startRawSite(HTTP1_CASES) }),
  ({ site }) => site.close(),
);

async function lookAt(url: string) {
  return lookOf(judge(await probePage(url), LOOK_RULESET));
}

/** Browsers show nothing for these, but a probe reads no body. */
const EMPTY = ["s204-body", "st-205"];
/** The body of these is refused. A status that is no answer, such as 304, fails for its own reason. */
const isGood = ({ name, chromium }: RawAnswerCase): boolean =>
  EMPTY.includes(name) || (chromium === "shown" && !WITHOUT_STATUS_LINE.includes(name));

/** Its head never ends, which takes the time of a whole request. */
const ENDLESS = "cr-all";

describe("a probe of a URL with an answer that browsers", () => {
  test.each(HTTP1_CASES.filter(isGood))("show: $name", async ({ name }) => {
    const look = await lookAt(`https://127.0.0.1:${shared.site.port}/${name}`);
    expect(look).toMatchObject({ outcome: "good", reason: null });
  });

  test.each(HTTP1_CASES.filter((one) => !isGood(one) && one.name !== ENDLESS))(
    "refuse: $name",
    async ({ name }) => {
      const look = await lookAt(`https://127.0.0.1:${shared.site.port}/${name}`);
      expect(look).toMatchObject({ outcome: "failed" });
    },
  );
});

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n";
const LENGTH = "Content-Length: {LEN}\r\n\r\n{BODY}";

async function checkAnswer(answer: string, options: RawSiteOptions = {}, probing: Probing = {}) {
  const site = await startRawSite([{ name: "", chromium: "shown", answer, close: true }], options);
  const url = `https://127.0.0.1:${site.port}/`;
  try {
    const look = await lookAt(url);
    const evidence = await probeUrl(url, probing);
    const findings = judge(evidence).rows.map(({ row, judgement }) => [row.id, judgement] as const);
    return { look, evidence, findings: new Map(findings) };
  } finally {
    await site.close();
  }
}

describe("a server with which browsers use HTTP/2", () => {
  const protocols = ["h2", "http/1.1"];

  test.each([
    ["a NUL byte", `${HEAD}X-A: a\\x00\r\n${LENGTH}`],
    ["two lengths", `${HEAD}Content-Length: 5\r\n${LENGTH}`],
    ["a chunk without a size", `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{BODY}`],
    ["300 KB of headers", `${HEAD}X-A: ${"a".repeat(300_000)}\r\n${LENGTH}`],
    ["505", "HTTP/1.1 505 HTTP Version Not Supported\r\nContent-Length: 0\r\n\r\n"],
    ["426", "HTTP/1.1 426 Upgrade Required\r\nContent-Length: 0\r\n\r\n"],
  ])("is unknown: %s", async (_name, answer) => {
    const { look, evidence, findings } = await checkAnswer(answer, { protocols });
    expect(evidence.page.failure?.phase).toBe("http1");
    expect(look.outcome).toBe("inconclusive");
    expect(findings.get("reach.connect")?.status).not.toBe("fail");
    expect(findings.get("reach.status")).toMatchObject({
      status: "unknown",
      found: { en: expect.stringContaining("HTTP/2") as string },
    });
  });

  test("alone is unknown", async () => {
    const { look, findings } = await checkAnswer(`${HEAD}${LENGTH}`, { protocols: ["h2"] });
    expect(look.outcome).toBe("inconclusive");
    expect(findings.get("reach.status")?.status).toBe("unknown");
  });

  test("costs nothing for invalid syntax, which is noted", async () => {
    const { look, evidence, findings } = await checkAnswer(`${HEAD}X Y: a\r\n${LENGTH}`, {
      protocols,
    });
    expect(look.outcome).toBe("good");
    expect(evidence.oddAnswers[0]).toMatchObject({ offersHttp2: true, oddities: ["name"] });
    const valid = findings.get("hdr.valid");
    expect(valid?.status).not.toBe("partial");
    expect(valid?.found.en).toContain("they use HTTP/2");
  });

  test("fails for two Locations, which browsers refuse over HTTP/2 too", async () => {
    const answer = `${HEAD}Location: /a\r\nLocation: /b\r\n${LENGTH}`;
    const { look, findings } = await checkAnswer(answer, { protocols });
    expect(look.outcome).toBe("failed");
    expect(findings.get("reach.connect")?.status).toBe("fail");
  });
});

describe("a server that speaks HTTP/1.1 alone", () => {
  test.each([["505 HTTP Version Not Supported"], ["426 Upgrade Required"]])(
    "fails: %s",
    async (status) => {
      const { look, findings } = await checkAnswer(
        `HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`,
      );
      expect(look.outcome).toBe("failed");
      expect(findings.get("reach.status")?.status).toBe("fail");
    },
  );

  test.each([
    ["20 OK", "three digits"],
    ["2000 OK", "three digits"],
    ["301 Moved", "without a Location"],
  ])("fails reach.status: %s", async (status, words) => {
    const { findings } = await checkAnswer(`${HEAD}${LENGTH}`.replace("200 OK", status));
    expect(findings.get("reach.status")).toMatchObject({
      status: "fail",
      found: { en: expect.stringContaining(words) as string },
    });
    expect(findings.get("hdr.hsts")?.status).toBe("blocked");
  });

  test("fails redir.chain for a redirect that browsers refuse", async () => {
    const answer = `${HEAD}Location: /a\r\nLocation: /b\r\n${LENGTH}`.replace("200 OK", "301 X");
    const { look, findings } = await checkAnswer(answer);
    expect(look).toMatchObject({ outcome: "failed", seen: { rule: "redir.chain" } });
    expect(findings.get("reach.connect")?.status).toBe("pass");
    expect(findings.get("redir.chain")).toMatchObject({
      status: "fail",
      found: { en: expect.stringContaining("two Location headers") as string },
    });
  });

  test("gets a note for its port 80", async () => {
    const plain = await startRawSite(
      [{ name: "", chromium: "shown", answer: "HTTP/1.1 301 X\nLocation: https://127.0.0.1/\n\n" }],
      { isPlain: true },
    );
    const probing = { httpPort: plain.port };
    const { evidence, findings } = await checkAnswer(`${HEAD}${LENGTH}`, {}, probing);
    await plain.close();
    expect(evidence.plainHttp?.hops[0]?.status).toBe(301);
    expect(evidence.oddAnswers).toEqual([
      { url: `http://127.0.0.1:${plain.port}/`, offersHttp2: false, oddities: ["line_ends"] },
    ]);
    expect(findings.get("hdr.valid")?.status).not.toBe("partial");
  });
});

test("once an origin was odd, later requests are sent once", async () => {
  const requests: string[] = [];
  const site = await startRawSite(HTTP1_CASES, { onRequest: (path) => requests.push(path) });
  await probeUrl(`https://127.0.0.1:${site.port}/name-space`);
  await site.close();
  const [first = "", ...others] = requests;
  expect(first).toBe("/name-space");
  expect(others.filter((path) => path === first).length).toBeLessThanOrEqual(4);
});

test("files with invalid syntax, or with bytes after their length, are good", async () => {
  const css = "body { color: green }";
  const names = ["a.css", "b.css", "c.css", "d.css", "lf.css"];
  const links = names.map((name) => `<link rel=stylesheet href=/${name}>`).join("");
  const body = `<!doctype html><html lang=en><title>Tea</title>${links}<p>Tea from eleven gardens.`;
  const HTML = `${HEAD}Content-Length: ${body.length}\r\n\r\n${body}`;
  const file = `HTTP/1.1 200 OK\r\nContent-Type: text/css\r\nContent-Length: ${css.length}\r\n\r\n${css}`;
  const site = await startRawSite([
    { name: "", chromium: "shown", answer: HTML },
    ...names.map((name): RawAnswerCase => {
      const answer = name === "lf.css" ? file.replaceAll("\r\n", "\n") : `${file}JUNK`;
      return { name, chromium: "shown", answer };
    }),
  ]);
  const evidence = await probeUrl(`https://127.0.0.1:${site.port}/`);
  await site.close();
  expect(evidence.assets.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect(evidence.oddAnswers.map(({ url }) => new URL(url).pathname)).toEqual(["/lf.css"]);
  const { rows } = judge(evidence);
  const statusOf = (id: string) => rows.find(({ row }) => row.id === id)?.judgement;
  expect(statusOf("asset.broken")?.status).toBe("pass");
  expect(statusOf("hdr.valid")?.found.en).toContain("/lf.css");
});
