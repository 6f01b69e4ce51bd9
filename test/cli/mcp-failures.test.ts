import { describe, expect, test } from "vitest";
import { answering, request, result, startBridge, startEvents } from "../harness/bridge.ts";
import { runCli, TOKEN } from "../harness/cli.ts";
import { json, startContractDouble, type Handler } from "../harness/contract-double.ts";

describe("an impossible setup ends the command before anything is sent:", () => {
  test.each<[args: string[], env: Record<string, string>, exitCode: number, stderr: RegExp]>([
    [["--token", TOKEN], {}, 2, /^shipscore: there is no --token, because/],
    [["serve"], {}, 2, /^shipscore: too many arguments/],
    [["--json"], {}, 2, /^shipscore: unknown option '--json'/],
    [["--timeout", "0"], {}, 2, /from 1 to 3600/],
    [["--timeout", "5", "--timeout", "6"], {}, 2, /^shipscore: --timeout is used twice/],
    [["--base-url", "shipscore.example"], {}, 2, /^shipscore: --base-url is not a URL/],
    [[], { SHIPSCORE_URL: "ftp://a.example" }, 2, /^shipscore: SHIPSCORE_URL is neither https/],
    [[], { SHIPSCORE_URL: "http://a.example" }, 2, /uses plain http to a\.example/],
    [[], { SHIPSCORE_TOKEN: "" }, 41, /^shipscore: SHIPSCORE_TOKEN is empty/],
    [[], { SHIPSCORE_TOKEN: "${SHIPSCORE_TOKEN}" }, 41, /a placeholder that was not replaced/],
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

describe("a failed call is an error for its id and a line on stderr, and the next one works:", () => {
  const says =
    (status: number, body = "", headers = {}): Handler =>
    (_, response) =>
      response.writeHead(status, headers).end(body);
  const streams =
    (text: string): Handler =>
    (_, response) =>
      startEvents(response).end(text);
  const dies: Handler = (_, response) => {
    startEvents(response).write('data: {"jsonrpc":"2.0","id":1,"res');
    setImmediate(() => response.destroy());
  };
  const NOT_OURS = "which is not a shipscore server's response";
  const PAGE = "<h1>Bad gateway</h1>";
  const NO_TEAM = "Le serveur MCP est réservé à l'offre Team.";
  const unknown = json({ error: "Jeton inconnu." }, 401, { "x-shipscore-error": "unauthorized" });
  const noTeam = json({ error: NO_TEAM }, 403, { "x-shipscore-error": "mcp_team_only" });
  const elsewhere = says(302, "", { location: "https://b.example/" });
  const ELSEWHERE = 'redirects to "https://b.example/", and the token never follows a redirect';
  const UNANSWERED = "without a response to the message";

  test.each<[why: string, handler: Handler, message: string, stderr?: string]>([
    [
      "the token is unknown",
      unknown,
      "Jeton inconnu.",
      "shipscore: The token is invalid or revoked. Set SHIPSCORE_TOKEN to an active token of this server. (request req-1)",
    ],
    [
      "the plan has no MCP",
      noTeam,
      NO_TEAM,
      "shipscore: The MCP server is available on the Team plan only. Ask the server's administrator for the Team plan. (request req-1)",
    ],
    ["the server fails", json({ error: "Erreur interne." }, 500), "Erreur interne."],
    ["the server stops", json({ error: "Indisponible." }, 503), "Indisponible."],
    ["a proxy answers in its place", says(502, PAGE), `returned 502 with "${PAGE}", ${NOT_OURS}`],
    ["it leads elsewhere", elsewhere, ELSEWHERE],
    ["the connection is lost", (_, response) => response.destroy(), "(ECONNRESET)"],
    ["the server dies while it answers", dies, "(ECONNRESET)"],
    [
      "the stream ends in the middle of the answer",
      streams('data: {"jsonrpc":"2.0","id":1,"result":{}}\n'),
      `returned 200 ${UNANSWERED}`,
    ],
    ["nothing answers", says(202), `returned 202 ${UNANSWERED}`],
    ["another call is answered", json(result(2)), `returned 200 ${UNANSWERED}`],
    ["what comes is no JSON", streams("data: hello\n\n"), `returned 200 with "hello", ${NOT_OURS}`],
    [
      "what comes is no JSON-RPC",
      json({ ok: true }),
      `returned 200 with "{"ok":true}", ${NOT_OURS}`,
    ],
    ["an answer is endless", says(200, " ".repeat(8_000_001)), "sent more than 8 MB"],
    ["nothing comes", () => {}, "did not respond within 1 s"],
    [
      "progress comes, and no answer",
      (_, response) => startEvents(response).write(": wait\n\n"),
      "did not respond within 1 s",
    ],
  ])("%s", async (_, handler, message, stderr) => {
    await using server = await startContractDouble((seen, response, count) =>
      (count === 1 ? handler : answering)(seen, response, count),
    );
    const args = message.endsWith("within 1 s") ? ["--timeout", "1"] : [];
    const bridge = startBridge({ SHIPSCORE_URL: server.url }, args);
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

  test("of a notification or an answer prints only the line on stderr", async () => {
    await using server = await startContractDouble(json({ error: "Erreur interne." }, 500));
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send({ jsonrpc: "2.0", method: "notifications/initialized" }, result(7));
    const ran = await bridge.end();
    expect([ran.exitCode, ran.stdout]).toEqual([0, ""]);
    expect(ran.stderr.match(/Erreur interne/g)).toHaveLength(2);
  });
});

describe("the server's own JSON-RPC errors are forwarded:", () => {
  const error = { code: -32602, message: "Invalid params", data: { a: [1] } };

  test.each([400, 404, 413])("under %i unchanged", async (status) => {
    await using server = await startContractDouble(json({ jsonrpc: "2.0", id: 1, error }, status));
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(request(1));
    expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: 1, error });
    expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("an error without a request's id gets the id of the call", async () => {
    await using server = await startContractDouble(json({ jsonrpc: "2.0", id: null, error }, 400));
    await using bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(request("a"));
    expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: "a", error });
  });

  test.each<[string, object]>([
    ["a message without a method", { jsonrpc: "2.0", id: 1 }],
    ["one whose method is misspelt", { jsonrpc: "2.0", id: 1, metod: "ping" }],
  ])("%s waits for the refusal, and gets it", async (_, message) => {
    await using server = await startContractDouble(json({ jsonrpc: "2.0", id: 1, error }, 400));
    await using bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(message);
    expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: 1, error });
  });

  test.each<[string, object]>([
    ["a result", { jsonrpc: "2.0", id: 1, result: {} }],
    ["an error", { jsonrpc: "2.0", id: 1, error }],
    ["an error that names no request", { jsonrpc: "2.0", id: null, error }],
  ])("%s from the client gets no answer", async (_, message) => {
    await using server = await startContractDouble((_seen, response) =>
      response.writeHead(202).end(),
    );
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(message);
    expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(server.requests.map(({ body }) => JSON.parse(body) as object)).toEqual([message]);
  });

  test("a list of messages is rejected by the server", async () => {
    await using server = await startContractDouble(json({ jsonrpc: "2.0", id: null, error }, 400));
    await using bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send([request(1), request(2)]);
    expect(await bridge.next()).toEqual({ jsonrpc: "2.0", id: null, error });
    expect(server.requests.map(({ body }) => JSON.parse(body))).toEqual([[request(1), request(2)]]);
  });
});
