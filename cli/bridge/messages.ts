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

const MAX_EVENT_LENGTH = 8_000_000;

/** Lines that end as those of an event stream do: with CR, LF or both. */
async function* readEventLines(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let isAfterCr = false;
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    if (text === "") continue;
    const lines = text.slice(isAfterCr && text.startsWith("\n") ? 1 : 0).split(/\r\n|\r|\n/);
    isAfterCr = text.endsWith("\r");
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? "";
    if (rest.length > MAX_EVENT_LENGTH) throw new Error("an event is too long");
    yield* lines;
  }
}

/** The data of each event of the type `message`; an event that is cut off is none. */
export async function* readEvents(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let data: string[] = [];
  let length = 0;
  let type = "message";
  for await (const line of readEventLines(body)) {
    if (line === "") {
      if (data.length > 0 && type === "message") yield data.join("\n");
      data = [];
      length = 0;
      type = "message";
      continue;
    }
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === "event") type = value || "message";
    if (field !== "data") continue;
    length += value.length;
    if (length > MAX_EVENT_LENGTH) throw new Error("an event is too long");
    data.push(value);
  }
}

export interface Line {
  readonly sizeBytes: number;
  /** Null for a line that is too long to be kept. */
  readonly text: string | null;
}

const MAX_KEPT_BYTES = 10_000_000;
const NEWLINE = 0x0a;

/** Reads lines as they come, the last one also without its end. Keeps only the size of a line that is too long. */
export async function* readLines(input: AsyncIterable<Buffer | string>): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let sizeBytes = 0;

  function add(part: Buffer): void {
    sizeBytes += part.length;
    if (sizeBytes > MAX_KEPT_BYTES) parts = [];
    else parts.push(part);
  }

  function take(): Line {
    const isKept = sizeBytes <= MAX_KEPT_BYTES;
    const line = {
      sizeBytes,
      text: isKept ? new TextDecoder().decode(Buffer.concat(parts)) : null,
    };
    parts = [];
    sizeBytes = 0;
    return line;
  }

  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      add(bytes.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(bytes.subarray(start));
  }
  if (sizeBytes > 0) yield take();
}
