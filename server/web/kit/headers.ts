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
    /** The page does not depend on the session. */
    isForEverybody?: boolean;
  }
}

/** A page depends on the reader's language and session. */
const VARY = "Accept-Language, Cookie, Accept-Encoding";

const HSTS = { "strict-transport-security": "max-age=31536000" };

/**
 * Whether compression could leak a secret of the page (BREACH). An attacker who chooses a part of its text learns the rest
 * from the compressed length. A form's response repeats the input; a signed-in user's page repeats the query, which the
 * linking site chooses.
 */
const mayLeakByLength = ({ method, headers, signedIn }: FastifyRequest): boolean =>
  method === "POST" || (signedIn !== undefined && headers["sec-fetch-site"] === "cross-site");

export function addPageHooks(door: FastifyInstance, config: Config): void {
  const isSecure = config.tls !== undefined || config.behindTlsProxy;
  door.addHook("onRequest", ({ hostname }, reply, done) => {
    reply.headers(HEADERS);
    // On a local name, HSTS would also bind other servers on other ports of the reader's machine.
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
