import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";

export interface Hosting {
  headers: Record<string, string>;
  hasCompression: boolean;
  hasCharset: boolean;
  /** The file that answers in place of a missing one, with its status. */
  missing?: { file: string; status: number };
}

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/vnd.microsoft.icon",
  ".jpg": "image/jpeg",
  ".js": "application/javascript; charset=utf-8",
  ".jsx": "text/jsx; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
};
const COMPRESSIBLE = /^(?:text|application)\/|svg/;
const DEPLOYED = "Sat, 03 Oct 2026 09:00:00 GMT";

export function serveFolder(folder: string, hosting: Hosting) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url ?? "/", "https://host.invalid");
    const file = findFile(folder, pathname);
    if (file !== undefined) return send(file, 200);
    const { missing } = hosting;
    if (missing) return send(join(folder, missing.file), missing.status);
    response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("Not found");

    function send(path: string, status: number): void {
      const bytes = readFileSync(path);
      const known = TYPES[extname(path).toLowerCase()] ?? "application/octet-stream";
      const type = hosting.hasCharset ? known : known.replace(/;.*/, "");
      const isCompressed = hosting.hasCompression && COMPRESSIBLE.test(type);
      const body = isCompressed ? gzipSync(bytes) : bytes;
      response.writeHead(status, {
        "content-type": type,
        "content-length": body.length,
        "last-modified": DEPLOYED,
        etag: `"${createHash("sha256").update(bytes).digest("hex").slice(0, 12)}"`,
        ...hosting.headers,
        ...(isCompressed && { "content-encoding": "gzip", vary: "Accept-Encoding" }),
      });
      if (request.method === "HEAD") response.end();
      else response.end(body);
    }
  };
}

function findFile(folder: string, path: string): string | undefined {
  const candidate = join(folder, normalize(decodePath(path)));
  const found = statSync(candidate, { throwIfNoEntry: false });
  if (found?.isFile()) return candidate;
  const index = join(candidate, "index.html");
  return found?.isDirectory() && statSync(index, { throwIfNoEntry: false }) ? index : undefined;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
