import type { X509Certificate } from "node:crypto";
import {
  createSecureContext,
  DEFAULT_CIPHERS,
  type SecureContext,
  type SecureContextOptions,
  type TLSSocket,
} from "node:tls";
import { readCertificate } from "./certificate.ts";
import type { Tls } from "../evidence/evidence.ts";
import { oneLine } from "../syntax/one-line.ts";

const MAX_CHAIN_LENGTH = 10;
const MAX_MESSAGE_LENGTH = 200;

/** Those read last, by fingerprint and host: a server sends the same one over each of its connections. */
const certificates = new Map<string, Tls["certificate"]>();
const MAX_CERTIFICATES = 64;

/**
 * What browsers offer: curves, and no exchange over finite fields. Those of 10,000 bits, which a server may choose, would hold the
 * thread for seconds.
 */
const CURVES = "X25519:P-256:P-384:P-521";
const POST_QUANTUM = "X25519MLKEM768";
const NO_FINITE_FIELDS = "!kDHE";

/** Built once a process: parsing the roots for each connection would cost more than the rest of a check. */
export interface SecureContexts {
  modern: SecureContext;
  /** Offers TLS 1.0 and 1.1 alone. */
  legacy: SecureContext;
}

/** @param roots PEM certificates trusted instead of Node's own and those of NODE_EXTRA_CA_CERTS; for tests. */
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

/** OpenSSL has the post-quantum group from 3.5 on. */
function createContext(options: SecureContextOptions): SecureContext {
  try {
    return createSecureContext({ ...options, ecdhCurve: `${POST_QUANTUM}:${CURVES}` });
  } catch {
    return createSecureContext({ ...options, ecdhCurve: CURVES });
  }
}

/** What a finished handshake showed, and whether the connection is the host's beyond doubt. */
export interface Handshake {
  facts: Tls;
  trusted: boolean;
}

/** @param host the name or address that the certificate has to be of. Throws when the server sent no certificate. */
export function readHandshake(socket: TLSSocket, host: string, literal: boolean): Handshake {
  const certificate = socket.getPeerX509Certificate();
  if (certificate === undefined) throw new Error("the server sent no certificate");
  const cipher = socket.getCipher();
  const chainError = readChainError(socket);
  const facts = {
    host,
    protocol: socket.getProtocol() ?? "unknown",
    cipher: cipher.standardName ?? cipher.name,
    keyExchange: readKeyExchange(socket),
    chainError,
    chainLength: countChain(certificate),
    certificate: readOnce(certificate, host),
  };
  return { facts, trusted: chainError === null && isFor(certificate, host, literal) };
}

function readOnce(certificate: X509Certificate, host: string): Tls["certificate"] {
  const key = `${certificate.fingerprint256} ${host}`;
  const known = certificates.get(key);
  if (known) return known;
  if (certificates.size >= MAX_CERTIFICATES) certificates.clear();
  const facts = readCertificate(certificate, host);
  certificates.set(key, facts);
  return facts;
}

function isFor(certificate: X509Certificate, host: string, literal: boolean): boolean {
  const match = literal
    ? certificate.checkIP(host)
    : certificate.checkHost(host, { subject: "never", partialWildcards: false });
  return match !== undefined;
}

/**
 * Node's public `authorizationError` is the code alone, and for a weak digest that is UNSPECIFIED: only the handle's
 * own error says what is wrong. Where a Node has no such handle, the code stands for the message.
 */
function readChainError(socket: TLSSocket): Tls["chainError"] {
  const { authorizationError } = socket;
  if (!authorizationError) return null;
  const code = String(authorizationError);
  const handle: { verifyError?: () => Error | null } | null = Reflect.get(socket, "_handle");
  const message = handle?.verifyError?.()?.message ?? code;
  return { code, message: oneLine(message, MAX_MESSAGE_LENGTH) };
}

/** Every exchange of TLS 1.3 is ephemeral (RFC 8446, 1.2), and each of TLS 1.2 whose suite says so. */
function isEphemeral(socket: TLSSocket): boolean {
  return socket.getProtocol() === "TLSv1.3" || /DHE/.test(socket.getCipher().name);
}

/** Node names no exchange of two groups before 24, and gives none a size. */
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
