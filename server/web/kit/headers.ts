import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import { isLocalName } from "../../http/origin.ts";
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

declare module "fastify" {
  interface FastifyContextConfig {
    /** True for a page that is the same whoever is signed in. */
    isForEverybody?: boolean;
  }
}

/** A page is in its reader's language, and says whether they are signed in. */
const VARY = "Accept-Language, Cookie, Accept-Encoding";

const HSTS = { "strict-transport-security": "max-age=31536000" };

/**
 * The length of a packed page tells of its secrets whoever chose some of its text (BREACH): a form's answer repeats what
 * was typed, and each page of somebody who is signed in the query that another site led them there with.
 */
const mayLeakByLength = ({ method, headers, signedIn }: FastifyRequest): boolean =>
  method === "POST" || (signedIn !== undefined && headers["sec-fetch-site"] === "cross-site");

/** The hooks of every page: what browsers may do with it, and its packing on the way. */
export function addPageHooks(door: FastifyInstance, config: Config): void {
  const isSecure = config.tls !== undefined || config.behindTlsProxy;
  door.addHook("onRequest", ({ hostname }, reply, done) => {
    reply.headers(HEADERS);
    // It would bind what else listens on the ports of the reader's own machine.
    if (isSecure && !isLocalName(hostname)) reply.headers(HSTS);
    done();
  });
  door.addHook("onSend", async (request, reply, payload) => {
    if (!String(reply.getHeader("content-type")).startsWith("text/html")) return payload;
    const { isForEverybody } = request.routeOptions.config;
    const vary = isForEverybody ? VARY.replace("Cookie, ", "") : VARY;
    reply.header("vary", [reply.getHeader("vary"), vary].filter(Boolean).join(", "));
    if (request.signedIn !== undefined) reply.header("cache-control", "no-store");
    const encoding = chooseEncoding(request.headers["accept-encoding"]);
    if (
      encoding === undefined ||
      mayLeakByLength(request) ||
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
