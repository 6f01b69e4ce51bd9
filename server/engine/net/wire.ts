import { Socket } from "node:net";
import { RequestError } from "./failure.ts";

const MAX_INTERIM_BYTES = 32_768;
export const TOO_LONG = "ERR_ANSWER_TOO_LONG";
const PROTOCOL = "HTTP/1.";
const STATUS_END = "HTTP/1.1 100".length;
/** Matches any status 1xx except 101. After a 101, the connection no longer speaks HTTP. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d/;
const HEAD_END = "\r\n\r\n";

/**
 * Skips interim answers, as every client must (RFC 9110, 15.2). undici does not skip an unsolicited 100. The limits are
 * 32 KiB of interim answers, and `maxBytes` in total. Without limits, early hints and chunk extensions could continue
 * for as long as a request may last.
 */
export function watchAnswer(socket: Socket, maxBytes: number): void {
  let held = Buffer.alloc(0);
  let isBefore = true;
  let room = maxBytes;
  let interimRoom = MAX_INTERIM_BYTES;

  function end(code: string, detail: string): null {
    socket.destroy(new RequestError({ phase: "response", code, detail }));
    return null;
  }

  function skipInterim(): Buffer | null {
    while (held.length > 0) {
      if (!mayBeInterim(held)) {
        isBefore = false;
        return held;
      }
      const headEnd = held.indexOf(HEAD_END);
      const taken = headEnd < 0 ? held.length : headEnd + HEAD_END.length;
      if (taken > interimRoom) return end("ERR_INTERIM_ANSWERS", "too many interim answers");
      if (headEnd < 0) return null;
      interimRoom -= taken;
      held = held.subarray(taken);
    }
    return null;
  }

  socket.read = (size?: number): Buffer | null => {
    const bytes: Buffer | null = Socket.prototype.read.call(socket, size);
    if (bytes === null) return null;
    room -= bytes.length;
    if (room < 0) return end(TOO_LONG, "the answer takes too many bytes");
    if (!isBefore) return bytes;
    held = Buffer.concat([held, bytes]);
    return skipInterim();
  };
}

function mayBeInterim(bytes: Buffer): boolean {
  const start = bytes.toString("latin1", 0, STATUS_END);
  if (start.length === STATUS_END) return INTERIM.test(start);
  return PROTOCOL.startsWith(start.slice(0, PROTOCOL.length));
}
