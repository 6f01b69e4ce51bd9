import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { toSql } from "../../server/db/driver/sql.ts";
import { policyOf } from "../../server/web/kit/style.ts";
import { addPerson } from "../harness/people.ts";
import { exchangeRaw, sendRaw, type RawAnswer } from "../harness/raw-http.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(() => startTestServer({ env: { SHIPSCORE_PUBLIC_SCAN: "0" } }));
let app: FastifyInstance;
let url: string;
let token: string;
let asked: number;
let publicUrl: string;
let rendered = 0;

/** An app of its own, whose queries are counted, and whose page for the owners of sites cannot be rendered at first. */
beforeAll(async () => {
  token = (await addPerson(server, "alice")).token;
  const sql = toSql((strings, ...values) => {
    asked++;
    return server.sql(strings, ...values);
  });
  const { config, database } = server.deps;
  app = await createApp({
    ...server.deps,
    database: { ...database, sql },
    config: {
      ...config,
      get publicUrl() {
        rendered++;
        return publicUrl;
      },
    },
  });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(async () => {
  await app.close();
});
beforeEach(() => {
  asked = 0;
  publicUrl = "no URL, but a <secret>";
});

const ask = (method: string, path: string, ...headers: string[]) =>
  sendRaw(
    url,
    [`${method} ${path} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers, "", ""].join(
      "\r\n",
    ),
  );

const anonymous = (answer: RawAnswer) => ({ ...answer, requestId: undefined });

test.each([
  ["POST", "/nothing"],
  ["PUT", "/"],
  ["HEAD", "/nothing"],
  ["POST", "/healthz"],
  ["GET", "/docs/rules"],
  ["HEAD", "/docs/rules"],
])("%s %s with an unreadable body gets one answer", async (method, path) => {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const received = await exchangeRaw(url, `${head}ZZ\r\nabc`, 300);
  expect(received.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
});

const SAFE = [
  `content-security-policy: ${policyOf()}`,
  "x-content-type-options: nosniff",
  "referrer-policy: same-origin",
  "content-type: text/html; charset=utf-8",
  "vary: Accept-Language, Cookie, Accept-Encoding",
  "permissions-policy: camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "cross-origin-opener-policy: same-origin",
];

test.each(["/", "http://other.example"])(
  "without the public scan, %s redirects to the projects",
  async (path) => {
    const answer = await ask("GET", path);
    expect(answer.status).toBe(303);
    expect(answer.headers).toContain("location: /projects");
    expect(asked).toBe(0);
  },
);

describe("a missing page", () => {
  test.each([
    ["GET", "/nothing"],
    ["GET", "/api"],
    ["GET", "/api/v2/projects"],
    ["GET", "/api/v1projects"],
    ["GET", "/API/v1/projects"],
    ["GET", "//api/v1/projects"],
    ["GET", "http://other.example/nothing"],
    ["GET", "/%zz"],
    ["GET", "/%00"],
    ["GET", `/${"a".repeat(10_000)}`],
    ["GET", "/docs/rules/"],
    ["POST", "/docs/rules"],
    ["DELETE", "/about/checks"],
    ["OPTIONS", "/nothing"],
    ["CONNECT", "/nothing"],
  ])("%s %s: the same page for everyone, without a database query", async (...at) => {
    const expected = await ask("GET", "/nothing");
    expect(expected).toMatchObject({ status: 404, requestId: expect.stringMatching(/^req_/) });
    expect(expected.headers).toEqual(
      expect.arrayContaining([
        ...SAFE,
        "cache-control: no-store",
        "x-shipscore-error: route_not_found",
      ]),
    );
    expect(expected.headers.join()).not.toContain("www-authenticate");
    expect(expected.body).toContain('<html lang="fr">');
    expect(expected.body).toContain("<h1>Page introuvable</h1>");
    for (const headers of [[], [`Authorization: Bearer ${token}`], ["Accept: application/json"]])
      expect(anonymous(await ask(...at, ...headers))).toEqual(anonymous(expected));
    expect(asked).toBe(0);
  });

  test("has the same headers and no body for HEAD", async () => {
    const whole = await ask("GET", "/nothing");
    expect(anonymous(await ask("HEAD", "/nothing"))).toEqual({ ...anonymous(whole), body: "" });
  });

  test("is in English for those who prefer it", async () => {
    const { body } = await ask("GET", "/nothing", "Accept-Language: en-GB, fr;q=0.5");
    expect(body).toContain('<html lang="en">');
    expect(body).toContain("<h1>Page not found</h1>");
  });

  test.each(["/<script>alert(1)</script>", "/%3Cscript%3E", "/secret-psk_abc?secret=1"])(
    "leaves nothing of %s in the page or in the log",
    async (path) => {
      const answer = await ask("GET", path);
      expect(JSON.stringify(answer)).not.toMatch(/script|secret/i);
      expect(server.log.join("")).not.toMatch(/script>|secret-/i);
    },
  );

  test("waits for no body, and closes the connection", async () => {
    const waiting = `Host: localhost\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 9000000`;
    const answer = await sendRaw(url, `POST /nothing HTTP/1.1\r\n${waiting}\r\n\r\n`);
    expect(answer.status).toBe(404);
    expect(answer.headers).toContain("connection: close");
  });
});

test.each([
  ["fr", "Erreur interne"],
  ["en", "Internal error"],
])("an internal error is a page (%s), with the reason in the log", async (language, title) => {
  const answer = await ask("GET", "/about/checks", `Accept-Language: ${language}`);
  expect(answer.status).toBe(500);
  expect(answer.headers).toEqual(expect.arrayContaining([...SAFE, "cache-control: no-store"]));
  expect(answer.body).toContain(`<h1>${title}</h1>`);
  expect(answer.body).not.toMatch(/secret|Invalid URL/);
  expect(server.log.join("")).toContain(`"requestId":"${answer.requestId}"`);
  expect(server.log.join("")).toMatch(/Invalid URL.*"request failed"/);
});

test("a failed page is tried again, and a successful one is rendered once", async () => {
  expect((await ask("GET", "/about/checks")).status).toBe(500);
  publicUrl = "https://score.example.net";
  const first = await ask("GET", "/about/checks");
  expect(first.body).toContain('href="https://score.example.net/docs/rules"');
  const before = rendered;
  expect(anonymous(await ask("GET", "/about/checks"))).toEqual(anonymous(first));
  expect(rendered).toBe(before);
});

test.each([
  ["fr", "Les règles du Ship Score"],
  ["en", "The rules of the Ship Score"],
])("an existing page (%s) may be cached for a while", async (language, title) => {
  const headers = [`Accept-Language: ${language}`, "Authorization: Bearer none"];
  const answer = await ask("GET", "/docs/rules", ...headers);
  expect(answer.status).toBe(200);
  expect(answer.headers).toEqual(
    expect.arrayContaining([...SAFE, "cache-control: public, max-age=300"]),
  );
  expect(answer.body).toContain(`<h1>${title}</h1>`);
  const head = await ask("HEAD", "/docs/rules", ...headers);
  expect(anonymous(head)).toEqual({ ...anonymous(answer), body: "" });
});

test("?lang= shows a document in the other language, regardless of the reader's", async () => {
  const french = await ask("GET", "/docs/ci", "Accept-Language: fr");
  expect(french.body).toContain('<html lang="fr">');
  expect(french.body).toContain('href="/docs/ci?lang=en#github-actions-1" hreflang="en"');
  const english = await ask("GET", "/docs/ci?lang=en", "Accept-Language: fr");
  expect(english.body).toContain('<html lang="en">');
  expect(english.body).toContain('<h2 id="github-actions-1">');
  const unknown = await ask("GET", "/docs/ci?lang=xx", "Accept-Language: fr");
  expect(anonymous(unknown)).toEqual(anonymous(french));
});
