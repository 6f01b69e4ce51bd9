import { Socket } from "node:net";
import { RequestError } from "./failure.ts";

export const MAX_INTERIM_BYTES = 32_768;
/** The head of an answer, as in Chromium. */
export const MAX_HEAD_BYTES = 262_144;
export const TOO_LONG = "ERR_ANSWER_TOO_LONG";
/** The head contains what undici accepts and browsers may refuse. */
export const ODD_HEAD = "ERR_ODD_HEAD";
const PROTOCOL = "HTTP/1.";
const STATUS_END = "HTTP/1.1 100".length;
/** Matches any status 1xx except 101, which undici refuses and browsers skip. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d/;
/** What browsers may refuse in the head of an interim answer. */
const CONTRADICTABLE = /\0|\n(?:location|content-disposition):/i;
const HEAD_END = "\r\n\r\n";

/**
 * Skips interim answers, as every client must (RFC 9110, 15.2). undici does not skip an unsolicited 100. The limits are
 * 32 KiB of interim answers, 256 KiB of headers, and `maxBytes` in total. Without limits, early hints and chunk
 * extensions could continue for as long as a request may last.
 */
export function watchAnswer(socket: Socket, maxBytes: number): void {
  let held = Buffer.alloc(0);
  let state: "interim" | "head" | "body" = "interim";
  let room = maxBytes;
  let interimRoom = MAX_INTERIM_BYTES;
  let headRoom = MAX_HEAD_BYTES;
  /** The last bytes of the head so far. */
  let tail = "";

  function end(code: string, detail: string): null {
    socket.destroy(new RequestError({ phase: "response", code, detail }));
    return null;
  }

  function skipInterim(): Buffer | null {
    while (held.length > 0) {
      if (!mayBeInterim(held)) {
        state = "head";
        return held;
      }
      const endAt = held.indexOf(HEAD_END);
      const taken = endAt < 0 ? held.length : endAt + HEAD_END.length;
      if (taken > interimRoom) return end("ERR_INTERIM_ANSWERS", "too many interim answers");
      if (endAt < 0) return null;
      const interim = held.toString("latin1", 0, taken);
      if (CONTRADICTABLE.test(interim)) return end(ODD_HEAD, "the interim answer may be refused");
      interimRoom -= taken;
      held = held.subarray(taken);
    }
    return null;
  }

  function watchHead(bytes: Buffer): Buffer | null {
    const seen = tail + bytes.toString("latin1");
    const at = seen.indexOf(HEAD_END);
    const head = at < 0 ? seen : seen.slice(0, at + HEAD_END.length);
    if (head.includes("\0")) return end(ODD_HEAD, "the head contains a NUL byte");
    headRoom -= head.length - tail.length;
    if (headRoom < 0) return end(ODD_HEAD, "the headers take more than 256 KiB");
    tail = head.slice(-(HEAD_END.length - 1));
    if (at >= 0) state = "body";
    return bytes;
  }

  socket.read = (size?: number): Buffer | null => {
    const bytes: Buffer | null = Socket.prototype.read.call(socket, size);
    if (bytes === null) return null;
    room -= bytes.length;
    if (room < 0) return end(TOO_LONG, "the answer takes too many bytes");
    if (state === "body") return bytes;
    if (state === "head") return watchHead(bytes);
    held = Buffer.concat([held, bytes]);
    const begun = skipInterim();
    return begun && watchHead(begun);
  };
}

function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString("latin1", 0, STATUS_END);
  if (start.length === STATUS_END) return INTERIM.test(start);
  return PROTOCOL.startsWith(start.slice(0, PROTOCOL.length));
}
