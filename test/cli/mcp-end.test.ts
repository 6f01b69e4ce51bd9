import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import {
  answering,
  cancelled,
  read,
  request,
  result,
  startBridge,
  startBridgeProcess,
  startEvents,
} from "../harness/bridge.ts";
import { runOnTerminal, TOKEN } from "../harness/cli.ts";
import { json, startContractDouble } from "../harness/contract-double.ts";
import { waitUntil } from "../harness/slow-site.ts";

test("at most 1000 calls run at a time", async () => {
  await using server = await startContractDouble(() => {});
  const bridge = startBridge({ SHIPSCORE_URL: server.url });
  for (let id = 1; id <= 1001; id++) bridge.send(request(id));
  expect(await bridge.next()).toMatchObject({ id: 1001, error: { code: -32000 } });
  const { exitCode, stdout, stderr } = await bridge.end();
  expect([exitCode, stdout]).toEqual([0, ""]);
  expect(stderr).toMatch(/^shipscore: 1,000 calls are running\. .*\n$/);
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

describe("a canceled call", () => {
  test("is canceled at the server, and gets no answer", async () => {
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

  test("is the call with the given id, a text or a number", async () => {
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
  test("of stdin ends the command, and aborts running calls", async () => {
    await using server = await startHanging();
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(request(1, "tools/call"));
    const closed = once(await server.opened, "close");
    expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    await closed;
  });

  test("of stdin is no error, even immediately", async () => {
    const bridge = startBridge({ SHIPSCORE_URL: "http://127.0.0.1:9" });
    expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("of stdin leaves a call time for a quick answer, as in a pipe", async () => {
    await using server = await startContractDouble(answering);
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send(JSON.stringify(request(1)));
    expect(await bridge.end()).toEqual({
      exitCode: 0,
      stdout: `${JSON.stringify(result(1))}\n`,
      stderr: "",
    });
  });

  test("of stdin in the middle of a line is an error for that line", async () => {
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
  ])("by %s aborts running calls, with %i", async (name, exitCode) => {
    await using server = await startHanging();
    const bridge = startBridgeProcess({ SHIPSCORE_URL: server.url });
    bridge.send(request(1, "tools/call"));
    const closed = once(await server.opened, "close");
    expect(await bridge.kill(name)).toEqual({ exitCode, stdout: "", stderr: "" });
    await closed;
  });

  test.each<[what: string, lines: string, end: (child: ChildProcess) => void, exitCode: number]>([
    ["of stdin", "", (child) => child.stdin?.end(), 0],
    ["by SIGTERM", "no JSON\n".repeat(5000), (child) => child.kill("SIGTERM"), 143],
  ])("by %s works even if nobody reads stdout and stderr", async (_, lines, end, exitCode) => {
    let answered = 0;
    await using server = await startContractDouble((seen, response, count) => {
      response.once("finish", () => (answered += 1));
      const huge = { text: "x".repeat(5_000_000) };
      json(result(read(seen.body).id, huge))(seen, response, count);
    });
    const env = { SHIPSCORE_TOKEN: TOKEN, SHIPSCORE_URL: server.url };
    const child = spawn(process.execPath, ["bin/shipscore.js", "mcp", "--verbose"], { env });
    child.stdin.on("error", () => {});
    child.stdin.write(`${JSON.stringify(request(1))}\n${lines}`);
    await waitUntil("the answer was sent", () => answered > 0);
    end(child);
    expect((await once(child, "exit"))[0]).toBe(exitCode);
  });

  test("of the reader of stdout ends it quietly", async () => {
    await using server = await startHanging();
    const bridge = startBridgeProcess({ SHIPSCORE_URL: server.url });
    bridge.send(request(1, "tools/call"));
    const closed = once(await server.opened, "close");
    bridge.closeStdout();
    bridge.send(request(2));
    await closed;
    const { exitCode, stderr } = await bridge.end();
    expect([exitCode, stderr]).toEqual([0, ""]);
  });
});

test("in a terminal it explains that it waits for a client", async () => {
  const ran = await runOnTerminal("node bin/shipscore.js mcp", { SHIPSCORE_TOKEN: TOKEN });
  expect([ran.exitCode, ran.stdout]).toEqual([
    0,
    expect.stringContaining("waiting for JSON-RPC on stdin"),
  ]);
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
