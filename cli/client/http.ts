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

/** `rejectUnauthorized: false` is only for requests without secrets that test whether anything answers. */
export interface TlsOptions {
  readonly rejectUnauthorized?: boolean;
}

/** Follows no redirect, and ends only by the signal. It uses Node's own client: undici takes 30 ms more. */
export type Send = (call: Call, signal: AbortSignal) => Promise<HttpResponse>;

export interface OpenResponse extends ResponseHead {
  readonly body: AsyncIterable<Buffer>;
}

/** Resolves as soon as the headers have arrived. The signal also ends the body. */
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
      {
        fr: `${url.origin} a envoyé une réponse avec le codage ${coding}, que la commande n'accepte pas`,
        en: `${url.origin} sent a response in an encoding that the command does not accept: ${coding}`,
      },
      {
        fr: "Vérifiez s'il y a un proxy ou un portail captif entre vous et le serveur",
        en: "Check for a proxy or captive portal between you and the server",
      },
    );
  const decoder = createDecoder();
  response
    .once("error", (error) => decoder.destroy(error))
    .once("aborted", () => decoder.destroy());
  return response.pipe(decoder);
}

/** Undefined for more than `maxBytes`. */
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

export async function readBody(body: AsyncIterable<Buffer>, url: URL): Promise<string> {
  const bytes = await readBytes(body, MAX_BODY_BYTES);
  if (bytes === undefined)
    throw new CliError(
      EXIT.noAnswer,
      {
        fr: `${url.origin} a envoyé plus de 8 Mo`,
        en: `${url.origin} sent more than 8 MB`,
      },
      {
        fr: "Vérifiez que SHIPSCORE_URL est un serveur shipscore",
        en: "Check that SHIPSCORE_URL is a shipscore server",
      },
    );
  return bytes.toString("utf8");
}

export async function openSend(proxy: URL | null, tls: TlsOptions = {}): Promise<Send> {
  const sendOpen = await openSendOpen(proxy, tls);
  return async (call, signal) => {
    const { status, headers, body } = await sendOpen(call, signal);
    return { status, headers, text: await readBody(body, call.url) };
  };
}

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
      // Without this, the refusal of a proxy would look like the response of the server.
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
