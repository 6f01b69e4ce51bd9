import { constants, type X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { SecureContext, TLSSocket } from "node:tls";
import { createSecureContext, DEFAULT_CIPHERS, rootCertificates } from "node:tls";
import { readCertificate } from "./certificate.ts";
import { type ChainFacts, indexRoots, readChain, type Roots } from "./chain.ts";
import {
  BROWSER_CURVES,
  BROWSER_SIGNATURES,
  BROWSER_SUITES,
  POST_QUANTUM,
} from "../evidence/browser-offer.ts";
import type { Failure, Tls } from "../evidence/exchange.ts";
import { coversHost } from "../../base/syntax/certificate-names.ts";
import { oneLine } from "../../base/syntax/text.ts";

const MAX_CHAIN_LENGTH = 10;
const MAX_MESSAGE_LENGTH = 200;
const MAX_KNOWN = 2048;

/**
 * Elliptic curves, and no finite fields. A server could choose a finite field of 10,000 bits, which would block the
 * thread for seconds.
 */
const WIDE_CURVES = [...BROWSER_CURVES, "P-521"];
const WIDE_CIPHERS = `${DEFAULT_CIPHERS}:!kDHE`;
const LEGACY_CIPHERS = "DEFAULT:!kDHE:@SECLEVEL=0";

/**
 * What a handshake offers: the same as Chromium; the same, to a server without RFC 5746, which Chromium accepts and
 * OpenSSL refuses; more than any browser.
 */
export type Offer = "browser" | "unsafe" | "wide";

/** Built once per process, because parsing the roots for each connection would cost more than the rest of a check. */
export interface SecureContexts extends Record<Offer, SecureContext> {
  legacy: SecureContext;
  offersPostQuantum: boolean;
  roots: Roots;
  /**
   * The facts of the latest chains, by fingerprints and host. They are kept, because a server sends the same chain on
   * each connection.
   */
  known: Map<string, KnownChain>;
}

interface KnownChain {
  certificate: Tls["certificate"];
  chain?: ChainFacts;
}

export interface TrustOptions {
  /** PEM certificates trusted instead of Node's own and NODE_EXTRA_CA_CERTS; for tests. */
  roots?: readonly string[] | undefined;
  /** Those of `roots` that count as roots of browsers; for tests. */
  publicRoots?: readonly string[] | undefined;
}

export function createSecureContexts({
  roots,
  publicRoots = rootCertificates,
}: TrustOptions = {}): SecureContexts {
  const trust = roots && { ca: [...roots] };
  const offersPostQuantum = hasGroup(POST_QUANTUM);
  const join = (curves: readonly string[]): string =>
    [...(offersPostQuantum ? [POST_QUANTUM] : []), ...curves].join(":");
  const browser = {
    ...trust,
    ciphers: [...BROWSER_SUITES.keys()].join(":"),
    ecdhCurve: join(BROWSER_CURVES),
    sigalgs: BROWSER_SIGNATURES.join(":"),
  };
  const secureOptions = constants.SSL_OP_LEGACY_SERVER_CONNECT;
  return {
    browser: createSecureContext(browser),
    unsafe: createSecureContext({ ...browser, secureOptions }),
    wide: createSecureContext({
      ...trust,
      ciphers: WIDE_CIPHERS,
      ecdhCurve: join(WIDE_CURVES),
      secureOptions,
    }),
    legacy: createSecureContext({
      ca: [],
      minVersion: "TLSv1",
      maxVersion: "TLSv1.1",
      ciphers: LEGACY_CIPHERS,
      ecdhCurve: join(WIDE_CURVES),
      secureOptions,
    }),
    offersPostQuantum,
    roots: indexRoots(roots ?? [...rootCertificates, ...readExtraRoots()], new Set(publicRoots)),
    known: new Map(),
  };
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Node trusts these roots too, and lists them only since version 22. */
function readExtraRoots(): string[] {
  // oxlint-disable-next-line node/no-process-env -- Node reads this variable itself; it is no setting of ours.
  const file = process.env["NODE_EXTRA_CA_CERTS"];
  if (!file) return [];
  try {
    return readFileSync(file, "utf8").match(PEM_CERTIFICATE) ?? [];
  } catch {
    return [];
  }
}

/** OpenSSL has the post-quantum group since version 3.5. */
function hasGroup(name: string): boolean {
  try {
    createSecureContext({ ca: [], ecdhCurve: name });
    return true;
  } catch {
    return false;
  }
}

const UNSAFE_RENEGOTIATION = "ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED";
/** A wider offer changes nothing about these refusals. */
const FINAL = /NO_APPLICATION_PROTOCOL|BAD_ALPN|PROTOCOL_VERSION|CERTIFICATE_REQUIRED/;

/** Returns what to offer after a handshake that failed, or null if no other offer would succeed. */
export function findNextOffer(offer: Offer, { phase, code }: Failure): Offer | null {
  if (phase !== "tls" || offer === "wide" || FINAL.test(code)) return null;
  return offer === "browser" && code === UNSAFE_RENEGOTIATION ? "unsafe" : "wide";
}

/** `isStapled`: the server sent an OCSP response. */
export interface SecureConnection {
  socket: TLSSocket;
  offer: Offer;
  isStapled: boolean;
}

/** `trusted`: the certificate proves the host. */
export interface Handshake {
  trusted: boolean;
  /** The caller must read the facts while the connection is open. */
  readFacts(): Tls;
}

/** @throws Error if the server sent no certificate */
export function readHandshake(
  { socket, offer, isStapled }: SecureConnection,
  host: string,
  contexts: SecureContexts,
): Handshake {
  const sent = listSent(socket);
  const [leaf] = sent;
  if (leaf === undefined) throw new Error("the server sent no certificate");
  const cipher = socket.getCipher();
  const chainError = readChainError(socket);
  const known = findKnownChain(contexts, leaf, sent, host);
  let facts: Tls | undefined;
  return {
    trusted: chainError === null && coversHost(host, known.certificate.sans),
    readFacts: () =>
      (facts ??= {
        host,
        protocol: socket.getProtocol() ?? "unknown",
        cipher: cipher.standardName ?? cipher.name,
        keyExchange: readKeyExchange(socket),
        chainError,
        chainLength: sent.length,
        ...(chainError ? UNTRUSTED : (known.chain ??= readChain(sent, contexts.roots))),
        isRenegotiationSecure: offer !== "unsafe",
        offersPostQuantum: contexts.offersPostQuantum,
        isStapled,
        certificate: known.certificate,
      }),
  };
}

const UNTRUSTED: ChainFacts = { isPublic: false, firstEnd: null };

function findKnownChain(
  { known }: SecureContexts,
  leaf: X509Certificate,
  sent: readonly X509Certificate[],
  host: string,
): KnownChain {
  const key = [...sent.map(({ fingerprint256 }) => fingerprint256), host].join(" ");
  const found = known.get(key);
  if (found) return found;
  const facts = { certificate: readCertificate(leaf, host) };
  known.set(key, facts);
  const [oldest = ""] = known.keys();
  if (known.size > MAX_KNOWN) known.delete(oldest);
  return facts;
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

/** In the order in which the server sent them, its own first. */
function listSent(socket: TLSSocket): X509Certificate[] {
  const sent: X509Certificate[] = [];
  let next = socket.getPeerX509Certificate();
  for (; next && sent.length < MAX_CHAIN_LENGTH; next = next.issuerCertificate) sent.push(next);
  return sent;
}
