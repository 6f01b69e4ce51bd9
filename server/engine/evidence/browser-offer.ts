/**
 * What Chromium offers in a handshake, from the same order of its own ClientHello. Firefox offers more: P-521, and ECDSA
 * with CBC and SHA-1.
 */

/** OpenSSL's names of the cipher suites, with their standard names (IANA). */
export const BROWSER_SUITES: ReadonlyMap<string, string> = new Map([
  ["TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"],
  ["TLS_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384"],
  ["TLS_CHACHA20_POLY1305_SHA256", "TLS_CHACHA20_POLY1305_SHA256"],
  ["ECDHE-ECDSA-AES128-GCM-SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"],
  ["ECDHE-RSA-AES128-GCM-SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"],
  ["ECDHE-ECDSA-AES256-GCM-SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"],
  ["ECDHE-RSA-AES256-GCM-SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"],
  ["ECDHE-ECDSA-CHACHA20-POLY1305", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"],
  ["ECDHE-RSA-CHACHA20-POLY1305", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"],
  ["ECDHE-RSA-AES128-SHA", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"],
  ["ECDHE-RSA-AES256-SHA", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA"],
  ["AES128-GCM-SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256"],
  ["AES256-GCM-SHA384", "TLS_RSA_WITH_AES_256_GCM_SHA384"],
  ["AES128-SHA", "TLS_RSA_WITH_AES_128_CBC_SHA"],
  ["AES256-SHA", "TLS_RSA_WITH_AES_256_CBC_SHA"],
]);

/** The curves of keys and of key exchanges, by their names in OpenSSL. A key cannot be on X25519. */
export const BROWSER_CURVES: readonly string[] = ["X25519", "prime256v1", "secp384r1"];
export const POST_QUANTUM = "X25519MLKEM768";

export const BROWSER_SIGNATURES: readonly string[] = [
  "ecdsa_secp256r1_sha256",
  "rsa_pss_rsae_sha256",
  "rsa_pkcs1_sha256",
  "ecdsa_secp384r1_sha384",
  "rsa_pss_rsae_sha384",
  "rsa_pkcs1_sha384",
  "rsa_pss_rsae_sha512",
  "rsa_pkcs1_sha512",
];
