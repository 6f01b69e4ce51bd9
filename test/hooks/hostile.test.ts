import { connect, type Socket } from "node:net";
import { createHmac } from "node:crypto";
import { text as readAll } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  addHook,
  type AddedHook,
  deliver,
  digestOf,
  HOSTS,
  payloadOf,
  signJwt,
  signStandard,
  withFields,
} from "../harness/deployment-hosts.ts";
import { addPerson, addProject } from "../harness/people.ts";
import { useServer } from "../harness/server.ts";
import { waitUntil } from "../harness/slow-site.ts";

let lastId = 1_000_000;
let project: string;
let github: AddedHook;
let plain: AddedHook;

const server = useServer();
beforeAll(async () => {
  project = await addProject(server, await addPerson(server, "alice"), "https://127.0.0.1:9/");
  github = await addHook(server, project, "github");
  plain = await addHook(server, project, "plain");
});

function open(localAddress: string): Socket {
  const { port, hostname } = new URL(server.url);
  return connect({ port: Number(port), host: hostname, localAddress }).on("error", () => {});
}

/** Writes bytes to the server as they are, and returns all that it answers until it closes. */
function speak(bytes: string | Buffer, from = "127.0.0.1"): Promise<string> {
  const socket = open(from);
  socket.write(bytes);
  return readAll(socket);
}

const CRLF = "\r\n";
const request = (path: string, headers: readonly string[], body: string | Buffer) =>
  Buffer.concat([
    Buffer.from(
      [
        `POST ${path} HTTP/1.1`,
        "Host: localhost",
        "Connection: close",
        `Content-Length: ${Buffer.byteLength(body)}`,
        ...headers,
        "",
        "",
      ].join(CRLF),
    ),
    Buffer.from(body),
  ]);

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const bodyOf = (answer: string) => answer.slice(answer.indexOf(CRLF + CRLF) + 4);

const UNKNOWN = "/hooks/hook_00000000000000000000";
const listDeliveries = () =>
  server.perform<{ event: string; outcome: string }[]>("hook deliveries", { id: github.id });

test.each([
  ["a long one", `/hooks/${"a".repeat(5000)}`],
  ["broken escapes", "/hooks/%ff%00%zz"],
  ["a NUL", "/hooks/%00"],
  ["another case", "/hooks/HOOK_00000000000000000000"],
  ["quotes", "/hooks/hook_'%20or%20''='"],
  ["a key of every object", "/hooks/__proto__"],
  ["another noun's", "/hooks/prj_00000000000000000000"],
  ["none", "/hooks/"],
])("a hook id that is %s counts as unknown", async (_, path) => {
  const [answer, unknown] = await Promise.all(
    [path, UNKNOWN].map((each) => speak(request(each, [], "{}"))),
  );
  expect(statusOf(answer ?? "")).toBe(401);
  expect(bodyOf(answer ?? "")).toBe(bodyOf(unknown ?? ""));
});

describe("a body signed as it was sent", () => {
  const body = JSON.stringify({ zen: "é" });
  const signatureOf = (bytes: string | Buffer, secret = github.secret) =>
    `sha256=${createHmac("sha256", secret).update(bytes).digest("hex")}`;
  const send = (headers: readonly string[], bytes: string | Buffer = body) =>
    speak(request(new URL(github.url).pathname, ["X-GitHub-Event: ping", ...headers], bytes));
  const signed = (bytes: string | Buffer = body) => `X-Hub-Signature-256: ${signatureOf(bytes)}`;

  test.each<[what: string, headers: () => string[]]>([
    ["twice, both good", () => [signed(), signed()]],
    ["twice, a bad one first", () => ["X-Hub-Signature-256: sha256=00", signed()]],
    ["in upper case", () => [signed().replace(/=.*/, (hex) => hex.toUpperCase())]],
    ["by another algorithm", () => [signed().replace("sha256=", "sha512=")]],
    [
      "by SHA-1",
      () => [
        `X-Hub-Signature: sha1=${createHmac("sha1", github.secret).update(body).digest("hex")}`,
      ],
    ],
    ["with nothing", () => ["X-Hub-Signature-256:"]],
    ["by an empty secret", () => [`X-Hub-Signature-256: ${signatureOf(body, "")}`]],
    ["in a trailer's name", () => [`Trailer: X-Hub-Signature-256`]],
  ])("%s: 401", async (_, headers) => {
    expect(statusOf(await send(headers()))).toBe(401);
  });

  test("compressed: the compressed bytes are signed, and they are not JSON", async () => {
    const zipped = gzipSync(body);
    const encoding = "Content-Encoding: gzip";
    expect(statusOf(await send([encoding, signed()], zipped))).toBe(401);
    expect(statusOf(await send([encoding, signed(zipped)], zipped))).toBe(400);
  });

  test("with more values than any event has: signed, and not parsed", async () => {
    const long = `{${Array.from({ length: 10_001 }, (_, n) => `"${n}":0`).join(",")}}`;
    expect(statusOf(await send([signed(long)], long))).toBe(400);
  });

  test("in UTF-16, or with a byte order mark: signed, and not JSON", async () => {
    for (const bytes of [Buffer.from(body, "utf16le"), Buffer.from(`\uFEFF${body}`)])
      expect(statusOf(await send([signed(bytes)], bytes))).toBe(400);
  });
});

describe("texts of a signed body stay text", () => {
  const ship = (fields: Record<string, unknown>) =>
    deliver(github, withFields(payloadOf("github"), fields));

  test.each<[what: string, fields: Record<string, unknown>]>([
    ["control characters", { "deployment.sha": "a\u0000b\r\nX: y", "deployment.ref": "\u001b[2J" }],
    ["half a character", { "deployment.sha": "\ud800", "deployment.ref": "x".repeat(199) + "😀" }],
    [
      "what turns the line round",
      { "deployment.sha": "\u202Egnp.exe", "deployment.ref": "\u2066x" },
    ],
    [
      "200,000 characters",
      { "deployment.sha": "x".repeat(100_000), "deployment.ref": "y".repeat(100_000) },
    ],
    ["markup", { "deployment.sha": "<script>", "deployment.ref": "'; drop table hooks; --" }],
    ["a time that is none", { "deployment_status.created_at": "9".repeat(1000) }],
    ["a time of the year 275760", { "deployment_status.created_at": "+275760-09-13T00:00:00Z" }],
    ["a time before all", { "deployment_status.created_at": "-000001-01-01T00:00:00Z" }],
  ])("%s", async (_, fields) => {
    const id = ++lastId;
    const { status } = await ship({ "deployment.id": id, ...fields });
    expect(status).toBe(202);
    const [row] = await server.sql<{ commit: string | null; ref: string | null; isPast: boolean }>`
      select commit, ref, deployed_at <= now() as is_past from deployments where provider_id = ${`github:${id}`}`;
    expect(row?.isPast).toBe(true);
    for (const label of [row?.commit ?? "", row?.ref ?? ""]) {
      expect(label).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}]/u);
      expect(label.length).toBeLessThanOrEqual(200);
    }
  });

  test.each<[what: string, text: string]>([
    [
      "keys of every object",
      '{"__proto__":{"deployment":{"id":1},"deployment_status":{"state":"success"}},"constructor":{"prototype":{"x":1}}}',
    ],
    [
      "an id beyond all numbers",
      '{"deployment":{"id":1e999,"environment":"production"},"deployment_status":{"state":"success"}}',
    ],
    ["a list", "[[[]]]"],
    ["nothing", "null"],
    ["a number", "1e309"],
    ["a text", '"\\ud800"'],
  ])("%s: nothing is recorded", async (_, text) => {
    const before = await server.sql`select id from deployments order by id`;
    const headers = {
      ...HOSTS.github.headers(),
      ...(await HOSTS.github.sign(github.secret, text)),
    };
    const response = await fetch(github.url, { method: "POST", body: text, headers });
    expect([response.status, await response.json()]).toEqual([200, { ignored: "incomplete" }]);
    expect(await server.sql`select id from deployments order by id`).toEqual(before);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test("names of events, with any content", async () => {
    for (const event of ["<img src=x>", "constructor", "é".repeat(50), "x".repeat(5000)]) {
      const text = "{}";
      const headers = {
        ...(await HOSTS.github.sign(github.secret, text)),
        "x-github-delivery": event.slice(0, 9),
        "x-github-event": encodeURI(event),
      };
      const response = await fetch(github.url, { method: "POST", body: text, headers });
      expect(response.status).toBe(200);
      const { ignored } = (await response.json()) as { ignored: string };
      expect(ignored.length).toBeLessThanOrEqual(200);
    }
    expect((await listDeliveries()).every(({ event }) => event.length <= 100)).toBe(true);
  });
});

test("a signed event is one deployment, under any delivery id and at any time", async () => {
  const time = "deployment_status.created_at";
  await server.sql`delete from deployments`;
  const [first = {}, second = {}] = ["2026-11-22T00:00:00Z", "2026-11-22T01:00:00Z"].map((at) =>
    withFields(payloadOf("github"), { "deployment.id": ++lastId, [time]: at }),
  );
  expect((await deliver(github, first)).status).toBe(202);
  expect((await deliver(github, second)).status).toBe(202);
  await server.sql`update deployments set recorded_at = now() - interval '2 days'`;
  for (const [again, ignored] of [
    [first, "repeated"],
    [first, "repeated"],
    [second, "already the last ship"],
  ] as const)
    expect(await deliver(github, again)).toEqual({ status: 200, body: { ignored } });
});

test.each([
  [16_385, 401],
  [262_144, 401],
  [262_145, 413],
])(
  "a body of %i bytes, in one piece or in chunks, gets the same answer from any webhook",
  async (size, status) => {
    const text = "x".repeat(size);
    const chunks = `${size.toString(16)}${CRLF}${text}${CRLF}0${CRLF}${CRLF}`;
    const chunked = ["Host: localhost", "Connection: close", "Transfer-Encoding: chunked"].join(
      CRLF,
    );
    const path = new URL(plain.url).pathname;
    const answers = await Promise.all(
      [UNKNOWN, path].flatMap((each) => [
        speak(request(each, [], text)),
        speak(`POST ${each} HTTP/1.1${CRLF}${chunked}${CRLF}${CRLF}${chunks}`),
      ]),
    );
    const [first = ""] = answers;
    for (const answer of answers)
      expect([statusOf(answer), bodyOf(answer)]).toEqual([status, bodyOf(first)]);
  },
);

describe("long bodies that arrive slowly", () => {
  const chunked = ["Host: localhost", "Transfer-Encoding: chunked", "", "1", "{", ""].join(CRLF);
  const begin = (count: number, path: string, from: string) =>
    Array.from({ length: count }, () => {
      const socket = open(from);
      socket.write(`POST ${path} HTTP/1.1${CRLF}${chunked}`);
      return socket;
    });
  const long = { type: "tried", padding: "x".repeat(20_000) };
  const slow: Socket[] = [];
  afterEach(async () => {
    for (const socket of slow.splice(0)) socket.destroy();
    await waitUntil("all are gone", () => server.deps.semaphores.bodies.held === 0);
  });

  test("those to unknown webhooks keep nobody waiting", async () => {
    slow.push(...begin(200, UNKNOWN, "127.0.0.1"));
    await waitUntil("some are read", () => server.deps.semaphores.bodies.held === 16);
    const answer = await deliver(plain, long);
    expect(answer).toEqual({ status: 200, body: { ignored: "event tried" } });
  });

  test.each<[string, () => string]>([
    ["a hook", () => new URL(plain.url).pathname],
    ["no hook", () => UNKNOWN],
  ])(
    "sixteen of one network are read at the same time, and others of another network: %s",
    async (_, pathOf) => {
      const text = JSON.stringify(long);
      slow.push(...begin(16, pathOf(), "127.0.0.2"));
      await waitUntil("sixteen are read", () => server.deps.semaphores.bodies.held === 16);
      const [near, far] = ["127.0.0.3", "127.0.1.3"].map((from) =>
        speak(request(pathOf(), [], text), from),
      );
      expect([statusOf((await near) ?? ""), statusOf((await far) ?? "")]).toEqual([503, 401]);
    },
  );
});

test("no part of the signed text can run into the next", async () => {
  const body = JSON.stringify({ type: "tried" });
  const signed = signStandard(plain.secret, body);
  const { "webhook-id": id, "webhook-timestamp": time } = signed;
  const send = (headers: Record<string, string>, text: string) =>
    fetch(plain.url, { method: "POST", body: text, headers: { ...signed, ...headers } });
  for (const [headers, text] of [
    [{ "webhook-id": `${id}.${time}`, "webhook-timestamp": "" }, body],
    [{ "webhook-id": `${id}.${time}.{` }, body.slice(1)],
    [{ "webhook-timestamp": `${time}.` }, body],
    [{ "webhook-timestamp": `0${time}` }, body],
    [{ "webhook-timestamp": "NaN" }, body],
  ] as const)
    expect((await send(headers, text)).status).toBe(401);
  expect((await send({}, body)).status).toBe(200);
});

test("an endless or empty token is invalid", async () => {
  const netlify = await addHook(server, project, "netlify");
  const good = await signJwt(netlify.secret, { iss: "netlify", sha256: digestOf("{}") });
  for (const token of [
    ".",
    "..",
    `${good}.`,
    `${good}.x`,
    ` ${good} ${good}`,
    "a".repeat(10_000),
    good.replaceAll(".", ","),
    `${good}=`,
  ]) {
    const response = await fetch(netlify.url, {
      method: "POST",
      body: "{}",
      headers: { "x-webhook-signature": token },
    });
    expect([token.slice(0, 20), response.status]).toEqual([token.slice(0, 20), 401]);
  }
});
