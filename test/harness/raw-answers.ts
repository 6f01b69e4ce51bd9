import { createServer as createPlainServer } from "node:net";
import type { Server, Socket } from "node:net";
import { createServer } from "node:tls";
import { getAuthority, listen } from "./site.ts";

/** An HTTP/1 answer as bytes. Placeholders and the values of `chromium` are those of test/cases/http1.json. */
export interface RawAnswerCase {
  readonly name: string;
  readonly chromium: "shown" | "refused" | "text";
  readonly answer: string;
  /** Ends the connection after the answer. */
  readonly close?: boolean;
}

export const RAW_TEXT = `Tea shop. ${"Tea from eleven gardens. ".repeat(4000)}The end.`;
const BODY = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Tea</title></head><body><p>${RAW_TEXT}</p></body></html>`;
const HEADERS = [
  "Strict-Transport-Security: max-age=31536000; includeSubDomains",
  "X-Content-Type-Options: nosniff",
  "Referrer-Policy: strict-origin-when-cross-origin",
].join("\r\n");

export function fillAnswer(template: string): Buffer {
  const text = template
    .replaceAll(/\\x([\da-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll("{H}", HEADERS)
    .replaceAll("{HEX}", BODY.length.toString(16))
    .replaceAll("{LEN}", String(BODY.length))
    .replaceAll("{BODY}", BODY);
  return Buffer.from(text, "latin1");
}

export interface RawSite {
  port: number;
  close(): Promise<void>;
}

export interface RawSiteOptions {
  hosts?: readonly string[];
  /** Serves http, not https. */
  isPlain?: boolean;
  /** What the server takes of the client's ALPN. */
  protocols?: string[];
  onRequest?: (path: string) => void;
}

/** Answers `/NAME` with the bytes of the case, and other paths with 404. */
export async function startRawSite(
  cases: readonly RawAnswerCase[],
  { hosts = ["127.0.0.1"], isPlain = false, protocols, onRequest }: RawSiteOptions = {},
): Promise<RawSite> {
  const answers = new Map(
    cases.map(({ name, answer, close }) => [`/${name}`, { bytes: fillAnswer(answer), close }]),
  );
  const serve = (socket: Socket): void => {
    socket.on("error", () => socket.destroy());
    let received = "";
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      for (let end = received.indexOf("\r\n\r\n"); end >= 0; end = received.indexOf("\r\n\r\n")) {
        const [, path = ""] = received.slice(0, end).split(" ");
        received = received.slice(end + 4);
        onRequest?.(path);
        const answer = answers.get(path);
        socket.write(answer?.bytes ?? "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        if (answer?.close) socket.end();
      }
    });
  };
  const issued = await (await getAuthority()).issue({ hosts });
  const server: Server = isPlain
    ? createPlainServer(serve)
    : createServer({ ...issued, ...(protocols && { ALPNProtocols: protocols }) }, serve);
  const open = new Set<Socket>();
  const port = await listen(server, open);
  return {
    port,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
