import { parseJson } from "../client/api.ts";

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

function findId({ id, ...members }: Members): Id | undefined {
  if (typeof id === "string" || typeof id === "number") return "method" in members ? id : undefined;
  const isNotification = id === undefined && typeof members.method === "string";
  return isNotification ? undefined : null;
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
