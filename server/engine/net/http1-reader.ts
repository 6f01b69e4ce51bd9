import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { Failure, Oddity } from "../evidence/exchange.ts";
import { RequestError } from "./failure.ts";
import { MAX_HEAD_BYTES, MAX_INTERIM_BYTES, TOO_LONG } from "./wire.ts";

/**
 * Reads answers as Chromium does (HttpStreamParser, HttpResponseHeaders and HttpChunkedDecoder), so that the check
 * refuses no page that browsers show. It serves only answers that the strict parser refused.
 */
export interface ReadAnswer extends Head {
  /** Why browsers show an error page instead. */
  refusal: Failure | null;
  /** Throws a RequestError where the body breaks off. Bytes after the body are not read. */
  body: Readable;
}

interface Head {
  /** 0 for a status that does not have three digits. */
  status: number;
  /** Names and values alternate. A character is a byte. */
  rawHeaders: string[];
  /** Grows while the body is read. */
  oddities: Set<Oddity>;
}

export interface ReaderOptions {
  method: "GET" | "HEAD";
  /** Over TLS, a head without its end was perhaps cut by an attacker, so browsers refuse it. */
  isSecure: boolean;
  /** Of the whole answer, on the wire. */
  maxBytes: number;
}

/** Browsers cannot read these answers over HTTP/1, but HTTP/2 has no such syntax. */
export const FRAMING_CODES: readonly string[] = [
  "ERR_STATUS_LINE",
  "ERR_HEAD_END",
  "ERR_HEAD_SIZE",
  "ERR_HEAD_NUL",
  "ERR_LENGTHS",
  "ERR_CHUNKS",
];
const LF = 0x0a;
const CR = 0x0d;
const BLANKS = " \t";
/** Browsers skip up to 4 bytes before the status line. */
const MIN_START = 4 + "http".length;
const MAX_CHUNK_LINE_LENGTH = 16_384;
const MIN_PART_BYTES = 16_384;
const SWITCHING_PROTOCOLS = 101;
const BODILESS: readonly number[] = [204, 205, 304];
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const CONTROL = /[\x01-\x08\x0b\x0c\x0e-\x1f\x7f]/;

function refuse(code: string, detail: string): RequestError {
  return new RequestError({ phase: "response", code, detail });
}

export async function readAnswer(
  socket: Socket,
  { method, isSecure, maxBytes }: ReaderOptions,
): Promise<ReadAnswer> {
  const source = openSource(socket, maxBytes);
  const oddities = new Set<Oddity>();
  let interimRoom = MAX_INTERIM_BYTES;
  for (;;) {
    const bytes = await readHead(source, isSecure);
    const text = bytes.toString("latin1");
    const head = parseHead(text, oddities);
    const refusal = findRefusal(head, text);
    if (head.status >= 100 && head.status < 200 && !refusal) {
      if (head.status === SWITCHING_PROTOCOLS) oddities.add("status_line");
      interimRoom -= bytes.length;
      if (interimRoom < 0) throw refuse("ERR_INTERIM_ANSWERS", "too many interim answers");
      continue;
    }
    const hasBody = method !== "HEAD" && !BODILESS.includes(head.status);
    const body = hasBody ? readBody(source, head) : [];
    return { ...head, refusal, body: Readable.from(body, { objectMode: false }) };
  }
}

interface Source {
  /** Null at the end of the connection. */
  read(): Promise<Buffer | null>;
  /** Returns bytes to the source. */
  unread(bytes: Buffer): void;
}

function openSource(socket: Socket, maxBytes: number): Source {
  const chunks: AsyncIterator<Buffer> = socket.iterator({ destroyOnReturn: false });
  let kept: Buffer | null = null;
  let room = maxBytes;
  return {
    async read() {
      const bytes = kept;
      kept = null;
      if (bytes) return bytes;
      const next = await chunks.next();
      if (next.done) return null;
      room -= next.value.length;
      if (room < 0) throw refuse(TOO_LONG, "the answer takes too many bytes");
      return next.value;
    },
    unread(bytes) {
      kept = bytes.length > 0 ? bytes : null;
    },
  };
}

async function readHead(source: Source, isSecure: boolean): Promise<Buffer> {
  const head = createGrowingBuffer();
  const findEnd = createEndSearch();
  let start = -1;
  let searched = 0;
  for (;;) {
    const chunk = await source.read();
    if (chunk === null && head.bytes().length === 0)
      throw refuse("ERR_CLOSED", "the server closed the connection without a response");
    if (chunk === null && (start < 0 || isSecure))
      throw start < 0
        ? refuse("ERR_STATUS_LINE", "the response does not begin with HTTP")
        : refuse("ERR_HEAD_END", "the connection was closed within the headers");
    if (chunk === null) return head.bytes();
    head.append(chunk);
    const bytes = head.bytes();
    if (start < 0) start = findStart(bytes.toString("latin1", 0, MIN_START));
    if (start < 0 && bytes.length >= MIN_START)
      throw refuse("ERR_STATUS_LINE", "the response does not begin with HTTP");
    if (start < 0) continue;
    const end = findEnd(bytes, Math.max(start, searched));
    searched = bytes.length;
    if ((end < 0 ? bytes.length : end) > MAX_HEAD_BYTES)
      throw refuse("ERR_HEAD_SIZE", "the headers take more than 256 KiB");
    if (end < 0) continue;
    source.unread(bytes.subarray(end));
    return bytes.subarray(0, end);
  }
}

/** Doubles its space, because many small pieces would otherwise be copied again and again. */
function createGrowingBuffer() {
  let space = Buffer.alloc(4096);
  let length = 0;
  return {
    bytes: () => space.subarray(0, length),
    append(chunk: Buffer) {
      if (length + chunk.length > space.length)
        space = Buffer.concat([space.subarray(0, length)], 2 * (length + chunk.length));
      chunk.copy(space, length);
      length += chunk.length;
    },
  };
}

function findStart(text: string): number {
  return text.slice(0, MIN_START).toLowerCase().indexOf("http");
}

/** The head ends with LF LF or LF CR LF. */
function createEndSearch(): (bytes: Buffer, from: number) => number {
  let last = 0;
  let isAfterLf = false;
  return (bytes, from) => {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === LF && isAfterLf) return at + 1;
      if (byte === LF) isAfterLf = true;
      else if (byte !== CR || last !== LF) isAfterLf = false;
      last = byte;
    }
    return -1;
  };
}

const STATUS_LINE = /^HTTP\/(?:1\.[01]|0\.9|2\.0) \d{3}(?: |$)/;
const BARE_LINE_END = /(?:^|[^\r])\n|\r(?!\n)/;

function parseHead(text: string, oddities: Set<Oddity>): Head & { isChunkable: boolean } {
  const start = findStart(text);
  const [statusLine = "", ...lines] = text.slice(start).split(/[\r\n]+/);
  if (start > 0 || !STATUS_LINE.test(statusLine)) oddities.add("status_line");
  if (BARE_LINE_END.test(text.slice(start))) oddities.add("line_ends");
  const rawHeaders = joinFolded(lines, oddities).flatMap((line) => parseField(line, oddities));
  const { status, isChunkable } = parseStatusLine(statusLine);
  return { status, isChunkable, rawHeaders, oddities };
}

/** Without digits, browsers assume 200. */
function parseStatusLine(line: string): { status: number; isChunkable: boolean } {
  const space = line.indexOf(" ");
  const [, digits = ""] = space < 0 ? [] : (/^ *(\d*)/.exec(line.slice(space)) ?? []);
  const status = digits === "" ? 200 : digits.length === 3 ? Number(digits) : 0;
  const [, major = "0", minor = "0"] = /^http\/(\d)[^.]*\.(\d)/i.exec(line) ?? [];
  return { status, isChunkable: Number(`${major}${minor}`) >= 11 };
}

function joinFolded(lines: readonly string[], oddities: Set<Oddity>): string[] {
  const joined: string[] = [];
  let mayContinue = false;
  for (const line of lines.filter((each) => each !== "")) {
    const isFolded = mayContinue && BLANKS.includes(line[0] ?? "");
    if (isFolded) {
      oddities.add("fold");
      joined.push(`${joined.pop()} ${trimBlanks(line, { isEndKept: true })}`);
    } else {
      joined.push(line);
      mayContinue = /^[^ \t:][^:]*:/.test(line);
    }
  }
  return joined;
}

function parseField(line: string, oddities: Set<Oddity>): [] | [name: string, value: string] {
  const colon = line.indexOf(":");
  if (colon < 0) {
    oddities.add("no_colon");
    return [];
  }
  const name = trimBlanks(line.slice(0, colon));
  const isNamed = !BLANKS.includes(line[0] ?? "") && TOKEN.test(name);
  if (!isNamed || name.length < colon) oddities.add("name");
  if (!isNamed) return [];
  const value = trimBlanks(line.slice(colon + 1));
  if (CONTROL.test(value)) oddities.add("control");
  return [name, value];
}

/** A regular expression would take quadratic time at the end of a long value. */
function trimBlanks(text: string, { isEndKept = false } = {}): string {
  let start = 0;
  let end = text.length;
  while (start < end && BLANKS.includes(text[start] ?? "")) start++;
  while (!isEndKept && end > start && BLANKS.includes(text[end - 1] ?? "")) end--;
  return text.slice(start, end);
}

function listValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** Splits at commas outside quotes. A regular expression would take quadratic time for unpaired quotes. */
function splitList(value: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '"') isQuoted = !isQuoted;
    else if (isQuoted && value[at] === "\\") at++;
    else if (!isQuoted && value[at] === ",") {
      parts.push(value.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, value.slice(start)];
}

function listParts(rawHeaders: readonly string[], name: string): string[] {
  return listValues(rawHeaders, name)
    .flatMap(splitList)
    .map((part) => trimBlanks(part));
}

const isMixed = (values: readonly string[]): boolean => new Set(values).size > 1;

/** Finds why browsers refuse an answer that they can parse: its headers contradict each other. */
export function findContradiction(rawHeaders: readonly string[]): Failure | null {
  if (isMixed(listValues(rawHeaders, "location")))
    return refuse("ERR_LOCATIONS", "two Location headers differ").failure;
  if (isMixed(listParts(rawHeaders, "content-disposition")))
    return refuse("ERR_DISPOSITIONS", "two Content-Disposition headers differ").failure;
  return null;
}

type ParsedHead = ReturnType<typeof parseHead>;

function isChunked({ rawHeaders, isChunkable }: ParsedHead): boolean {
  const codings = listParts(rawHeaders, "transfer-encoding").map((part) => part.toLowerCase());
  return isChunkable && codings.includes("chunked");
}

function findRefusal(head: ParsedHead, text: string): Failure | null {
  if (text.includes("\0")) return refuse("ERR_HEAD_NUL", "the head contains a NUL byte").failure;
  const isRefused = !isChunked(head) && isMixed(listParts(head.rawHeaders, "content-length"));
  return isRefused
    ? refuse("ERR_LENGTHS", "two Content-Length headers differ").failure
    : findContradiction(head.rawHeaders);
}

function noteFraming({ rawHeaders, isChunkable, oddities }: ParsedHead): void {
  const lengths = listValues(rawHeaders, "content-length");
  const codings = listValues(rawHeaders, "transfer-encoding");
  if (lengths.length > 1 || (lengths[0] !== undefined && !/^\d{1,15}$/.test(lengths[0])))
    oddities.add("length");
  if (lengths.length > 0 && codings.length > 0) oddities.add("length_and_chunks");
  if (codings.length > 0 && !(isChunkable && codings.join().toLowerCase() === "chunked"))
    oddities.add("transfer_encoding");
}

function readBody(source: Source, head: ParsedHead): AsyncGenerator<Buffer> {
  noteFraming(head);
  if (isChunked(head)) return joinParts(readChunks(source, head.oddities));
  const [length = ""] = listParts(head.rawHeaders, "content-length");
  const isReadable = /^\d+$/.test(length) && BigInt(length.slice(0, 30)) < 2n ** 63n;
  return readLength(source, isReadable ? Number(length) : null);
}

/** Without a length, the body ends with the connection. */
async function* readLength(source: Source, length: number | null): AsyncGenerator<Buffer> {
  let left = length ?? Infinity;
  while (left > 0) {
    const bytes = await source.read();
    if (bytes === null && length === null) return;
    if (bytes === null) throw refuse("ERR_BODY_END", "the body is shorter than its Content-Length");
    const part = bytes.subarray(0, left);
    left -= part.length;
    yield part;
  }
}

/** Joins small chunks, because a million of one byte each would otherwise take seconds and 100 MB. */
async function* joinParts(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let joined = createGrowingBuffer();
  try {
    for await (const part of parts) {
      joined.append(part);
      if (joined.bytes().length < MIN_PART_BYTES) continue;
      yield joined.bytes();
      joined = createGrowingBuffer();
    }
  } catch (error) {
    if (joined.bytes().length > 0) yield joined.bytes();
    throw error;
  }
  if (joined.bytes().length > 0) yield joined.bytes();
}

async function* readChunks(source: Source, oddities: Set<Oddity>): AsyncGenerator<Buffer> {
  for (;;) {
    let left = parseChunkSize(await readLine(source, oddities), oddities);
    if (left === 0) break;
    while (left > 0) {
      const bytes = await readChunkBytes(source);
      const part = bytes.subarray(0, left);
      source.unread(bytes.subarray(part.length));
      left -= part.length;
      yield part;
    }
    if ((await readLine(source, oddities)) !== "")
      throw refuse("ERR_CHUNKS", "a chunk is longer than its size");
  }
  let trailerRoom = MAX_HEAD_BYTES;
  for (let line = "-"; line !== ""; trailerRoom -= line.length + 2) {
    if (trailerRoom < 0) throw refuse("ERR_BODY_END", "the trailers take more than 256 KiB");
    line = await readLine(source, oddities);
  }
}

async function readChunkBytes(source: Source): Promise<Buffer> {
  const bytes = await source.read();
  if (bytes === null) throw refuse("ERR_BODY_END", "the last chunk is missing");
  return bytes;
}

async function readLine(source: Source, oddities: Set<Oddity>): Promise<string> {
  let line = "";
  for (;;) {
    const bytes = await readChunkBytes(source);
    const end = bytes.indexOf(LF);
    line += bytes.toString("latin1", 0, end < 0 ? bytes.length : end);
    if (line.length > MAX_CHUNK_LINE_LENGTH)
      throw refuse("ERR_CHUNKS", "a line between chunks takes more than 16 KiB");
    if (end < 0) continue;
    source.unread(bytes.subarray(end + 1));
    if (!line.endsWith("\r")) oddities.add("line_ends");
    return line.replace(/\r$/, "");
  }
}

function parseChunkSize(line: string, oddities: Set<Oddity>): number {
  const [before = ""] = line.split(";", 1);
  const digits = /^([\da-fA-F]+) *$/.exec(before)?.[1] ?? "";
  const size = digits === "" ? NaN : Number(`0x${digits}`);
  if (!(size < 2 ** 63)) throw refuse("ERR_CHUNKS", "the size of a chunk cannot be read");
  if (digits.length < before.length) oddities.add("chunk_size");
  return size;
}
