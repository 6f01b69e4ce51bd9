import { isMembers, type Message } from "./message.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** Which parameter of a method the header Mcp-Name repeats. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

const FIELD_VALUE = /^[!-~](?:[\t -~]*[!-~])?$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/** A value as a header may carry it; other than plain ASCII is encoded as the protocol asks. */
function encodeValue(value: string): string {
  if (FIELD_VALUE.test(value) && !ENCODED.test(value)) return value;
  return `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

function listFields(fields: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const sendable = Object.entries(fields).filter(
    (field): field is [string, string] => field[1] !== undefined && FIELD_VALUE.test(field[1]),
  );
  return Object.fromEntries(sendable);
}

/**
 * The headers in which the protocol repeats a message. From 2026-07-28 on each request names its revision; before that
 * it is the one `negotiated` at the start.
 */
export function describeInHeaders(
  { method, params }: Message,
  negotiated: string | undefined,
): Record<string, string> {
  const { _meta: meta } = params;
  const claimed = isMembers(meta) ? meta[VERSION_KEY] : undefined;
  if (typeof claimed !== "string")
    return listFields({ "mcp-protocol-version": method === "initialize" ? undefined : negotiated });
  const name = params[NAMED_BY.get(method ?? "") ?? ""];
  return listFields({
    "mcp-protocol-version": claimed,
    "mcp-method": method,
    "mcp-name": typeof name === "string" ? encodeValue(name) : undefined,
  });
}
