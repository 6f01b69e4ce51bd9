import { expect, test } from "vitest";
import { describeInHeaders } from "../../../cli/bridge/exchange.ts";
import { readMessage } from "../../../cli/bridge/messages.ts";

const of = (message: object, negotiated?: string) => {
  const read = readMessage(JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }));
  if (read === undefined) throw new Error("not JSON");
  return describeInHeaders(read, negotiated);
};

const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };
const call = (name: unknown) => of({ method: "tools/call", params: { _meta: meta, name } });

const LATEST = { "mcp-protocol-version": "2026-07-28" };
const settled = (version: string) => ({ "mcp-protocol-version": version });
const list = (params: unknown) => ({ method: "tools/list", params });
const BROKEN = { "io.modelcontextprotocol/protocolVersion": "a\r\nb: c" };
const notified = { id: undefined, method: "notifications/initialized" };
const called = { method: "tools/call", params: { name: "run_check" } };
const resource = { method: "resources/read", params: { _meta: meta, uri: "file:///a" } };
const RESOURCE = { ...LATEST, "mcp-method": "resources/read", "mcp-name": "file:///a" };

test.each([
  ["before anything is agreed", of({ method: "tools/list" }), {}],
  ["the handshake", of({ method: "initialize" }, "2025-11-25"), {}],
  ["after it", of(called, "2025-11-25"), settled("2025-11-25")],
  ["a notification after it", of(notified, "2025-06-18"), settled("2025-06-18")],
  [
    "a request that names its revision",
    of(list({ _meta: meta }), "2025-11-25"),
    { ...LATEST, "mcp-method": "tools/list" },
  ],
  ["a resource", of(resource), RESOURCE],
  [
    "a revision that no header can hold",
    of(list({ _meta: BROKEN })),
    { "mcp-method": "tools/list" },
  ],
  ["params that are a list", of(list([meta])), {}],
])("%s", (_, headers, expected) => expect(headers).toEqual(expected));

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
])("the name %j is sent as %j", (name, header) => expect(call(name)["mcp-name"]).toBe(header));
