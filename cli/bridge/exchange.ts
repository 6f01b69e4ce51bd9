import { isMembers, type Message, readEvents, type Id, type Members } from "./messages.ts";
import { parseJson } from "../terminal/json.ts";
import type { ResponseContext } from "../client/api.ts";
import { readBody, type OpenResponse, openSendOpen, type SendOpen } from "../client/http.ts";
import { readError } from "../client/api-responses.ts";
import {
  findRefusal,
  foreignResponseError,
  timeoutError,
  unansweredError,
  unreachableError,
} from "../client/errors.ts";
import { findHeader } from "../client/response.ts";
import { CliError } from "../terminal/errors.ts";
import type { Settings } from "../client/settings.ts";
import { TimeLimitError, withTimeLimit } from "../client/time-limit.ts";
import { traceCall } from "../client/trace.ts";
import type { Context } from "../terminal/command.ts";
import type { Io } from "../terminal/io.ts";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** The parameter of each method that the header Mcp-Name repeats. */
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

/** The protocol requires Base64 for anything but plain ASCII. */
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
 * The protocol requires these headers. Since revision 2026-07-28 each request names its revision; older ones use
 * `negotiated`.
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

interface ServerMessage {
  readonly line: string;
  readonly isAnswer: boolean;
  /** Undefined for an error, and for a message that is not an answer. */
  readonly result: unknown;
}

function parseMembers(text: string): Members | undefined {
  const value = parseJson(text);
  return isMembers(value) && value.jsonrpc === "2.0" ? value : undefined;
}

async function* readMembers(
  response: OpenResponse,
  { url, now }: ResponseContext,
): AsyncGenerator<{ readonly text: string; readonly members: Members }> {
  const { status, headers } = response;
  const type = findHeader(response, "content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type === "text/event-stream") {
    for await (const text of readEvents(response.body)) {
      const members = parseMembers(text);
      if (members === undefined) throw foreignResponseError({ status, headers, text }, url);
      yield { text, members };
    }
    return;
  }
  const text = await readBody(response.body, url);
  if (text.trim() === "" && status >= 200 && status < 300) return;
  const members = parseMembers(text);
  if (members === undefined) {
    const error = readError(parseJson(text));
    const whole = { status, headers, text };
    throw findRefusal(whole, error, now) ?? foreignResponseError(whole, url);
  }
  yield { text, members };
}

/** An error without an id counts too: the server could not read the request. */
function isAnswerTo(id: Id, members: Members): boolean {
  const answered = members.id ?? null;
  return answered === id || (answered === null && isMembers(members.error));
}

/**
 * An error without an id gets the id of the request.
 * @throws CliError for a response without an answer, or one that does not follow the protocol
 */
async function* readMessages(
  response: OpenResponse,
  id: Id | undefined,
  context: ResponseContext,
): AsyncGenerator<ServerMessage> {
  let isAnswered = id === undefined;
  for await (const { text, members } of readMembers(response, context)) {
    const line = text.trim().replace(/[\r\n]+/g, " ");
    if ("method" in members) yield { line, isAnswer: false, result: undefined };
    else if (id !== undefined && !isAnswered && isAnswerTo(id, members)) {
      isAnswered = true;
      const own = (members.id ?? null) === id ? line : JSON.stringify({ ...members, id });
      yield { line: own, isAnswer: true, result: members.result };
    }
  }
  if (!isAnswered) throw unansweredError(context.url, response.status);
}

export function openExchange(settings: Settings, note: Io["note"], now: Context["now"]) {
  const { baseUrl, language, proxy, timeoutMs, isVerbose } = settings;
  const url = new URL("mcp", baseUrl);
  let opening: Promise<SendOpen> | undefined;
  let negotiated: string | undefined;

  async function send(message: Message, signal: AbortSignal) {
    opening ??= openSendOpen(proxy);
    const sendOpen = await opening;
    const headers = {
      authorization: `Bearer ${settings.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "accept-encoding": "identity",
      "accept-language": language,
      ...describeInHeaders(message, negotiated),
    };
    const call = { url, method: "POST", headers, body: message.text } as const;
    return traceCall({ io: { note }, isVerbose }, call, () => sendOpen(call, signal));
  }

  /** @throws CliError, or the signal's reason */
  return async (
    message: Message,
    signal: AbortSignal,
    receive: (received: ServerMessage) => Promise<void>,
  ): Promise<void> => {
    const work = async (limited: AbortSignal) => {
      const response = await send(message, limited);
      const context = { url: baseUrl, now: now() };
      for await (const received of readMessages(response, message.id, context)) {
        const { result } = received;
        if (message.method === "initialize" && isMembers(result))
          negotiated =
            typeof result.protocolVersion === "string" ? result.protocolVersion : undefined;
        await receive(received);
      }
    };
    try {
      await withTimeLimit(signal, timeoutMs, work);
    } catch (error) {
      if (error instanceof CliError) throw error;
      if (error instanceof TimeLimitError) throw timeoutError(baseUrl, timeoutMs);
      throw unreachableError(error, baseUrl, proxy);
    }
  };
}
