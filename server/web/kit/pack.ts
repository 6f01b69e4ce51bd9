import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const MIN_LENGTH = 1400;

type Encoding = "br" | "gzip";

/** By RFC 9110, section 12.5.3. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  const accepted = new Set(
    (acceptEncoding ?? "")
      .toLowerCase()
      .split(",")
      .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
      .map((part) => part.split(";", 1)[0]?.trim()),
  );
  return (["br", "gzip"] as const).find((encoding) => accepted.has(encoding));
}

/** Undefined for a text too short to gain by compression. */
export async function pack(text: string, encoding: Encoding): Promise<Buffer | undefined> {
  if (text.length < MIN_LENGTH) return undefined;
  return encoding === "br" ? compressBrotli(text, BROTLI) : compressGzip(text);
}

/** Concurrent requests share the promise. A rejected one is removed. */
export function cachePromise<Value>(
  cache: Map<string, Promise<Value>>,
  key: string,
  create: () => Promise<Value>,
): Promise<Value> {
  const cached = cache.get(key);
  if (cached) return cached;
  const promise = create();
  cache.set(key, promise);
  promise.catch(() => cache.delete(key));
  return promise;
}

type Render = () => string | Promise<string>;

export interface TextCache {
  find(key: string, render: Render): Promise<string>;
  sendPacked(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    render: Render,
  ): Promise<FastifyReply>;
}

/** Never forgets a text, so no request may choose a key. */
export function createTextCache(): TextCache {
  const texts = new Map<string, Promise<string>>();
  const packed = new Map<string, Promise<Buffer | undefined>>();
  const find: TextCache["find"] = (key, render) => cachePromise(texts, key, async () => render());
  return {
    find,
    async sendPacked(request, reply, key, render) {
      const text = await find(key, render);
      const encoding = chooseEncoding(request.headers["accept-encoding"]);
      if (encoding === undefined) return reply.send(text);
      const body = await cachePromise(packed, `${key} ${encoding}`, () => pack(text, encoding));
      return body ? reply.header("content-encoding", encoding).send(body) : reply.send(text);
    },
  };
}
