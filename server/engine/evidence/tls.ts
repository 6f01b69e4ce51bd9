import * as z from "zod";

/** The TLS connection and the certificate that the server sent; `sans` as `dns:name` or `ip:address`. */
export const Tls = z.object({
  host: z.string(),
  protocol: z.string(),
  cipher: z.string(),
  /**
   * Ephemeral key exchange; null for static RSA. `type` as Node names it: `ECDH`, `DH`, `TLSGroup` for a hybrid
   * (X25519MLKEM768), `unknown` if this version of Node names none. `bits` is null if Node gives no size.
   */
  keyExchange: z
    .object({ type: z.string(), name: z.string().nullable(), bits: z.number().nullable() })
    .nullable(),
  /** Why Node does not trust the chain, apart from the host name; null if it does. */
  chainError: z.object({ code: z.string(), message: z.string() }).nullable(),
  chainLength: z.int(),
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
     * Whether it says where its issuer's certificate is (AIA, caIssuers), which browsers then download; null if its
     * extensions could not be read.
     */
    namesIssuer: z.boolean().nullable(),
  }),
});
export type Tls = z.infer<typeof Tls>;

/** A handshake that offers only TLS 1.0 and 1.1. */
export const LegacyTls = z.object({
  outcome: z.enum(["refused", "accepted", "unknown"]),
  protocol: z.string().nullable(),
  code: z.string().nullable(),
});

/** Which of h2 and http/1.1 ALPN chose. */
export const Alpn = z.object({
  outcome: z.enum(["h2", "http/1.1", "none", "unknown"]),
  code: z.string().nullable(),
});
