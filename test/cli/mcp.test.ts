import { describe, expect, test } from "vitest";
import { answering, read, request, result, startBridge, startEvents } from "../harness/bridge.ts";
import { TOKEN } from "../harness/cli.ts";
import { json, startContractDouble, type Handler } from "../harness/contract-double.ts";

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

  test("that is empty is ignored", async () => {
    await using server = await startContractDouble(answering);
    const bridge = startBridge({ SHIPSCORE_URL: server.url });
    bridge.send("\n  \r\n\n", request(1));
    expect(await bridge.next()).toEqual(result(1));
    expect(await bridge.end()).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  });

  test("is sent byte for byte, with the token and the protocol's headers", async () => {
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

test("later messages carry the revision that the server agreed to", async () => {
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

test("calls run at the same time, and are answered in the order of their ends", async () => {
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
