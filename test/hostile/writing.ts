import type { Socket } from "node:net";

const DRIP_MS = 100;

/** The head of an answer, its lines in order. */
export function head(status: string, ...lines: string[]): string {
  return [`HTTP/1.1 ${status}`, ...lines, "", ""].join("\r\n");
}

/** A whole answer with its length. */
export function answerOf(body: string | Buffer, ...lines: string[]): Buffer {
  const bytes = Buffer.from(body);
  const type = lines.some((line) => /^content-type:/i.test(line))
    ? []
    : ["content-type: text/html; charset=utf-8"];
  return Buffer.concat([
    Buffer.from(head("200 OK", ...type, `content-length: ${bytes.length}`, ...lines), "latin1"),
    bytes,
  ]);
}

/** A redirect, its Location byte for byte. */
export function redirectTo(location: string | Buffer): Buffer {
  const start = Buffer.from("HTTP/1.1 302 Found\r\ncontent-length: 0\r\nlocation: ");
  return Buffer.concat([start, Buffer.from(location), Buffer.from("\r\n\r\n")]);
}

export const NOT_FOUND = head("404 Not Found", "content-length: 0");

/** Writes a start, then a drop every 100 ms for as long as anybody listens. */
export function drip(socket: Socket, start: string | Buffer, drop: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(drop), DRIP_MS);
  socket.once("close", () => clearInterval(timer));
}

/** Writes a start, then as much as the other side takes for as long as it listens. */
export function flood(socket: Socket, start: string | Buffer, more: string | Buffer): void {
  const bytes = typeof more === "string" ? Buffer.from(more, "latin1") : more;
  const pour = (): void => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.write(start);
  socket.on("drain", pour);
  pour();
}
