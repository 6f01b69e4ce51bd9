import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { startBridge } from "../harness/bridge.ts";
import { runCli, TOKEN } from "../harness/cli.ts";
import { json, startContractDouble, type Handler } from "../harness/contract-double.ts";

const request = (id: unknown, method = "tools/list", params: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const result = (id: unknown, value: object = {}) => ({ jsonrpc: "2.0", id, result: value });
const cancelled = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

interface Rpc {
  readonly id?: unknown;
  readonly method?: string;
}
const read = (body: string) => JSON.parse(body) as Rpc;

/** Answers each request with an empty result, and accepts what is no request. */
const answering: Handler = (seen, response, count) => {
  const { id, method } = read(seen.body);
  if (id === undefined || method === undefined) response.writeHead(202).end();
  else json(result(id))(seen, response, count);
};

/** Answers as an event stream; what it writes is up to the test. */
function startEvents(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
}

describe("what can't work ends the command before anything is sent:", () => {
  test.each<[args: string[], env: Record<string, string>, exitCode: number, stderr: RegExp]>([
    [["--token", TOKEN], {}, 2, /^shipscore: there is no --token, because/],
    [["serve"], {}, 2, /^shipscore: too many arguments/],
    [["--json"], {}, 2, /^shipscore: unknown option '--json'/],
    [["--timeout", "0"], {}, 2, /from 1 to 3600/],
    [["--timeout", "5", "--timeout", "6"], {}, 2, /^shipscore: --timeout is there twice/],
    [["--base-url", "shipscore.example"], {}, 2, /^shipscore: --base-url is not a URL/],
    [[], { SHIPSCORE_URL: "ftp://a.example" }, 2, /^shipscore: SHIPSCORE_URL is neither https/],
    [[], { SHIPSCORE_URL: "http://a.example" }, 2, /is plain http to a\.example/],
    [[], { SHIPSCORE_TOKEN: "" }, 41, /^shipscore: SHIPSCORE_TOKEN is empty/],
    [[], { SHIPSCORE_TOKEN: "${SHIPSCORE_TOKEN}" }, 41, /a placeholder that nothing replaced/],
    [[], { SHIPSCORE_TOKEN: `${TOKEN}x` }, 41, /^shipscore: SHIPSCORE_TOKEN is malformed/],
  ])("%j with %j", async (args, env, exitCode, stderr) => {
    await using server = await startContractDouble(answering);
    const bridge = startBridge({ SHIPSCORE_URL: server.url, ...env }, args);
    bridge.send(request(1));
    const ran = await bridge.end();
    expect([ran.exitCode, ran.stdout, server.requests.length]).toEqual([exitCode, "", 0]);
    expect(ran.stderr).toMatch(stderr);
    expect(ran.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(ran.stderr).not.toContain(TOKEN);
  });

  test("without any token", async () => {
    const ran = await runCli(["mcp"]);
    expect([ran.exitCode, ran.stdout]).toEqual([41, ""]);
    expect(ran.stderr).toMatch(/^shipscore: SHIPSCORE_TOKEN is not set\. /);
  });
});

describe("a call that fails is an error for its id and a line on stderr, and the next one works:", () => {
  const failures: Readonly<Record<string, readonly [Handler, message: string, stderr?: string]>> = {
    "the token is unknown": [
      json({ error: "Jeton inconnu." }, 401, { "x-shipscore-error": "unauthorized" }),
      "Jeton inconnu.",
      'shipscore: the server refused the token: "Jeton inconnu." Put an active token of this server in SHIPSCORE_TOKEN. (request req-1)',
    ],
    "the plan has no MCP": [
      json({ error: "Le serveur MCP est réservé à l'offre Team." }, 403, {
        "x-shipscore-error": "mcp_team_only",
      }),
      "Le serveur MCP est réservé à l'offre Team.",
      `shipscore: the account's plan has no MCP: "Le serveur MCP est réservé à l'offre Team." Ask the server's operator for the plan Team. (request req-1)`,
    ],
    "the server fails": [json({ error: "Erreur interne." }, 500), "Erreur interne."],
    "the server stops": [json({ error: "Indisponible." }, 503), "Indisponible."],
    "a proxy answers in its place": [
      (_, response) => response.writeHead(502).end("<h1>Bad gateway</h1>"),
      'answered 502 with "<h1>Bad gateway</h1>", which is not a shipscore server\'s answer',
    ],
    "it leads elsewhere": [
      (_, response) => response.writeHead(302, { location: "https://b.example/" }).end(),
      'redirects to "https://b.example/", and the token never follows a redirect',
    ],
    "the connection is lost": [(_, response) => response.destroy(), "(ECONNRESET)"],
    "the server dies while it answers": [
      (_, response) => {
        startEvents(response).write('data: {"jsonrpc":"2.0","id":1,"res');
        setImmediate(() => response.destroy());
      },
      "(ECONNRESET)",
    ],
    "the stream ends in the middle of the answer": [
      (_, response) => startEvents(response).end('data: {"jsonrpc":"2.0","id":1,"result":{}}\n'),
      "answered 200 without an answer to the message",
    ],
    "nothing answers": [
      (_, response) => response.writeHead(202).end(),
      "answered 202 without an answer to the message",
    ],
    "another call is answered": [json(result(2)), "answered 200 without an answer to the message"],
    "what comes is no JSON": [
      (_, response) => startEvents(response).end("data: hello\n\n"),
      'answered 200 with "hello", which is not a shipscore server\'s answer',
    ],
    "what comes is no JSON-RPC": [
      json({ ok: true }),
      'answered 200 with "{"ok":true}", which is not a shipscore server\'s answer',
    ],
    "an answer is endless": [
      (_, response) => response.end(Buffer.alloc(8_000_001, " ")),
      "sent more than 8 MB",
    ],
    "nothing comes": [() => {}, "gave no answer within 1 s"],
    "progress comes, and no answer": [
      (_, response) => startEvents(response).write(": wait\n\n"),
      "gave no answer within 1 s",
    ],
  };

  test.each(Object.entries(failures))("%s", async (_, [handler, message, stderr]) => {
    await using server = await startContractDouble((seen, response, count) =>
      (count === 1 ? handler : answering)(seen, response, count),
    );
    const bridge = startBridge({ SHIPSCORE_URL: server.url }, ["--timeout", "1"]);
    bridge.send(request(1));
    expect(await bridge.next()).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32000, message: expect.stringContaining(message) },
    });
    bridge.send(request("two"));
    expect(await bridge.next()).toEqual(result("two"));
    const ran = await bridge.end();
    expect([ran.exitCode, ran.stdout]).toEqual([0, ""]);
    expect(ran.stderr.trimEnd().split("\n")).toEqual([
      stderr ?? expect.stringMatching(/^shipscore: .*\.$|^shipscore: .* \(request req-1\)$/),
    ]);
  });

  test("nobody listens", async () => {
    const server = await startContractDouble();
    await server[Symbol.asyncDispose]();
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(request(1));
    expect((await bridge.next()).error?.message).toContain("refused the connection");
    expect((await bridge.end()).exitCode).toBe(0);
  });

  test("of a notification, or of an answer, only the line on stderr", async () => {
    await using server = await startContractDouble(json({ error: "Erreur interne." }, 500));
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send({ jsonrpc: "2.0", method: "notifications/initialized" }, result(7));
    const ran = await bridge.end();
    expect([ran.exitCode, ran.stdout]).toEqual([0, ""]);
    expect(ran.stderr.match(/Erreur interne/g)).toHaveLength(2);
  });
});

describe("the server's own JSON-RPC errors pass:", () => {
  const error = { code: -32602, message: "Invalid params", data: { a: [1] } };

  test.each([400, 404, 413])("under %i unchanged", async (status) => {
    await using server = await startContractDouble(json({ jsonrpc: "2.0", id: 1, error }, status));
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(request(1));
    expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: 1, error });
    expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("one that names no request gets the id of the call", async () => {
    await using server = await startContractDouble(json({ jsonrpc: "2.0", id: null, error }, 400));
    await using bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(request("a"));
    expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: "a", error });
  });

  test("a list of messages is the server's to refuse", async () => {
    await using server = await startContractDouble(json({ jsonrpc: "2.0", id: null, error }, 400));
    await using bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send([request(1), request(2)]);
    expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: null, error });
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([[request(1), request(2)]]);
  });
});

describe("a line of stdin", () => {
  test.each<[what: string, line: string, id: unknown, code: number]>([
    ["that is no JSON", "hello\n", null, -32700],
    ["that is cut off", '{"jsonrpc":"2.0","id":1,\n', null, -32700],
    [
      "over 64 KB, its id at the end",
      `{"method":"tools/list","params":{"a":"${"x".repeat(65_536)}"},"jsonrpc":"2.0","id":"late"}\n`,
      "late",
      -32600,
    ],
    ["over 64 KB that is no JSON", `${"x".repeat(65_537)}\n`, null, -32600],
    ["too long to be kept", `${"x".repeat(11_000_000)}\n`, null, -32600],
  ])("%s is an error, nothing is sent, and the next one works", async (_, line, id, code) => {
    await using server = await startContractDouble(answering);
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(line);
    expect(await bridge.next()).toEqual({
      jsonrpc: "2.0",
      id,
      error: { code, message: expect.any(String) },
    });
    expect(server.requests).toHaveLength(0);
    bridge.send(request(2));
    expect(await bridge.next()).toEqual(result(2));
    const { exitCode, stderr } = await bridge.end();
    expect([exitCode, stderr.trimEnd().split("\n").length]).toEqual([0, 1]);
  });

  test("that is empty is none", async () => {
    await using server = await startContractDouble(answering);
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send("\n  \r\n\n", request(1));
    expect(await bridge.next()).toEqual(result(1));
    expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("is sent byte for byte, with the token and what the protocol asks for", async () => {
    await using server = await startContractDouble(answering);
    await using bridge = startBridge({ SHIPSCORE_URL: `${server.url}/base`, LANG: "fr_FR" });
    const line = '{ "jsonrpc":"2.0", "id":1, "method":"é", "params":{"n":1.0e2} }';
    bridge.send(`${line}\r\n`);
    await bridge.next();
    const [seen] = server.requests;
    expect(seen).toMatchObject({
      method: "POST",
      path: "/base/mcp",
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "accept-language": "fr",
      },
    });
    expect(seen?.body.trimEnd()).toBe(line);
    expect(seen?.headers).not.toHaveProperty("mcp-protocol-version");
  });
});

test("the revision that the server agrees to goes with what follows", async () => {
  await using server = await startContractDouble((seen, response, count) =>
    json(result(read(seen.body).id, { protocolVersion: "2025-06-18" }))(seen, response, count),
  );
  await using bridge = startBridge({ SHIPSCORE_URL: server.url });
  bridge.send(request(1, "initialize", { protocolVersion: "2025-11-25" }));
  await bridge.next();
  bridge.send(request(2));
  await bridge.next();
  const versions = server.requests.map(({ headers }) => headers["mcp-protocol-version"]);
  expect(versions).toEqual([undefined, "2025-06-18"]);
});

test("notifications come before the answer, each on a line, and nothing after it", async () => {
  const progress = { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } };
  await using server = await startContractDouble((_, response) => {
    startEvents(response).end(
      `: hello\r\n\r\ndata: ${JSON.stringify(progress)}\r\n\r\n` +
        `data: {\r\ndata: "jsonrpc": "2.0", "id": 1, "result": {"text": "é 🚢"}\r\ndata: }\r\n\r\n` +
        `data: ${JSON.stringify(result(1, { text: "again" }))}\r\n\r\n`,
    );
  });
  const bridge = startBridge({ SHIPSCORE_URL: server.url });
  bridge.send(request(1));
  expect(await bridge.next()).toEqual(progress);
  expect(await bridge.next()).toEqual(result(1, { text: "é 🚢" }));
  expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

test.each([
  ["as JSON", (value: object): Handler => json(value)],
  [
    "as an event",
    (value: object): Handler =>
      (_, response) =>
        startEvents(response).end(`data: ${JSON.stringify(value)}\n\n`),
  ],
])("an answer of 7 MB arrives whole, %s", async (_, answer) => {
  const value = result(1, { text: "é".repeat(3_500_000) });
  await using server = await startContractDouble(answer(value));
  await using bridge = startBridge({ SHIPSCORE_URL: server.url });
  bridge.send(request(1));
  expect(await bridge.next()).toEqual(value);
});

test("calls run at the same time, and are answered in the order in which they end", async () => {
  const COUNT = 50;
  const open: (() => void)[] = [];
  await using server = await startContractDouble((seen, response, count) => {
    open.unshift(() => answering(seen, response, count));
    if (open.length === COUNT) for (const end of open) end();
  });
  const bridge = startBridge({ SHIPSCORE_URL: server.url });
  for (let id = 1; id <= COUNT; id++) bridge.send(request(id));
  const ids = [];
  for (let each = 1; each <= COUNT; each++) ids.push((await bridge.next()).id);
  expect(ids.toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: COUNT }, (_, index) => index + 1),
  );
  expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

/** A server that answers `tools/list`, and keeps every other call open. */
async function startHanging() {
  let open: (response: ServerResponse) => void;
  const opened = new Promise<ServerResponse>((resolve) => (open = resolve));
  const server = await startContractDouble((seen, response, count) => {
    if (read(seen.body).method === "tools/list") answering(seen, response, count);
    else open(startEvents(response));
  });
  return Object.assign(server, { opened });
}

describe("a cancelled call", () => {
  test("is ended at the server, and gets no answer", async () => {
    await using server = await startHanging();
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(request(1, "tools/call"));
    const response = await server.opened;
    bridge.send(cancelled(1));
    await once(response, "close");
    bridge.send(request(2));
    expect(await bridge.next()).toEqual(result(2));
    expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(server.requests.map(({ body }) => read(body).method)).toEqual([
      "tools/call",
      "tools/list",
    ]);
  });

  test("is the one that is named, and its id a text or a number", async () => {
    await using server = await startHanging();
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(request("1", "tools/call"));
    const response = await server.opened;
    bridge.send(cancelled(1), cancelled(undefined), cancelled("2"), request(2));
    expect(await bridge.next()).toEqual(result(2));
    response.end(`data: ${JSON.stringify(result("1"))}\n\n`);
    expect(await bridge.next()).toEqual(result("1"));
    expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });
});

describe("the end", () => {
  test("of stdin ends the command, and cuts what runs", async () => {
    await using server = await startHanging();
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(request(1, "tools/call"));
    const closed = once(await server.opened, "close");
    expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    await closed;
  });

  test("of stdin, at once, is no error", async () => {
    const bridge = startBridge({ SHIPSCORE_URL: "http://127.0.0.1:9" });
    expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("of stdin leaves a call the time for a quick answer, as in a pipe", async () => {
    await using server = await startContractDouble(answering);
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(JSON.stringify(request(1)));
    expect(await bridge.end()).toEqual({
      exitCode: 0,
      stdout: `${JSON.stringify(result(1))}\n`,
      stderr: "",
    });
  });

  test("of stdin in the middle of a line is an error of that line", async () => {
    await using server = await startContractDouble(answering);
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(JSON.stringify(request(1)).slice(0, -5));
    const { exitCode, stdout } = await bridge.end();
    expect([exitCode, JSON.parse(stdout), server.requests.length]).toEqual([
      0,
      { jsonrpc: "2.0", id: null, error: { code: -32700, message: expect.any(String) } },
      0,
    ]);
  });

  test.each<[NodeJS.Signals, number]>([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ])("by %s cuts what runs, with %i", async (name, exitCode) => {
    await using server = await startHanging();
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(request(1, "tools/call"));
    const closed = once(await server.opened, "close");
    expect(await bridge.kill(name)).toEqual({ exitCode, stdout: "", stderr: "" });
    await closed;
  });

  test("of whoever reads stdout ends it quietly", async () => {
    await using server = await startHanging();
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(request(1, "tools/call"));
    const closed = once(await server.opened, "close");
    bridge.closeStdout();
    bridge.send(request(2));
    await closed;
    const { exitCode, stderr } = await bridge.end();
    expect([exitCode, stderr]).toEqual([0, ""]);
  });
});

test("--verbose traces the requests on stderr, without the token", async () => {
  await using server = await startContractDouble(answering);
  const bridge = startBridge({ SHIPSCORE_URL: server.url }, ["--verbose"]);
  bridge.send(request(1));
  await bridge.next();
  const { stderr } = await bridge.end();
  expect(stderr).toMatch(
    /^> POST http:\S+\/mcp, Authorization: Bearer \*\*\*\n< 200 in \d+ ms, X-Request-Id: req-1\n$/,
  );
});

test("a token that a server repeats is masked", async () => {
  await using server = await startContractDouble(json(result(1, { text: TOKEN })));
  await using bridge = startBridge({ SHIPSCORE_URL: server.url });
  bridge.send(request(1));
  expect(await bridge.next()).toEqual(result(1, { text: "***" }));
});
