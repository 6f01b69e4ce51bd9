import { parseJson } from "../terminal/json.ts";

export type Id = string | number | null;

export interface Message {
  readonly text: string;
  /** Undefined if no answer is expected; null if the answer has no id. */
  readonly id: Id | undefined;
  readonly method: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
}

export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function findId({ id, ...members }: Members): Id | undefined {
  const isAnswer = !("method" in members) && ("result" in members || "error" in members);
  const isNotification = id === undefined && typeof members.method === "string";
  if (isAnswer || isNotification) return undefined;
  return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Undefined if the text is not JSON. The server validates the message. */
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

/** Lines end with CR, LF or both. */
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

/** An incomplete event is ignored. */
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
  /** Null for a line over 10 MB. */
  readonly text: string | null;
}

const MAX_KEPT_BYTES = 10_000_000;
const NEWLINE = 0x0a;

export async function* readLines(input: AsyncIterable<Buffer | string>): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let sizeBytes = 0;

  function add(part: Buffer): void {
    sizeBytes += part.length;
    if (sizeBytes > MAX_KEPT_BYTES) parts = [];
    else parts.push(part);
  }

  function finishLine(): Line {
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
      yield finishLine();
      start = end + 1;
    }
    add(bytes.subarray(start));
  }
  if (sizeBytes > 0) yield finishLine();
}
