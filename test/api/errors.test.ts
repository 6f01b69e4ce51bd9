import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { fingerprintOf } from "../../server/access/tokens.ts";
import { callerOfToken } from "../../server/db/accounts/callers.ts";
import { answerUnreadable } from "../../server/http/errors.ts";
import { createResolver } from "../../server/engine/net/resolve.ts";
import { createVet } from "../../server/engine/net/vet.ts";
import { readMembers } from "../../shared/dictionary.ts";
import {
  API_ERROR_CODES,
  API_ERRORS,
  type ApiErrorCode,
  parametersOf,
  sayError,
} from "../../shared/errors.ts";
import { SERVFAIL, startNameServer } from "../harness/name-server.ts";
import { addPerson, type Person } from "../harness/people.ts";
import { listen } from "../harness/site.ts";
import { sendRaw, type RawAnswer } from "../harness/raw-http.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const TIMEOUT_MS = 120_000;
const NONE_LEFT = { used: 30, limit: 30, remaining: 0 };

/** A server that lets go of everything, and one whose database does not answer. */
let ending: TestServer;
let cutOff: TestServer;

const names = use(() =>
  startNameServer((question) => {
    if (question.endsWith("silent.example.com")) return "silence";
    return question.endsWith("broken.example.com") ? SERVFAIL : undefined;
  }),
);
const site = use(startSlowSite);
const server = use(() =>
  startTestServer({
    threadFile: fileURLToPath(new URL("../harness/harmed-thread.js", import.meta.url)),
  }),
);
beforeAll(async () => {
  const resolver = createResolver({ servers: [names.address], hostsFile: "/nowhere" });
  server.deps.probe.vet = createVet({ ...server.deps.networks.checks, resolver });
  [ending, cutOff] = [await startTestServer(), await startTestServer()];
});
const alice = use(() => addPerson(server, "alice"));
afterAll(async () => {
  await ending.close();
  await cutOff.stop();
  await cutOff.database.drop();
});

interface Asked {
  of?: TestServer;
  by?: Person;
  /** The URL that POST /check is sent; with neither this nor a body the request is GET /projects. */
  url?: string;
  body?: string;
  headers?: string;
  path?: string;
  host?: string;
}

function ask({
  of = server,
  by = alice,
  url,
  body,
  headers = "",
  path,
  host = "localhost",
}: Asked): Promise<RawAnswer> {
  const content = body ?? (url === undefined ? undefined : JSON.stringify({ url }));
  const [method, target] = content === undefined ? ["GET", "projects"] : ["POST", "check"];
  const type = headers.includes("Content-Type") ? "" : "Content-Type: application/json\r\n";
  const length = `Content-Length: ${content?.length ?? 0}\r\n`;
  return sendRaw(
    of.url,
    `${method} ${path ?? `/api/v1/${target}`} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n` +
      `Authorization: Bearer ${by.token}\r\n${headers}${content === undefined ? "" : type + length}\r\n${content ?? ""}`,
  );
}

const key = (text: string) => `Idempotency-Key: ${text}\r\n`;

/** Node's own 30 s of patience are not waited for: it is told of them as Node tells. */
async function answerLate(): Promise<RawAnswer> {
  const late = Object.assign(new Error("late"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  const listener = createServer((socket) => answerUnreadable(late, socket, "req_1"));
  const port = await listen(listener);
  const answer = await sendRaw(`http://127.0.0.1:${port}`, "GET / HT");
  listener.close();
  return answer;
}

async function checkWithUsedKey(): Promise<RawAnswer> {
  await ask({ url: site.url, headers: key("used") });
  return ask({ url: `${site.url}other`, headers: key("used") });
}

async function checkWithRunningKey(): Promise<RawAnswer> {
  const repeated = { url: site.url, headers: key("running") };
  await ask(repeated);
  await server.sql`
    update checks set state = 'running', answer = null, lease_until = now() + interval '1 hour'
    where idempotency_key = 'running'`;
  const now = performance.now.bind(performance);
  const asked = now();
  vi.spyOn(performance, "now").mockImplementation(() => asked + 20 * (now() - asked));
  const answer = await ask(repeated);
  await server.sql`delete from checks where idempotency_key = 'running'`;
  return answer;
}

async function checkWithoutSlot(): Promise<RawAnswer> {
  const by = await addPerson(server, "poor", "free");
  await server.sql`
    insert into usage (account_id, month, used)
    select id, date_trunc('month', now() at time zone 'utc'), 30 from accounts where email = ${by.email}`;
  return ask({ by, url: site.url });
}

async function readInCrowd(): Promise<RawAnswer> {
  const row = callerOfToken(fingerprintOf(alice.token));
  const begin = () => server.deps.accountReads.begin(row).catch(() => undefined);
  const crowd = Array.from({ length: 42 }, begin);
  await crowd[0];
  const answer = await ask({});
  for (const reading of crowd) (await reading)?.();
  return answer;
}

async function readWithoutTable(): Promise<RawAnswer> {
  await server.sql`alter table incidents rename to gone`;
  const { id } = await server.perform<{ id: string }>("project add", {
    email: alice.email,
    name: "Site",
    url: site.url,
  });
  const answer = await ask({ path: `/api/v1/projects/${id}/incidents` });
  await server.sql`alter table gone rename to incidents`;
  return answer;
}

async function checkInCrowd(): Promise<RawAnswer> {
  const by = await addPerson(server, "crowd");
  const acquire = () => server.deps.semaphores.checks.acquire(by.accountId, 0);
  const releases = await Promise.all(Array.from({ length: 8 }, acquire));
  const answer = await ask({ by, url: site.url });
  for (const release of releases) release();
  return answer;
}

async function checkBeyondRefusals(): Promise<RawAnswer> {
  const by = await addPerson(server, "refused");
  await ask({ by, url: "https://gone.example.com/" });
  await server.sql`update buckets set full_at = now() + interval '1 hour'`;
  const answer = await ask({ by, url: "https://gone.example.com/" });
  await server.sql`delete from buckets`;
  return answer;
}

async function checkWhoseRowGoes(): Promise<RawAnswer> {
  site.hold();
  const before = site.requests.length;
  const answer = ask({ url: site.url });
  await waitUntil("the check visits", () => site.requests.length > before);
  await server.sql`delete from checks where state = 'running'`;
  site.release();
  return answer;
}

async function askEnding(): Promise<RawAnswer> {
  const by = await addPerson(ending, "sam");
  ending.abandonWork();
  return ask({ of: ending, by, url: site.url });
}

async function askCutOff(): Promise<RawAnswer> {
  await cutOff.deps.database.close();
  return ask({ of: cutOff });
}

/** The parameters beside the code, where its sentence has some. */
const PARAMETERS: Partial<Readonly<Record<ApiErrorCode, string>>> = {
  body_too_large: "max_bytes=16384",
  idempotency_key_too_long: "max_length=255",
  url_private: 'host="10.0.0.1"',
  url_not_found: 'host="gone.example.com"',
  url_dns_failure: 'host="broken.example.com"',
  url_dns_timeout: 'host="silent.example.com"',
  quota_exceeded: "used=30, limit=30",
};

/** How each code is had, or why nobody ever gets it from the API. */
const WAYS: Readonly<Record<ApiErrorCode, (() => Promise<RawAnswer>) | string>> = {
  http_unreadable: () => sendRaw(server.url, "NONSENSE\r\n\r\n"),
  body_empty: () => ask({ body: "" }),
  body_not_json: () => ask({ body: "{" }),
  body_too_large: () => ask({ url: "x".repeat(16_384) }),
  body_media_type: () => ask({ body: "x", headers: "Content-Type: text/plain\r\n" }),
  body_length_mismatch: "Node refuses it before, as unreadable.",
  body_cut_off: "Whoever sent half of a body and left does not read the answer.",
  body_is_batch: "Of the MCP server alone; test/mcp/refusals.test.ts.",
  body_not_an_object: () => ask({ body: "[]" }),
  body_url_invalid: () => ask({ body: "{}" }),
  body_preview_invalid: () => ask({ body: '{"url":"x","preview":1}' }),
  body_headers_invalid: () => ask({ body: '{"url":"x","headers":{"cookie":"a"}}' }),
  idempotency_key_too_long: () => ask({ url: "x", headers: key("k".repeat(256)) }),
  idempotency_key_reused: checkWithUsedKey,
  url_unparseable: () => ask({ url: "x" }),
  url_not_https: () => ask({ url: "http://example.com/" }),
  url_userinfo: () => ask({ url: "https://ann:secret@example.com/" }),
  url_characters: () => ask({ url: "https://example.com/a b" }),
  url_too_long: () => ask({ url: `https://example.com/${"a".repeat(2048)}` }),
  url_port: () => ask({ url: "https://example.com:22/" }),
  url_private: () => ask({ url: "https://10.0.0.1/" }),
  url_not_found: () => ask({ url: "https://gone.example.com/" }),
  url_dns_failure: () => ask({ url: "https://broken.example.com/" }),
  url_dns_timeout: () => ask({ url: "https://silent.example.com/" }),
  unauthorized: () => ask({ by: { ...alice, token: "psk_x" } }),
  mcp_team_only: "Of the MCP server alone; test/mcp/refusals.test.ts.",
  origin_foreign: "A program may call the API for any page; test/http/same-site.test.ts.",
  host_foreign: () => ask({ host: "rebind.evil.example" }),
  project_not_found: () => ask({ path: "/api/v1/projects/prj_0/incidents" }),
  route_not_found: () => ask({ path: "/api/v1/nothing" }),
  method_not_allowed: "Of the MCP server alone; test/mcp/refusals.test.ts.",
  http_timeout: answerLate,
  http_headers_too_long: () => ask({ headers: `X: ${"x".repeat(20_000)}\r\n` }),
  quota_exceeded: checkWithoutSlot,
  too_many_reads: readInCrowd,
  internal: readWithoutTable,
  busy: checkInCrowd,
  unavailable: askCutOff,
  shutting_down: askEnding,
  idempotency_key_running: checkWithRunningKey,
  too_many_refused: checkBeyondRefusals,
  check_interrupted: checkWhoseRowGoes,
  check_stopped: () => ask({ url: `${site.url}crash` }),
};

const REACHABLE = API_ERROR_CODES.filter((code) => typeof WAYS[code] === "function");

test.each(REACHABLE)(
  "%s has its status, its sentence in French and its code",
  { timeout: TIMEOUT_MS },
  async (code) => {
    const { status } = API_ERRORS[code];
    const answer = await (WAYS[code] as () => Promise<RawAnswer>)();
    const values = readMembers(parametersOf(code), PARAMETERS[code]) ?? {};
    const quota = code === "quota_exceeded" && { quota: NONE_LEFT };
    expect(answer).toMatchObject({ status, requestId: expect.stringMatching(/^req_/) });
    expect(answer.body).toBe(JSON.stringify({ error: sayError(code, values).fr, ...quota }));
    const codes = answer.headers.filter((line) => line.startsWith("x-shipscore-error:"));
    expect(codes).toEqual([`x-shipscore-error: ${code}`]);
    const told = PARAMETERS[code];
    expect(answer.headers.filter((line) => line.startsWith("x-shipscore-error-"))).toEqual(
      told === undefined ? [] : [`x-shipscore-error-parameters: ${told}`],
    );
    expect(answer.headers.includes("x-shipscore-busy: 1")).toBe(code === "busy");
    expect(answer.headers.some((line) => line.startsWith("retry-after: "))).toBe(
      status === 429 || status === 503,
    );
  },
);

test.each([
  ["https://10.0.0.1/a?secret=b", 'host="10.0.0.1"'],
  ["https://gone.b%C3%BCcher.example/", 'host="gone.xn--bcher-kva.example"'],
  [`https://${"a.".repeat(100)}local/`, `host=%"${"a.".repeat(50).slice(0, -1)}%e2%80%a6"`],
])("the error %s reveals only the host, in Punycode and shortened", async (url, told) => {
  const { headers } = await ask({ url });
  expect(headers).toContain(`x-shipscore-error-parameters: ${told}`);
});

test("a response without an error has no code", async () => {
  const { status, headers } = await ask({});
  expect(status).toBe(200);
  expect(headers.join()).not.toContain("x-shipscore-error");
});

interface Described {
  responses: Record<
    string,
    { headers?: Record<string, { description: string; schema: { enum: string[] } }> }
  >;
}

test("the API document lists the codes of each error that a route returns", async () => {
  const { paths, components } = (await (await server.request("/openapi.json")).json()) as {
    paths: Record<string, Record<string, Described>>;
    components: Described["responses"][string];
  };
  expect(components.headers?.["X-Shipscore-Error"]?.schema.enum).toEqual(API_ERROR_CODES);
  const answers = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses));
  expect(new Set(answers.map(([status]) => status))).toEqual(
    new Set(["200", "400", "401", "404", "429", "500", "503"]),
  );
  for (const [status, { headers }] of answers) {
    const expected = API_ERROR_CODES.filter((code) => String(API_ERRORS[code].status) === status);
    expect(headers?.["X-Shipscore-Error"]?.schema.enum).toEqual(
      status === "200" ? undefined : expected,
    );
    const told = headers?.["X-Shipscore-Error-Parameters"]?.description ?? "";
    for (const code of expected)
      for (const [, name] of (PARAMETERS[code] ?? "").matchAll(/(\w+)=/g))
        expect(told).toMatch(new RegExp(`${code}: [^;]*\\b${name} \\(`));
    expect(told === "").toBe(!expected.some((code) => PARAMETERS[code]));
  }
});
