import { isMembers, type Message, readEvents, type Id, type Members } from "./messages.ts";
import { parseJson } from "../terminal/json.ts";
import type { Asked } from "../client/api.ts";
import { readBody, type OpenResponse, openSendOpen, type SendOpen } from "../client/http.ts";
import { readError } from "../client/api-responses.ts";
import {
  findRefusal,
  foreignResponseError,
  timeoutError,
  unreachableError,
} from "../client/errors.ts";
import { findHeader } from "../client/response.ts";
import { CliError } from "../terminal/errors.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import type { Settings } from "../client/settings.ts";
import { TimeLimitError, withTimeLimit } from "../client/time-limit.ts";
import { traceCall } from "../client/trace.ts";
import type { Context } from "../terminal/command.ts";
import type { Io } from "../terminal/io.ts";

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

/** A message of the server, on one line. */
interface Received {
  readonly line: string;
  readonly isAnswer: boolean;
  /** What a request came to; undefined if the message is no answer, or an error. */
  readonly result: unknown;
}

function parseMembers(text: string): Members | undefined {
  const value = parseJson(text);
  return isMembers(value) && value.jsonrpc === "2.0" ? value : undefined;
}

async function* readMembers(
  response: OpenResponse,
  { url, language, now }: Asked,
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
    throw findRefusal(whole, error, now, language) ?? foreignResponseError(whole, url);
  }
  yield { text, members };
}

/** True for the answer to the request with this id, and for an error that names none since the request was not read. */
function isAnswerTo(id: Id, members: Members): boolean {
  const answered = members.id ?? null;
  return answered === id || (answered === null && isMembers(members.error));
}

/**
 * The messages that come for a request, up to its answer, or for a notification, which has none. An error that names no
 * request gets its id.
 * @throws CliError for a response without an answer, or one that is not the protocol's
 */
async function* readReceived(
  response: OpenResponse,
  id: Id | undefined,
  asked: Asked,
): AsyncGenerator<Received> {
  let isAnswered = id === undefined;
  for await (const { text, members } of readMembers(response, asked)) {
    const line = text.trim().replace(/[\r\n]+/g, " ");
    if ("method" in members) yield { line, isAnswer: false, result: undefined };
    else if (id !== undefined && !isAnswered && isAnswerTo(id, members)) {
      isAnswered = true;
      const own = (members.id ?? null) === id ? line : JSON.stringify({ ...members, id });
      yield { line: own, isAnswer: true, result: members.result };
    }
  }
  if (!isAnswered)
    throw new CliError(
      EXIT.noAnswer,
      `${asked.url.origin} answered ${response.status} without an answer to the message`,
      "Check SHIPSCORE_URL, and any proxy or portal on the way",
    );
}

/** Opens the way to the server's /mcp, and remembers the revision of the protocol that it agrees to. */
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

  /** Sends a message and hands on what comes back, in its order. @throws CliError, or the signal's reason */
  return async (
    message: Message,
    signal: AbortSignal,
    receive: (received: Received) => Promise<void>,
  ): Promise<void> => {
    const work = async (limited: AbortSignal) => {
      const response = await send(message, limited);
      const from = { url: baseUrl, language, now: now() };
      for await (const received of readReceived(response, message.id, from)) {
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
