import { parseJson } from "../terminal/json.ts";

/** The id of a JSON-RPC request, as it came. */
export type Id = string | number | null;

/** What a client sent: a request, a notification, the answer to a request, or something that is none of these. */
export interface Message {
  readonly text: string;
  /** Undefined where no answer is due; null where one is due whose id is unknown. */
  readonly id: Id | undefined;
  readonly method: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A message is answered unless it is a notification, or the answer to a request. */
function findId({ id, ...members }: Members): Id | undefined {
  const isAnswer = !("method" in members) && ("result" in members || "error" in members);
  const isNotification = id === undefined && typeof members.method === "string";
  if (isAnswer || isNotification) return undefined;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Reads a line of stdin; undefined if it is not JSON. Whether it is a good message is for the server to say. */
export function readMessage(text: string): Message | undefined {
  const value = parseJson(text);
  if (value === undefined) return undefined;
  if (!isMembers(value)) return { text, id: null, method: undefined, params: {} };
  const { method, params } = value;
  return {
    text,
    id: findId(value),
    method: typeof method === "string" ? method : undefined,
    params: isMembers(params) ? params : {},
  };
}
