import { once } from "node:events";
import { METHODS } from "node:http";
import { connect } from "node:net";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { newToken } from "../../server/access/tokens.ts";
import { newId } from "../../server/db/id.ts";
import { sayError, type ApiErrorCode } from "../../shared/errors.ts";
import {
  addPeople,
  addPerson,
  addProject,
  countUsedChecks,
  type Person,
} from "../harness/people.ts";
import { exchangeRaw, sendRaw } from "../harness/raw-http.ts";
import { useServer } from "../harness/server.ts";
import { waitUntil } from "../harness/slow-site.ts";

let alice: Person;
let revoked: string;
let visible: string;
let invisible: string;

const server = useServer({ env: { SHIPSCORE_PUBLIC_SCAN: "0" } });
beforeAll(async () => {
  const people = await addPeople(server);
  alice = people.alice;
  const left = await addPerson(server, "left");
  await server.perform("token remove", { id: left.tokenId });
  revoked = left.token;
  visible = await addProject(server, alice, "https://127.0.0.1:8443/");
  invisible = await addProject(server, people.bob, "https://127.0.0.1:8443/");
});

/** A connection to the server whose answers are read one by one. */
async function open(options: { allowHalfOpen?: boolean } = {}) {
  const { hostname: host, port } = new URL(server.url);
  const socket = connect({ host, port: Number(port), ...options }).setEncoding("utf8");
  const errors: Error[] = [];
  socket.on("error", (error) => errors.push(error));
  await once(socket, "connect");
  return {
    socket,
    errors,
    write: (bytes: string) => socket.write(bytes),
    /** The bytes of the next packet, or none when the connection ends first. */
    next: () =>
      new Promise<string>((resolve) => {
        socket.once("data", resolve);
        socket.once("close", () => resolve(""));
      }),
  };
}

const errorLines = () => server.log.join("").match(/^.*"level":(?:50|60).*$/gm) ?? [];

const TOKENS: Record<string, () => string> = {
  "no token": () => "",
  "a malformed token": () => `Authorization: Bearer ${alice.token.slice(0, -1)}!\r\n`,
  "an unknown token": () => `Authorization: Bearer ${newToken()}\r\n`,
  "a revoked token": () => `Authorization: Bearer ${revoked}\r\n`,
  "a valid token": () => `Authorization: Bearer ${alice.token}\r\n`,
};

type Expected = "project" | "route" | "read" | "page" | "home";

/** Targets, and what each is to a GET with a valid token: a read, an unknown project, no route, a page that is missing, or where a page leads. */
const TARGETS: Record<string, [target: () => string, get: Expected]> = {
  "the check": [() => "/api/v1/check", "route"],
  "the projects": [() => "/api/v1/projects", "read"],
  "a project's incidents": [() => `/api/v1/projects/${visible}/incidents`, "read"],
  "a project's last ship, with a query": [
    () => `/api/v1/projects/${visible}/last-ship?%zz`,
    "read",
  ],
  "an unknown project": [() => `/api/v1/projects/${newId("prj")}/incidents`, "project"],
  "an invisible project": [() => `/api/v1/projects/${invisible}/last-ship`, "project"],
  "a malformed id": [() => "/api/v1/projects/abc/incidents", "project"],
  "an empty id": [() => "/api/v1/projects//incidents", "project"],
  "an id of 10,000 characters": [
    () => `/api/v1/projects/${"a".repeat(10_000)}/last-ship`,
    "project",
  ],
  "an id with a broken escape": [() => "/api/v1/projects/%zz/incidents", "project"],
  "an id with a NUL": [() => "/api/v1/projects/%00/last-ship", "project"],
  "a project alone": [() => "/api/v1/projects/abc", "route"],
  "a slash at the end": [() => "/api/v1/projects/", "route"],
  "the root of the API": [() => "/api/v1", "route"],
  "the root with a slash": [() => "/api/v1/", "route"],
  "the root with a query": [() => "/api/v1?/nothing", "route"],
  "an unknown path": [() => "/api/v1/nothing", "route"],
  "a broken escape": [() => "/api/v1/%zz", "route"],
  "two slashes": [() => "//api/v1/check", "page"],
  capitals: [() => "/API/v1/projects", "page"],
  "a way up": [() => "/api/v1/../../healthz", "route"],
  "a proxy's target": [() => "http://other.example/api/v1/projects", "read"],
  "a proxy's target without a path": [() => "http://other.example", "home"],
  "another scheme": [() => "ftp://other.example/api/v1/projects", "route"],
};

const JSON_TYPE = "Content-Type: application/json\r\n";
const bodyOf = (text: string, type = JSON_TYPE) =>
  `${type}Content-Length: ${text.length}\r\n\r\n${text}`;

/** What follows the other headers, and the code of the 400 of POST /check with a valid token; "waits" for a body that does not come. */
const BODIES: Record<string, [bytes: string, check: string]> = {
  "no body": ["\r\n", "body_not_an_object"],
  "half of an object": [bodyOf("{"), "body_not_json"],
  "empty JSON": [bodyOf(""), "body_empty"],
  "JSON of another shape": [bodyOf('{"url":1}'), "body_url_invalid"],
  "another type": [bodyOf("x", "Content-Type: text/plain\r\n"), "body_media_type"],
  "a type that is none": [bodyOf("{}", "Content-Type: ;;\r\n"), "body_media_type"],
  "no type": [bodyOf("{}", ""), "body_media_type"],
  "more than the limit": [bodyOf(`"${"x".repeat(16_383)}"`), "body_too_large"],
  "chunks that are no JSON": [
    `${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n\r\n`,
    "body_not_json",
  ],
  "an unknown expectation": [`Expect: nothing\r\n${bodyOf("{}")}`, "body_url_invalid"],
  "an upgrade": [
    `Upgrade: websocket\r\nConnection: upgrade\r\n${bodyOf("{}")}`,
    "body_url_invalid",
  ],
  "a body that does not come": [`${JSON_TYPE}Content-Length: 2\r\n\r\n`, "waits"],
  "half of the announced body": [`${JSON_TYPE}Content-Length: 20\r\n\r\n{"url":`, "waits"],
  "chunks that do not come": [`${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`, "waits"],
  "an announced body over the limit": [
    `${JSON_TYPE}Content-Length: 1000000000\r\n\r\n`,
    "body_too_large",
  ],
};

const PATIENCE_MS = 60_000;
const AT_ONCE = 50;
/** Shares no factor with the number of methods, targets, bodies and tokens: each pair of them occurs. */
const STEP = inject("isThorough") ? 29 : 41;

const ask = (method: string, target: string, token: string, body: string) =>
  exchangeRaw(
    server.url,
    `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${token}${body}`,
    PATIENCE_MS,
  );

const withoutOwn = (text: string) => text.replace(/^(?:date|x-request-id): .*\r\n/gim, "");

function answerOf(status: string, code: ApiErrorCode, challenge: string[] = []): string {
  const body = JSON.stringify({ error: sayError(code, {}).fr });
  const head = [
    `HTTP/1.1 ${status}`,
    "connection: close",
    "cache-control: no-store",
    ...challenge,
    `x-shipscore-error: ${code}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
const UNAUTHORIZED = answerOf("401 Unauthorized", "unauthorized", ["www-authenticate: Bearer"]);
const NO_ROUTE = answerOf("404 Not Found", "route_not_found");
const NO_PROJECT = answerOf("404 Not Found", "project_not_found");

/** What a missing page is, whoever asks. */
const isMissingPage = (text: string, method: string) =>
  text.startsWith("HTTP/1.1 404 ") &&
  text.includes("\r\ncontent-type: text/html") &&
  text.includes("<h1>Page introuvable</h1>") === (method !== "HEAD");

/** Where `/` leads without the public scan, whoever asks. */
const isWayHome = (text: string) =>
  text.startsWith("HTTP/1.1 303 ") && text.includes("\r\nlocation: /projects\r\n");

/** Where the order of the headers is Node's and not ours. */
const sorted = (text: string) => {
  const [head = "", body] = text.split("\r\n\r\n");
  const [status, ...headers] = head.split("\r\n");
  return [status, ...headers.map((line) => line.toLowerCase()).toSorted(), body];
};

interface Case {
  method: string;
  target: string;
  body: string;
  token: string;
}

const CASES: Case[] = Object.keys(TOKENS)
  .flatMap((token) =>
    METHODS.flatMap((method) =>
      Object.keys(TARGETS).flatMap((target) =>
        Object.keys(BODIES).map((body) => ({ method, target, body, token })),
      ),
    ),
  )
  .filter((_, index) => index % STEP === 0);

/** What is wrong with the answer to a case; undefined if nothing is. */
async function findFault(each: Case): Promise<string | undefined> {
  const [target, get] = TARGETS[each.target]!;
  const [body, refusal] = BODIES[each.body]!;
  const isCheck = each.method === "POST" && each.target === "the check";
  const isKnown = each.token === "a valid token";
  if (isKnown && isCheck && refusal === "waits") return undefined;
  const text = withoutOwn(await ask(each.method, target(), TOKENS[each.token]!(), body));
  const failure = `${JSON.stringify(each)}: ${text}`;
  if (get === "home" && ["GET", "HEAD"].includes(each.method))
    return isWayHome(text) ? undefined : failure;
  if (get === "page" || get === "home")
    return isMissingPage(text, each.method) ? undefined : failure;
  if (isKnown && isCheck)
    return text.startsWith("HTTP/1.1 400 ") &&
      text.includes(`\r\nx-shipscore-error: ${refusal}\r\n`)
      ? undefined
      : failure;
  if (isKnown && each.method === "GET" && get === "read")
    return text.startsWith("HTTP/1.1 200 ") ? undefined : failure;
  const ofGet = get === "project" && each.method === "GET" ? NO_PROJECT : NO_ROUTE;
  const whole = isKnown ? ofGet : UNAUTHORIZED;
  const expected = each.method === "HEAD" ? whole.slice(0, whole.indexOf("{")) : whole;
  const isSame = isKnown
    ? JSON.stringify(sorted(text)) === JSON.stringify(sorted(expected))
    : text === expected;
  return isSame ? undefined : failure;
}

test.each(Object.keys(TOKENS))(
  "with %s each method, target and body gets its expected answer",
  async (token) => {
    const cases = CASES.filter((each) => each.token === token);
    const faults: (string | undefined)[] = [];
    const queue = cases.values();
    const work = async () => {
      for (const each of queue) faults.push(await findFault(each));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(faults).toHaveLength(cases.length);
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  },
);

describe("a client that waits for 100 Continue", () => {
  const EXPECTING = `Expect: 100-continue\r\n${JSON_TYPE}Content-Length: `;
  const CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

  test.each<[string, method: string, target: string, token: string, rest: string, answer: string]>([
    ["nobody", "POST", "/api/v1/check", "no token", "2\r\n\r\n", "401"],
    ["a stranger", "POST", "/api/v1/check", "an unknown token", "2\r\n\r\n", "401"],
    ["one sent away", "POST", "/api/v1/check", "a revoked token", "2\r\n\r\n", "401"],
    ["one with too much", "POST", "/api/v1/check", "a valid token", "16385\r\n\r\n", "400"],
    ["one at no route", "PUT", "/api/v1/check", "a valid token", "2\r\n\r\n", "404"],
    ["one elsewhere", "POST", "/api/v1/projects", "a valid token", "2\r\n\r\n", "404"],
    ["a reader", "GET", "/api/v1/projects", "a valid token", "2\r\n\r\n", "200"],
    ["a stranger that reads", "GET", "/api/v1/projects", "an unknown token", "2\r\n\r\n", "401"],
  ])("%s does not get it: %s %s with %s", async (_, method, target, token, rest, status) => {
    const text = await ask(method, target, TOKENS[token]!(), EXPECTING + rest);
    expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(text).toMatch(/^connection: close\r$/im);
  });

  test("POST /check with a valid token gets it, and reads the body", async () => {
    const client = await open();
    client.write(
      `POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
        `${TOKENS["a valid token"]!()}${EXPECTING}11\r\n\r\n`,
    );
    expect(await client.next()).toBe(CONTINUE);
    client.write('{"url":"x"}');
    expect(await client.next()).toMatch(/^HTTP\/1\.1 400 .*url_unparseable/s);
  });
});

describe("the rest of a rejected body", () => {
  test.each<[number, method: string, target: string, token: string]>([
    [401, "POST", "/api/v1/check", "no token"],
    [401, "GET", "/api/v1/projects", "an unknown token"],
    [404, "PUT", "/api/v1/check", "a valid token"],
    [400, "POST", "/api/v1/check", "a valid token"],
    [200, "GET", "/api/v1/projects", "a valid token"],
  ])(
    "does not cut off the %d for a client that is still sending it",
    async (status, method, target, token) => {
      const { socket, next, errors } = await open({ allowHalfOpen: true });
      socket.write(
        `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${TOKENS[token]!()}${JSON_TYPE}Content-Length: 9000000\r\n\r\n`,
      );
      const ended = once(socket, "end");
      expect(await next()).toMatch(new RegExp(`^HTTP/1.1 ${status} .*connection: close`, "s"));
      await ended;
      for (let sent = 0; sent < 3_000_000; sent += 100_000) {
        await new Promise((resolve) => socket.write("x".repeat(100_000), resolve));
      }
      const closed = once(socket, "close");
      socket.end();
      await closed;
      expect(errors).toEqual([]);
    },
  );

  test("is not parsed as a request, and the connection accepts no more", async () => {
    const check = `POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\n${TOKENS["a valid token"]!()}${bodyOf('{"url":"https://127.0.0.1:9/"}')}`;
    const outer = `POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${check.length}\r\n\r\n`;
    const before = server.log.length;
    const text = await exchangeRaw(server.url, outer + check + check, PATIENCE_MS);
    expect(withoutOwn(text)).toBe(UNAUTHORIZED);
    await server.request("/healthz");
    await waitUntil("the log is written", () => server.log.at(-1)?.includes("/healthz") ?? false);
    expect(server.log.slice(before).join("")).not.toContain("accountId");
  });

  test("keeps the connection for the next request once it is read to its end", async () => {
    const refused = `PUT /api/v1/check HTTP/1.1\r\nHost: localhost\r\n${TOKENS["a valid token"]!()}${bodyOf("{")}`;
    const next = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const text = await exchangeRaw(server.url, refused + next, PATIENCE_MS);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 404", "HTTP/1.1 200"]);
  });

  test("is awaited only by POST /check with a valid token, if it comes slowly", async () => {
    const head = (token: string) =>
      `POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${token}${JSON_TYPE}Content-Length: 11\r\n\r\n`;
    const refused = await open();
    refused.write(head(TOKENS["a revoked token"]!()));
    expect(withoutOwn(await refused.next())).toBe(UNAUTHORIZED);
    const known = await open();
    known.write(head(TOKENS["a valid token"]!()));
    for (const byte of '{"url":"x"}') {
      known.write(byte);
      await server.request("/healthz");
    }
    expect(await known.next()).toMatch(/^HTTP\/1\.1 400 /);
  });
});

test.each([
  ["CONNECT", "example.com:443"],
  ["OPTIONS", "*"],
])("%s %s is rejected like the others", async (method, target) => {
  const answer = (token: string) => ask(method, target, TOKENS[token]!(), "\r\n");
  expect(withoutOwn(await answer("no token"))).toBe(UNAUTHORIZED);
  expect(withoutOwn(await answer("a revoked token"))).toBe(UNAUTHORIZED);
  expect(sorted(withoutOwn(await answer("a valid token")))).toEqual(sorted(NO_ROUTE));
});

test.each(["/", "/sign-in", "/healthz", "/openapi.json", "/api/v1/projects", "/mcp", "/hooks/x"])(
  "a page that reached this machine by DNS is rejected at %s, with any credentials",
  async (path) => {
    const answer = await sendRaw(
      server.url,
      `POST ${path} HTTP/1.1\r\nHost: rebind.evil.example:7171\r\nConnection: close\r\n${TOKENS["a valid token"]!()}\r\n`,
    );
    expect(answer.status).toBe(403);
    expect(answer.headers).toContain("x-shipscore-error: host_foreign");
  },
);

describe.each([
  ["the same", ["Host: localhost", "Host: localhost"]],
  ["another", ["Host: localhost", "Host: other.example"]],
  ["an empty one", ["hOST: localhost", "HOST:"]],
  ["behind 2,500 other headers", ["Host: localhost", ...Array<string>(2500).fill("A:1"), "Host:"]],
])("a second Host, %s, is rejected", (_, hosts) => {
  test.each([
    "GET /",
    "POST /sign-in",
    "GET /healthz",
    "GET /openapi.json",
    "POST /api/v1/check",
    "POST /mcp",
    "POST /hooks/x",
    "CONNECT localhost:443",
  ])("by %s", async (line) => {
    const answer = await sendRaw(
      server.url,
      `${line} HTTP/1.1\r\n${hosts.join("\r\n")}\r\n${TOKENS["a valid token"]!()}\r\n`,
    );
    expect(answer.status).toBe(400);
    expect(answer.headers).toContain("x-shipscore-error: http_unreadable");
    expect(answer.headers).toContain("connection: close");
  });
});

test("a CONNECT that is reset, or sent behind a request, does not end the server", async () => {
  for (const before of ["", "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"]) {
    const client = await open();
    client.write(`${before}CONNECT example.com:443 HTTP/1.1\r\n\r\n${"x".repeat(100_000)}`);
    await client.next();
    client.socket.resetAndDestroy();
  }
  expect((await server.request("/healthz")).status).toBe(200);
});

test("none of these requests used quota or was an internal error", async () => {
  expect(await countUsedChecks(server, alice)).toBe(0);
  expect(errorLines()).toEqual([]);
});
