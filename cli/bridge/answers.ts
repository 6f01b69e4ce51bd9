import { parseJson } from "../terminal/json.ts";
import type { Asked } from "../client/api.ts";
import { readBody, type OpenResponse } from "../client/http.ts";
import { readError } from "../client/received.ts";
import { findRefusal, foreignResponseError } from "../client/errors.ts";
import { findHeader } from "../client/response.ts";
import { CliError } from "../terminal/errors.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { readEvents } from "./events.ts";
import { isMembers, type Id, type Members } from "./message.ts";

/** A message of the server, on one line. */
export interface Received {
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
export async function* readReceived(
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
