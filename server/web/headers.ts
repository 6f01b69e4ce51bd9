import type { FastifyInstance } from "fastify";
import type { Config } from "../config.ts";
import { chooseEncoding, pack } from "./pack.ts";
import { policyOf } from "./style.ts";

const HEADERS = {
  "content-security-policy": policyOf(),
  "x-content-type-options": "nosniff",
  // With no-referrer a form would be sent with the Origin `null`.
  "referrer-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

const HSTS = { "strict-transport-security": "max-age=31536000" };

/** The hooks of every page: what browsers may do with it, and its packing on the way. */
export function addPageHooks(door: FastifyInstance, config: Config): void {
  const headers = { ...HEADERS, ...((config.tls || config.behindTlsProxy) && HSTS) };
  door.addHook("onRequest", (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  door.addHook("onSend", async (request, reply, payload) => {
    const vary = reply.getHeader("vary");
    if (vary !== "Accept-Language") return payload;
    reply.header("vary", "Accept-Language, Accept-Encoding");
    const encoding = chooseEncoding(request.headers["accept-encoding"]);
    if (
      encoding === undefined ||
      typeof payload !== "string" ||
      reply.hasHeader("content-encoding")
    )
      return payload;
    const packed = await pack(payload, encoding);
    if (packed === undefined) return payload;
    reply.header("content-encoding", encoding).removeHeader("content-length");
    return packed;
  });
}
