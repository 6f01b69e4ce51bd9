import type { X509Certificate } from "node:crypto";
import type { SecureContext, SecureContextOptions, TLSSocket } from "node:tls";
import { createSecureContext, DEFAULT_CIPHERS } from "node:tls";
import { readCertificate } from "./certificate.ts";
import type { Tls } from "../evidence/exchange.ts";
import { oneLine } from "../../base/syntax/text.ts";

const MAX_CHAIN_LENGTH = 10;
const MAX_MESSAGE_LENGTH = 200;

/**
 * The latest certificates, by fingerprint and host. They are cached, because a server sends the same one on each
 * connection.
 */
const certificates = new Map<string, Tls["certificate"]>();
const MAX_CERTIFICATES = 2048;

/**
 * The key exchanges that browsers offer: elliptic curves, and none over finite fields. A server could choose a finite
 * field of 10,000 bits, which would block the thread for seconds.
 */
const CURVES = "X25519:P-256:P-384:P-521";
const POST_QUANTUM = "X25519MLKEM768";
const NO_FINITE_FIELDS = "!kDHE";

/** Built once per process, because parsing the roots for each connection would cost more than the rest of a check. */
export interface SecureContexts {
  modern: SecureContext;
  legacy: SecureContext;
}

/** @param roots PEM certificates trusted instead of Node's own and NODE_EXTRA_CA_CERTS; for tests */
export function createSecureContexts(roots?: readonly string[]): SecureContexts {
  return {
    modern: createContext({
      ciphers: `${DEFAULT_CIPHERS}:${NO_FINITE_FIELDS}`,
      ...(roots && { ca: [...roots] }),
    }),
    legacy: createContext({
      ca: [],
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: `DEFAULT:${NO_FINITE_FIELDS}:@SECLEVEL=0`,
    }),
  };
}

/** OpenSSL has the post-quantum group since version 3.5. */
function createContext(options: SecureContextOptions): SecureContext {
  try {
    return createSecureContext({ ...options, ecdhCurve: `${POST_QUANTUM}:${CURVES}` });
  } catch {
    return createSecureContext({ ...options, ecdhCurve: CURVES });
  }
}

/** `trusted`: the certificate proves the host. */
export interface Handshake {
  trusted: boolean;
  /** The caller must read the facts while the connection is open. */
  readFacts(): Tls;
}

/** @throws Error if the server sent no certificate */
export function readHandshake(socket: TLSSocket, host: string, literal: boolean): Handshake {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) throw new Error("the server sent no certificate");
  const cipher = socket.getCipher();
  const chainError = readChainError(socket);
  let facts: Tls | undefined;
  return {
    trusted: chainError === null && provesHost(certificate, host, literal),
    readFacts: () =>
      (facts ??= {
        host,
        protocol: socket.getProtocol() ?? "unknown",
        cipher: cipher.standardName ?? cipher.name,
        keyExchange: readKeyExchange(socket),
        chainError,
        chainLength: countChain(certificate),
        certificate: readCachedCertificate(certificate, host),
      }),
  };
}

function readCachedCertificate(certificate: X509Certificate, host: string): Tls["certificate"] {
  const key = `${certificate.fingerprint256} ${host}`;
  const known = certificates.get(key);
  if (known) return known;
  const facts = readCertificate(certificate, host);
  certificates.set(key, facts);
  const [oldest = ""] = certificates.keys();
  if (certificates.size > MAX_CERTIFICATES) certificates.delete(oldest);
  return facts;
}

function provesHost(certificate: X509Certificate, host: string, literal: boolean): boolean {
  const match = literal
    ? certificate.checkIP(host)
    : certificate.checkHost(host, { subject: "never", partialWildcards: false });
  return match !== undefined;
}

/** Node's `authorizationError` is only a code, UNSPECIFIED for a weak digest. The internal handle has the message. */
function readChainError(socket: TLSSocket): Tls["chainError"] {
  const { authorizationError } = socket;
  if (!authorizationError) return null;
  const code = String(authorizationError);
  const handle: { verifyError?: () => Error | null } | null = Reflect.get(socket, "_handle");
  const message = handle?.verifyError?.()?.message ?? code;
  return { code, message: oneLine(message, MAX_MESSAGE_LENGTH) };
}

/** Key exchange is ephemeral in all of TLS 1.3 (RFC 8446, 1.2), and in TLS 1.2 if the suite says so. */
function isEphemeral(socket: TLSSocket): boolean {
  return socket.getProtocol() === "TLSv1.3" || /DHE/.test(socket.getCipher().name);
}

/** A hybrid key exchange has no name before Node 24, and never a size. */
function readKeyExchange(socket: TLSSocket): Tls["keyExchange"] {
  if (!isEphemeral(socket)) return null;
  const info: { type?: string; name?: string; size?: number } = socket.getEphemeralKeyInfo() ?? {};
  return { type: info.type ?? "unknown", name: info.name ?? null, bits: info.size ?? null };
}

function countChain(leaf: X509Certificate): number {
  let length = 0;
  let next: X509Certificate | undefined = leaf;
  for (; next && length < MAX_CHAIN_LENGTH; next = next.issuerCertificate) length++;
  return length;
}
