import { describe, expect, test } from "vitest";
import { Check } from "../../shared/check.ts";
import { unpackEvidence } from "../../server/engine/evidence/packed-evidence.ts";
import { addPerson, countUsedChecks } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";

const page = {
  headers: { "content-type": "text/html" },
  body: "<!doctype html><title>x</title>",
};
const [MAIL, WORDS] = ["delatour@e.fr", "where does my secret question go"];
const QUERY = new URLSearchParams({ mail: MAIL, q: WORDS, page: "2" });
const HELLO = `Hello, ${MAIL}: ${WORDS}`;
const site = use(() =>
  startSite({
    routes: {
      "/": page,
      "/?secret=hunter2": page,
      [`/go?${QUERY.toString()}`]: {
        status: 302,
        headers: { location: `/hello?of=${encodeURIComponent(QUERY.toString())}` },
      },
      [`/hello?of=${encodeURIComponent(QUERY.toString())}`]: {
        headers: {
          "content-type": "text/html",
          "content-security-policy": `script-src https://cdn.example/${MAIL}; report-uri /csp/${MAIL}`,
          server: `nginx (${MAIL})`,
          etag: `"${MAIL}"`,
          "x-robots-tag": `all, ${MAIL}`,
          "set-cookie": `of-${MAIL.replace("@", "%40")}=1`,
        },
        body: `<!doctype html><title>${HELLO}</title><meta name=description content="${HELLO}">
          <link rel=canonical href="/${encodeURIComponent(MAIL)}"><h1>${HELLO.replace("@", "&#64;")}</h1>
          <img src="/${MAIL}"><a href="/for/${MAIL}?a=1">${HELLO}</a><p>undefined ${MAIL}</p>`,
      },
      "/slow": (_request, response) =>
        void setTimeout(() => response.writeHead(200, page.headers).end(page.body), 700),
      "/broken": { status: 500, body: "no" },
    },
  }),
);
const server = useServer();
const alice = use(() => addPerson(server, "alice"));

const post = (body: unknown, headers: Record<string, string> = {}, { token } = alice) =>
  server.request("/api/v1/check", { token, method: "POST", body, headers });
const errorOf = async (answer: Response) => [
  answer.status,
  ((await answer.json()) as { error: string }).error,
];

test.each<[string, unknown, string]>([
  ["null", "null", "champ « url »"],
  ["a local name", { url: "https://localhost.localdomain/" }, "privé"],
  ["a header with a line break", { headers: { "cf-access-client-id": "a\r\nb" } }, "« headers »"],
])("a request with %s is a 400 with the reason", async (_, body, sentence) => {
  const whole = typeof body === "object" ? { url: "https://x/", ...body } : body;
  expect(await errorOf(await post(whole))).toEqual([400, expect.stringContaining(sentence)]);
});

test("the list of projects reports the month's checks and does not count as one", async () => {
  const dora = await addPerson(server, "dora");
  const tellQuota = async () => {
    const answer = await server.request("/api/v1/projects", { token: dora.token });
    return answer.headers.get("x-shipscore-quota");
  };
  const before = await tellQuota();
  const limit = Number(before?.match(/^used=0, limit=(\d+)$/)?.[1]);
  await post({ url: site.url }, {}, dora);
  expect([await tellQuota(), await tellQuota()]).toEqual(Array(2).fill(`used=1, limit=${limit}`));
});

test("a page is verified, and the report explains every point", async () => {
  const answer = await post(
    { url: `${site.url}?secret=hunter2#part`, unknown: true },
    { "accept-language": "en-GB, fr;q=0.5" },
  );
  expect(answer.status).toBe(200);
  const text = await answer.text();
  const check = Check.parse(JSON.parse(text));
  expect(text).not.toContain("hunter2");
  expect(check.url).toBe(`${site.url}?secret=***`);
  expect(check.findings.find(({ id }) => id === "hdr.csp")).toMatchObject({
    status: "fail",
    earned: 0,
    points: 7,
  });
  const earned = check.findings.reduce((sum, finding) => sum + finding.earned, 0);
  expect(check.categories.reduce((sum, category) => sum + category.earned, 0)).toBeCloseTo(earned);
  expect(check.findings.reduce((sum, finding) => sum + finding.points, 0)).toBe(100);
  const french = Check.parse(await (await post({ url: site.url })).json());
  expect(french.findings.map(({ title }) => title)).not.toEqual(
    check.findings.map(({ title }) => title),
  );
  expect([french.score, french.verdict]).toEqual([check.score, check.verdict]);
});

test("values that a site repeats from its URL are neither returned, nor stored, nor logged", async () => {
  const answer = await (await post({ url: `${site.url}go?${QUERY.toString()}` })).text();
  const { id, finalUrl } = Check.parse(JSON.parse(answer));
  expect(finalUrl).toBe(`${site.url}hello?of=***`);
  const [{ evidence } = { evidence: Buffer.of() }] = await server.sql<{ evidence: Buffer }>`
    select evidence from checks where id = ${id}`;
  const stored = JSON.stringify(await unpackEvidence(evidence));
  expect(stored).toContain("Hello, xxxxxxxx@x.xx: xxxxx xxxx xx xxxxxx xxxxxxxx xx");
  expect(answer + stored + server.log.join("")).not.toMatch(/delat|my secret|secret question/i);
});

test("a page that returns 500 is a 200 with a low score", async () => {
  const check = Check.parse(await (await post({ url: `${site.url}broken` })).json());
  expect([check.score <= 20, check.verdict]).toEqual([true, "do_not_ship"]);
  expect(check.caps).toContainEqual(
    expect.objectContaining({ findingId: "reach.status", limit: 20 }),
  );
});

describe("Idempotency-Key", () => {
  const withKey = (key: string, body: object, by = alice) =>
    post(body, { "idempotency-key": key }, by);
  const slots = () => countUsedChecks(server, alice);

  test("the same key and body get the first answer, byte for byte, for one check of the quota", async () => {
    const before = (await slots()) ?? 0;
    const first = await (await withKey("once", { url: site.url })).text();
    const second = await (
      await post(
        { preview: false, url: site.url },
        { "idempotency-key": "once", "accept-language": "en" },
      )
    ).text();
    expect(second).toBe(first);
    expect(await slots()).toBe(before + 1);
  });

  test("the same key with another body is rejected", async () => {
    await withKey("other", { url: site.url });
    expect(await errorOf(await withKey("other", { url: site.url, preview: true }))).toEqual([
      400,
      expect.stringContaining("clé d'idempotence"),
    ]);
  });

  test("of ten requests at once, one runs and the others wait for it", async () => {
    const before = (await slots()) ?? 0;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => withKey("crowd", { url: `${site.url}slow` })),
    );
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(bodies).size).toBe(1);
    expect(await slots()).toBe(before + 1);
  });

  test("two accounts may use the same key", async () => {
    const bob = await addPerson(server, "bob");
    const mine = await (await withKey("shared", { url: site.url })).text();
    const his = await withKey("shared", { url: site.url }, bob);
    expect(his.status).toBe(200);
    expect(await his.text()).not.toBe(mine);
  });

  test("a key is free again after 24 hours, or when its check did not end in a 200", async () => {
    expect((await withKey("free", { url: "https://10.0.0.1/" })).status).toBe(400);
    const first = await (await withKey("free", { url: site.url })).text();
    await server.sql`update checks set started_at = now() - interval '24 hours' where idempotency_key = 'free'`;
    const later = await withKey("free", { url: `${site.url}slow` });
    expect(later.status).toBe(200);
    expect(await later.text()).not.toBe(first);
  });
});

test("the API document names its routes", async () => {
  const document = (await (await server.request("/openapi.json")).json()) as {
    openapi: string;
    paths: object;
  };
  expect(document.openapi).toBe("3.1.0");
  expect(Object.keys(document.paths)).toEqual([
    "/api/v1/check",
    "/api/v1/projects",
    "/api/v1/projects/{id}/incidents",
    "/api/v1/projects/{id}/last-ship",
  ]);
});
