import * as z from "zod";

export const RefusalCode = z.enum([
  "unparseable",
  "not_https",
  "userinfo",
  "characters",
  "too_long",
  "port",
  "private",
  "not_found",
  "dns_failure",
  "dns_timeout",
]);
export type RefusalCode = z.infer<typeof RefusalCode>;

/** This machine has no route to the address family, so no connection was tried. */
export const NO_ROUTE = "ERR_NO_ROUTE";

/** The request or the body took longer than the check waits. */
export const LATE = "ETIMEDOUT";

/** Why a visit was given up: the check's thread hung or crashed, or its code threw. */
export const GiveUpCode = z.enum(["hung", "crashed", "failed"]);
export type GiveUpCode = z.infer<typeof GiveUpCode>;

/**
 * Phase `http1`: the server refuses HTTP/1.1, or its HTTP/1.1 cannot be read, and browsers use HTTP/2 with it. The check
 * speaks only HTTP/1.1. In phase `guard`, `code` is a RefusalCode; in phase `check` (the visit was given up) a GiveUpCode. Otherwise it is
 * NO_ROUTE, or Node's or OpenSSL's code.
 */
export const Failure = z.object({
  phase: z.enum(["guard", "connect", "tls", "response", "body", "deadline", "http1", "check"]),
  code: z.string(),
  detail: z.string(),
});
export type Failure = z.infer<typeof Failure>;

/** Each of `sans` has the form `dns:name` or `ip:address`. */
export const Tls = z.object({
  host: z.string(),
  protocol: z.string(),
  cipher: z.string(),
  /**
   * Ephemeral key exchange; null for static RSA. `type` is Node's name: `ECDH`, `DH`, `TLSGroup` for a hybrid
   * (X25519MLKEM768), `unknown` if this version of Node gives none. `bits` is null if Node gives no size.
   */
  keyExchange: z
    .object({ type: z.string(), name: z.string().nullable(), bits: z.number().nullable() })
    .nullable(),
  /** Why Node does not trust the chain, without regard to the host name. Null if Node trusts the chain. */
  chainError: z.object({ code: z.string(), message: z.string() }).nullable(),
  chainLength: z.int(),
  /** Whether the chain leads to a root that browsers have, and not to one that only this machine trusts. */
  isPublic: z.boolean(),
  /**
   * The certificate that ends first, among those with which the server's own one leads to a root. Null if that is the
   * server's own one, or if Node does not trust the chain.
   */
  firstEnd: z
    .object({ subject: z.string(), notBefore: z.iso.datetime(), notAfter: z.iso.datetime() })
    .nullable(),
  /** False if the server lacks RFC 5746. */
  isRenegotiationSecure: z.boolean(),
  offersPostQuantum: z.boolean(),
  /** Null if the certificate is Must-Staple and a second handshake, made later, did not succeed. */
  isStapled: z.boolean().nullable(),
  certificate: z.object({
    subject: z.string(),
    issuer: z.string(),
    sans: z.array(z.string()),
    notBefore: z.iso.datetime(),
    notAfter: z.iso.datetime(),
    keyType: z.string(),
    keyBits: z.int().nullable(),
    curve: z.string().nullable(),
    signatureAlgorithm: z.string(),
    /**
     * Whether the certificate declares a URL (AIA) from which browsers download its issuer's certificate. Null if
     * unreadable.
     */
    namesIssuer: z.boolean().nullable(),
    mustStaple: z.boolean(),
    /** Whether its key usage, if it has one, allows the signature that an ephemeral key exchange needs. */
    maySign: z.boolean(),
  }),
});
export type Tls = z.infer<typeof Tls>;

/** A handshake that offers only TLS 1.0 and 1.1. */
export const LegacyTls = z.object({
  outcome: z.enum(["refused", "accepted", "unknown"]),
  protocol: z.string().nullable(),
  code: z.string().nullable(),
});

export const Alpn = z.object({
  outcome: z.enum(["h2", "http/1.1", "none", "unknown"]),
  code: z.string().nullable(),
});

/** The response headers that some rule reads: lower-cased names, in the order received, with duplicates. */
export const Headers = z.array(z.tuple([z.string(), z.string()]));
export type Headers = z.infer<typeof Headers>;

/** Faults in the syntax of an answer that browsers show anyway (RFC 9112). */
export const Oddity = z.enum([
  "status_line",
  "line_ends",
  "fold",
  "name",
  "no_colon",
  "control",
  "length",
  "length_and_chunks",
  "transfer_encoding",
  "chunk_size",
]);
export type Oddity = z.infer<typeof Oddity>;

/** `offersHttp2`: browsers use HTTP/2 with this server, so they do not get this answer. */
export const OddAnswer = z.object({
  url: z.string(),
  offersHttp2: z.boolean(),
  oddities: z.array(Oddity),
});
export type OddAnswer = z.infer<typeof OddAnswer>;

/** `status` is 0 if it does not have three digits. `tls` is null over http. */
export const Hop = z.object({
  url: z.string(),
  status: z.int(),
  address: z.string(),
  headers: Headers,
  tls: Tls.nullable(),
});
export type Hop = z.infer<typeof Hop>;

/** `too_many`: browsers give up here too. `unreached`: the visit had no time or no request left for this URL. */
export const Stop = z.object({
  url: z.string(),
  /** `headers`: browsers refuse the headers of the redirect itself. `failure` says why. */
  reason: z.enum(["downgrade", "loop", "too_many", "unreached", "refused", "headers"]),
  refusal: RefusalCode.nullable(),
});
export type Stop = z.infer<typeof Stop>;

/**
 * If `failure` and `stop` are null, the last hop is the answer. `failure` is the failure of the request after the last
 * hop. `tls` describes the last handshake, even if no answer followed the handshake.
 */
export const RedirectChain = z.object({
  hops: z.array(Hop),
  failure: Failure.nullable(),
  stop: Stop.nullable(),
  tls: Tls.nullable(),
});
export type RedirectChain = z.infer<typeof RedirectChain>;

/** `skipped`: the request was not sent, because no time or no requests were left. */
export const Answer = z.object({
  status: z.int().nullable(),
  headers: Headers,
  failure: Failure.nullable(),
  skipped: z.boolean(),
});
export type Answer = z.infer<typeof Answer>;
