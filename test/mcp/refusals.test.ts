import { beforeAll, describe, expect, test } from "vitest";
import { PLANS } from "../../server/base/plans.ts";
import { newToken } from "../../server/access/tokens.ts";
import { callOf } from "../harness/mcp.ts";
import { addPerson } from "../harness/people.ts";
import { sendRaw, type RawAnswer } from "../harness/raw-http.ts";
import { startTestServer } from "../harness/server.ts";
import { use } from "../harness/use.ts";

const server = use(startTestServer);
const tokens = { free: "", pro: "", team: "", revoked: "", unknown: newToken() };

interface Asked {
  method?: string;
  path?: string;
  token?: string | undefined;
  headers?: readonly string[];
  body?: string;
}

function ask({ method = "POST", path = "/mcp", token, headers = [], body }: Asked) {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
  ];
  return sendRaw(server.url, `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`);
}

const JSON_TYPE = "Content-Type: application/json";
const CALL = JSON.stringify(callOf("list_projects"));
const sameBut = (answer: RawAnswer) => ({ ...answer, requestId: undefined });

/** Whatever is sent: nothing of it is looked at before Origin, token and plan. */
const REQUESTS: readonly (readonly [string, Asked])[] = [
  ["a call", { headers: [JSON_TYPE], body: CALL }],
  ["no body", {}],
  ["a body that is no JSON", { headers: [JSON_TYPE], body: "{" }],
  ["an array", { headers: [JSON_TYPE], body: "[]" }],
  ["another media type", { headers: ["Content-Type: text/plain"], body: "x" }],
  ["a body over the limit", { headers: [JSON_TYPE], body: `"${"x".repeat(70_000)}"` }],
  ["a body that never comes", { headers: [JSON_TYPE, "Content-Length: 100"] }],
  [
    "a body that waits to be asked for",
    { headers: [JSON_TYPE, "Content-Length: 2", "Expect: 100-continue"] },
  ],
  ["GET", { method: "GET" }],
  ["DELETE", { method: "DELETE" }],
  ["OPTIONS", { method: "OPTIONS" }],
  ["PUT", { method: "PUT", headers: [JSON_TYPE], body: "{" }],
  ["PROPFIND", { method: "PROPFIND" }],
  ["a path below", { method: "GET", path: "/mcp/anything" }],
];

beforeAll(async () => {
  for (const plan of PLANS) tokens[plan] = (await addPerson(server, plan, plan)).token;
  const email = "team@example.com";
  const old = await server.perform<{ id: string; token: string }>("token add", {
    email,
    name: "old",
  });
  await server.perform("token remove", { id: old.id });
  tokens.revoked = old.token;
});

describe.each(REQUESTS)("%s", (_, asked) => {
  test.each(["null", "https://evil.example"])(
    "from a page of another site (%s) is 403, with or without a token",
    async (origin) => {
      for (const token of [undefined, tokens.team]) {
        const headers = [`Origin: ${origin}`, ...(asked.headers ?? [])];
        const answer = await ask({ ...asked, token, headers });
        expect(answer.status).toBe(403);
        expect(answer.headers).toContain("x-shipscore-error: origin_foreign");
        expect(answer.headers).not.toContainEqual(expect.stringMatching(/^www-authenticate/));
      }
    },
  );

  test("without a valid token is 401, with the same bytes as the API's", async () => {
    const expected = sameBut(await ask({ method: "GET", path: "/api/v1/projects" }));
    expect(expected.headers).toContain("www-authenticate: Bearer");
    for (const token of [undefined, "", "psk_x", tokens.unknown, tokens.revoked])
      expect(sameBut(await ask({ ...asked, token }))).toEqual(expected);
  });

  test("with the plan Free or Pro is the same 403", async () => {
    const [free, pro] = [
      await ask({ ...asked, token: tokens.free }),
      await ask({ ...asked, token: tokens.pro }),
    ];
    expect(sameBut(free)).toEqual(sameBut(pro));
    expect(free.status).toBe(403);
    expect(free.headers).toContain("x-shipscore-error: mcp_team_only");
    expect(free.headers).toContain("content-type: application/json; charset=utf-8");
    expect(free.requestId).toMatch(/^req_/);
  });
});

test("with HEAD gets the headers of GET, and no body", async () => {
  const heads = [
    { token: undefined, status: 401 },
    { token: tokens.free, status: 403 },
    { token: tokens.team, status: 405 },
  ];
  for (const { token, status } of heads) {
    const got = await ask({ method: "GET", token });
    expect(got.status).toBe(status);
    expect(sameBut(await ask({ method: "HEAD", token }))).toEqual({ ...sameBut(got), body: "" });
  }
});

test("with two tokens is rejected, even if they are equal", async () => {
  const headers = [`Authorization: Bearer ${tokens.team}`];
  expect((await ask({ token: tokens.team, headers })).status).toBe(401);
});

test("from its own origin passes", async () => {
  const headers = [JSON_TYPE, "Origin: http://localhost"];
  expect((await ask({ token: tokens.team, headers, body: CALL })).status).toBe(200);
});

test("follows a change of plan at the next request", async () => {
  const asked = { token: tokens.pro, headers: [JSON_TYPE], body: CALL };
  expect((await ask(asked)).status).toBe(403);
  await server.perform("account edit", { email: "pro@example.com", plan: "team" });
  expect((await ask(asked)).status).toBe(200);
  await server.perform("account edit", { email: "pro@example.com", plan: "pro" });
  expect((await ask(asked)).status).toBe(403);
});

describe("with the Team plan", () => {
  test.each(["GET", "DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "PURGE"])(
    "%s is 405",
    async (method) => {
      for (const path of ["/mcp", "/mcp/", "/mcp?x=1"]) {
        const answer = await ask({ method, path, token: tokens.team });
        expect(answer.status).toBe(405);
        expect(answer.headers).toContain("allow: POST");
        expect(answer.headers).toContain("x-shipscore-error: method_not_allowed");
      }
    },
  );

  test.each(["/mcp/anything", "/mcp/.well-known/oauth-protected-resource", "/mcp//", "/mcp/%zz"])(
    "%s is 404",
    async (path) => {
      for (const method of ["GET", "POST"]) {
        const answer = await ask({ method, path, token: tokens.team });
        expect(answer.status).toBe(404);
        expect(answer.headers).toContain("x-shipscore-error: route_not_found");
      }
    },
  );
});

test.each([
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-authorization-server/mcp",
  "/.well-known/openid-configuration",
  "/.well-known/openid-configuration/mcp",
  "/register",
])("%s does not exist, for anyone", async (path) => {
  for (const method of ["GET", "POST", "OPTIONS", "DELETE"])
    for (const token of [undefined, "psk_x", tokens.team]) {
      const answer = await ask({ method, path, token, headers: [JSON_TYPE], body: "{" });
      expect(answer.status).toBe(404);
      expect(answer.headers).toContain("content-type: application/json; charset=utf-8");
      expect(answer.headers).toContain("x-shipscore-error: route_not_found");
      expect(answer.headers).not.toContainEqual(expect.stringMatching(/^www-authenticate/));
      expect(answer.requestId).toMatch(/^req_/);
    }
});
