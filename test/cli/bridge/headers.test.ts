import { expect, test } from "vitest";
import { describeInHeaders } from "../../../cli/bridge/headers.ts";
import { readMessage } from "../../../cli/bridge/message.ts";

const of = (message: object, negotiated?: string) => {
  const read = readMessage(JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }));
  if (read === undefined) throw new Error("not JSON");
  return describeInHeaders(read, negotiated);
};

const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
const call = (name: unknown) => of({ method: "tools/call", params: { _meta: meta, name } });

test.each([
  ["before anything is agreed", of({ method: "tools/list" }), {}],
  ["the handshake", of({ method: "initialize" }, "2025-11-25"), {}],
  [
    "after it",
    of({ method: "tools/call", params: { name: "run_check" } }, "2025-11-25"),
    { "mcp-protocol-version": "2025-11-25" },
  ],
  [
    "a notification after it",
    of({ id: undefined, method: "notifications/initialized" }, "2025-06-18"),
    { "mcp-protocol-version": "2025-06-18" },
  ],
  [
    "a request that names its revision",
    of({ method: "tools/list", params: { _meta: meta } }, "2025-11-25"),
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" },
  ],
  [
    "a resource",
    of({ method: "resources/read", params: { _meta: meta, uri: "file:///a" } }),
    {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "resources/read",
      "mcp-name": "file:///a",
    },
  ],
  [
    "a revision that no header can hold",
    of({
      method: "tools/list",
      params: { _meta: { "io.modelcontextprotocol/protocolVersion": "a\r\nb: c" } },
    }),
    { "mcp-method": "tools/list" },
  ],
  ["params that are a list", of({ method: "tools/list", params: [meta] }), {}],
])("%s", (_, headers, expected) => {
  expect(headers).toEqual(expected);
});

test.each([
  ["run_check", "run_check"],
  ["with space inside", "with space inside"],
  ["é", "=?base64?w6k=?="],
  [" a", "=?base64?IGE=?="],
  ["", "=?base64??="],
  ["a\r\nb: c", "=?base64?YQ0KYjogYw==?="],
  ["=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
  [7, undefined],
  [undefined, undefined],
])("the name %j is sent as %j", (name, header) => {
  expect(call(name)["mcp-name"]).toBe(header);
});
