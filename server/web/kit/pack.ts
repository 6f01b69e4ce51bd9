import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const MIN_LENGTH = 1400;

type Encoding = "br" | "gzip";

/** The better encoding that a client accepts, if any (RFC 9110, section 12.5.3). */
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

/** A text in an encoding; undefined where it is too short to gain by it. */
export async function pack(text: string, encoding: Encoding): Promise<Buffer | undefined> {
  if (text.length < MIN_LENGTH) return undefined;
  return encoding === "br" ? compressBrotli(text, BROTLI) : compressGzip(text);
}

/** Keeps a value from the moment it begins to be made, so that concurrent requests share it. A failed one is made again. */
export function cachePromise<Made>(
  kept: Map<string, Promise<Made>>,
  key: string,
  make: () => Promise<Made>,
): Promise<Made> {
  const known = kept.get(key);
  if (known) return known;
  const made = make();
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
}

type Render = () => string | Promise<string>;

/** Texts that are rendered once for each key, and packed once for each encoding. */
export interface TextCache {
  find(key: string, render: Render): Promise<string>;
  /** Sends the text in the encoding that the client likes best. */
  sendPacked(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    render: Render,
  ): Promise<FastifyReply>;
}

/** For pages that anybody may request as often as they like. No request may choose a key. */
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
