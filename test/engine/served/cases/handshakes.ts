import { createDiffieHellmanGroup } from "node:crypto";
import { issueSelfSigned } from "../../../harness/certificates.ts";
import * as der from "../../../harness/der.ts";
import { HOSTS } from "../good-site.ts";
import {
  type CertificateCase,
  DAY_MS,
  daysFromNow,
  type Outcomes,
  WEAK_TLS,
  NOTHING,
  all,
  allOfRequest,
  handshaken,
} from "../served-case.ts";

const TLS12 = { maxVersion: "TLSv1.2" } as const;
const RSA = { order: { key: "rsa2048" } } as const;

/** PEM of the parameters of a finite field of 1024 bits (RFC 2409, 6.2). */
const OAKLEY_2 = [
  "-----BEGIN DH PARAMETERS-----",
  der
    .sequence(
      der.integer(Buffer.concat([Buffer.alloc(1), createDiffieHellmanGroup("modp2").getPrime()])),
      der.integer(Uint8Array.of(2)),
    )
    .toString("base64")
    .replace(/.{64}/g, "$&\n"),
  "-----END DH PARAMETERS-----",
].join("\n");

const key = (keyType: string, keyBits: number | null, curve: string | null) => ({
  tls: { chainError: null, certificate: { keyType, keyBits, curve } },
});

/** The dates of a certificate that is valid for 90 days, so many of which are left. */
const daysLeft = (days: number) => ({
  order: { notBefore: daysFromNow(days - 90), notAfter: daysFromNow(days) },
});

const validFor = (days: number) => {
  const now = Date.now();
  return { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + (days - 1) * DAY_MS) };
};
const LONG = { order: validFor(399) };
const CBC_SHA256 = "ECDHE-RSA-AES128-SHA256";
/** No client here reads it. */
const STAPLE = Buffer.from("an OCSP response");
/** A server that has just started, and asks its authority only now. */
function stapleLater(): () => Buffer | null {
  let firstAt: number | undefined;
  return () => {
    firstAt ??= Date.now();
    return Date.now() - firstAt < 1900 ? null : STAPLE;
  };
}

const UNREACHED: Outcomes = {
  ...allOfRequest("blocked"),
  ...all("blocked", "tls."),
  ...all("unknown", "reach.soft404", "cors.", "seo.robots", "perf.http2"),
  ...all("fail", "reach.connect", "redir.host"),
};
const UNTRUSTED: Outcomes = { "tls.chain": "fail", "tls.intermediate": "blocked" };
const NO_PROTOCOL = { phase: "tls", code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" };
// OpenSSL 3.5 says SSL/TLS where earlier ones say SSLV3.
const handshakeFailure = process.version < "v22" ? "SSLV3" : "SSL/TLS";
const NO_CIPHER = { phase: "tls", code: `ERR_SSL_${handshakeFailure}_ALERT_HANDSHAKE_FAILURE` };

export const HANDSHAKE_CASES: readonly CertificateCase[] = [
  ...handshaken(NOTHING, {
    "good, rsa2048": [RSA, key("rsa", 2048, null)],
    "good, ecc256": [{}, key("ec", 256, "prime256v1")],
    "good, ecc384": [{ order: { key: "p384" } }, key("ec", 384, "secp384r1")],
    "399 days under a root that only this machine trusts": [
      LONG,
      { tls: { chainError: null, isPublic: false } },
    ],
    "398 days under a root of browsers": [
      { order: validFor(398), isPublic: true },
      { tls: { chainError: null, isPublic: true } },
    ],
    "CBC with SHA-256 before a suite that browsers take": [
      { ...RSA, tls: { ...TLS12, ciphers: `${CBC_SHA256}:ECDHE-RSA-AES128-GCM-SHA256` } },
      { tls: { cipher: "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256" } },
    ],
    "the curve P-521 before one that browsers take": [
      { tls: { ecdhCurve: "P-521:P-384" } },
      { tls: { keyExchange: { name: "secp384r1" } } },
    ],
    "Must-Staple with its response": [
      { order: { mustStaple: true }, staple: () => STAPLE },
      { tls: { isStapled: true, certificate: { mustStaple: true } } },
    ],
    "Must-Staple, and the response only two seconds later": [
      { order: { mustStaple: true }, staple: stapleLater() },
      { tls: { isStapled: true, certificate: { mustStaple: true } } },
    ],
    "no response, and no certificate that requires one": [
      {},
      { tls: { isStapled: false, certificate: { mustStaple: false } } },
    ],
    "dh1024 before a curve, which browsers take": [
      {
        ...RSA,
        tls: {
          ...TLS12,
          ciphers: "DHE-RSA-AES128-SHA:ECDHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0",
          dhparam: OAKLEY_2,
          honorCipherOrder: true,
        },
      },
      { tls: { keyExchange: { type: "ECDH" } } },
    ],
    cbc: [
      { ...RSA, tls: { ...TLS12, ciphers: "ECDHE-RSA-AES128-SHA" } },
      { tls: { keyExchange: { type: "ECDH" }, cipher: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA" } },
    ],
    "modern server, legacy probe": [
      { tls: { minVersion: "TLSv1.2" } },
      { tls: { protocol: "TLSv1.3" } },
    ],
    "a client certificate that is asked for and not needed": [
      { tls: { requestCert: true, rejectUnauthorized: false } },
      { failure: null },
    ],
  }),
  ...handshaken(
    { "tls.chain": "fail" },
    {
      "an Ed25519 key": [{ order: { key: "ed25519" } }, key("ed25519", null, null)],
      "an RSA-PSS key": [{ order: { key: "pss" } }, key("rsa-pss", 2048, null)],
      "a P-521 key": [{ order: { key: "p521" } }, key("ec", 521, "secp521r1")],
      "399 days under a root of browsers": [
        { ...LONG, isPublic: true },
        { tls: { chainError: null, isPublic: true } },
      ],
      "CBC with SHA-256 alone": [
        { ...RSA, tls: { ...TLS12, ciphers: CBC_SHA256 } },
        { tls: { cipher: "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256" } },
      ],
      "CBC with SHA-1 under an ECDSA key": [
        { tls: { ...TLS12, ciphers: "ECDHE-ECDSA-AES128-SHA" } },
        { tls: { cipher: "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA" } },
      ],
      "a key exchange over P-521 alone": [
        { tls: { ecdhCurve: "P-521" } },
        { tls: { keyExchange: { name: "secp521r1" } } },
      ],
    },
  ),
  [
    "CBC with SHA-256 alone, and a static exchange",
    { ...RSA, tls: { ...TLS12, ciphers: "AES128-SHA256" } },
    { tls: { cipher: "TLS_RSA_WITH_AES_128_CBC_SHA256", keyExchange: null } },
    { "tls.chain": "fail", "tls.strength": "partial static_exchange" },
  ],
  [
    "Must-Staple without a response",
    { order: { mustStaple: true } },
    { tls: { isStapled: false, certificate: { mustStaple: true } } },
    { "tls.strength": "partial staple" },
  ],
  ...handshaken(UNREACHED, {
    "a curve that browsers do not speak": [
      { order: { key: "secp256k1" } },
      { tls: null, failure: NO_CIPHER },
    ],
    "dh1024 alone, which browsers do not speak": [
      { ...RSA, tls: { ...TLS12, ciphers: "DHE-RSA-AES128-SHA@SECLEVEL=0", dhparam: OAKLEY_2 } },
      { tls: null, failure: NO_CIPHER },
    ],
    "dh2048 alone, which browsers do not speak either": [
      { ...RSA, tls: { ...TLS12, ciphers: "DHE-RSA-AES128-GCM-SHA256", dhparam: "auto" } },
      { tls: null, failure: NO_CIPHER },
    ],
    "null cipher": [
      { ...RSA, tls: { ...TLS12, ciphers: "NULL-SHA:@SECLEVEL=0" } },
      { tls: null, failure: NO_CIPHER },
    ],
    "client-cert-missing, which TLS 1.2 says within it": [
      { tls: { ...TLS12, requestCert: true, rejectUnauthorized: true } },
      { tls: null, failure: NO_CIPHER },
    ],
  }),
  ...handshaken(
    { ...UNREACHED, "tls.versions": "fail" },
    {
      "tls-v1-0 only": [
        { tls: { ...WEAK_TLS, minVersion: "TLSv1", maxVersion: "TLSv1" } },
        { tls: null, failure: NO_PROTOCOL },
      ],
      "tls-v1-1 only": [
        { tls: { ...WEAK_TLS, minVersion: "TLSv1.1", maxVersion: "TLSv1.1" } },
        { tls: null, failure: NO_PROTOCOL },
      ],
    },
  ),
  [
    "an RSA-PSS signature over SHA-256",
    { certificate: () => issueSelfSigned({ hosts: HOSTS, key: "pss" }) },
    { tls: { certificate: { signatureAlgorithm: "rsassaPss-SHA256" } } },
    UNTRUSTED,
  ],
  [
    "an RSA-PSS signature over SHA-1, which is what it leaves out",
    {
      certificate: () => issueSelfSigned({ hosts: HOSTS, key: "pss", digest: "sha1" }),
      tls: WEAK_TLS,
    },
    { tls: { certificate: { signatureAlgorithm: "rsassaPss-SHA1" } } },
    { ...UNTRUSTED, "tls.strength": "fail" },
  ],
  [
    "rsa1024",
    { order: { key: "rsa1024" }, tls: WEAK_TLS },
    key("rsa", 1024, null),
    { "tls.strength": "fail" },
  ],
  ["3 days of 90 left", daysLeft(3), { tls: { chainError: null } }, { "tls.expiry": "fail" }],
  [
    "10 days of 90 left",
    daysLeft(10),
    { tls: { chainError: null } },
    { "tls.expiry": "partial soon" },
  ],
  [
    "TLS 1.0 and 1.1 too",
    { tls: { minVersion: "TLSv1", ...WEAK_TLS } },
    { tls: { protocol: "TLSv1.3" } },
    { "tls.versions": "partial legacy" },
  ],
  [
    "static-rsa",
    { ...RSA, tls: { ...TLS12, ciphers: "AES128-SHA" } },
    { tls: { protocol: "TLSv1.2", keyExchange: null } },
    { "tls.strength": "partial static_exchange" },
  ],
  [
    "client-cert-missing, which TLS 1.3 says after the handshake",
    { tls: { requestCert: true, rejectUnauthorized: true } },
    {
      tls: { chainError: null },
      failure: { phase: "tls", code: "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED" },
    },
    { ...UNREACHED, ...all("pass", "tls."), "perf.http2": "pass" },
  ],
];
