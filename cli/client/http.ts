import type { IncomingMessage } from "node:http";
import { CliError } from "../terminal/errors.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { proxyError } from "./errors.ts";
import type { HttpResponse, ResponseHead } from "./response.ts";

export interface Call {
  readonly url: URL;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** `rejectUnauthorized: false` is for requests without secrets that only ask whether anything answers. */
export interface TlsOptions {
  readonly rejectUnauthorized?: boolean;
}

/** Sends one call and follows no redirect; the signal alone ends it. Made of Node's own client: undici takes 30 ms more. */
export type Send = (call: Call, signal: AbortSignal) => Promise<HttpResponse>;

/** A response whose body is still to come. */
export interface OpenResponse extends ResponseHead {
  readonly body: AsyncIterable<Buffer>;
}

/** As `Send`, but resolves once the headers are there; the signal ends the body too. */
export type SendOpen = (call: Call, signal: AbortSignal) => Promise<OpenResponse>;

const MAX_BODY_BYTES = 8_000_000;

async function decode(response: IncomingMessage, url: URL): Promise<AsyncIterable<Buffer>> {
  const coding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (coding === "identity") return response;
  const zlib = await import("node:zlib");
  const decoders = {
    gzip: zlib.createGunzip,
    "x-gzip": zlib.createGunzip,
    deflate: zlib.createInflate,
  };
  const createDecoder = decoders[coding as keyof typeof decoders];
  if (createDecoder === undefined)
    throw new CliError(
      EXIT.noAnswer,
      `${url.origin} sent an answer in the coding ${coding}, which nobody asked for`,
      "Check the proxy or portal on the way",
    );
  const decoder = createDecoder();
  response
    .once("error", (error) => decoder.destroy(error))
    .once("aborted", () => decoder.destroy());
  return response.pipe(decoder);
}

/** All that a stream has; undefined past so many bytes. */
export async function readBytes(
  stream: AsyncIterable<Buffer | string>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    sizeBytes += bytes.length;
    if (sizeBytes > maxBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** The whole body as text. @throws CliError 3 past 8 MB */
export async function readBody(body: AsyncIterable<Buffer>, url: URL): Promise<string> {
  const bytes = await readBytes(body, MAX_BODY_BYTES);
  if (bytes === undefined)
    throw new CliError(
      EXIT.noAnswer,
      `${url.origin} sent more than 8 MB`,
      "Check that SHIPSCORE_URL is a shipscore server",
    );
  return bytes.toString("utf8");
}

/** Opens the way to a server, through a proxy or directly, and loads what that takes. */
export async function openSend(proxy: URL | null, tls: TlsOptions = {}): Promise<Send> {
  const sendOpen = await openSendOpen(proxy, tls);
  return async (call, signal) => {
    const { status, headers, body } = await sendOpen(call, signal);
    return { status, headers, text: await readBody(body, call.url) };
  };
}

/** As `openSend`, for answers that are read as they come. */
export async function openSendOpen(proxy: URL | null, tls: TlsOptions = {}): Promise<SendOpen> {
  const agent = proxy && new (await import("https-proxy-agent")).HttpsProxyAgent(proxy);
  return async ({ url, method, headers, body }, signal) => {
    const { request } = await (url.protocol === "https:"
      ? import("node:https")
      : import("node:http"));
    const accepting = { "accept-encoding": "gzip", ...headers };
    const options = { method, headers: accepting, signal, ...tls, ...(agent && { agent }) };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const call = request(url, options);
      // Else what a proxy says in refusing would pass for the server's own answer.
      call.once("proxyConnect", ({ statusCode }: { readonly statusCode: number }) => {
        if (statusCode !== 200) call.destroy(proxyError(statusCode));
      });
      call.once("response", resolve).on("error", reject).end(body);
    });
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: await decode(response, url),
    };
  };
}
