import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type {
  ConnectionOptions,
  DetailedPeerCertificate,
  SecureContext,
  TLSSocketOptions,
} from "node:tls";
import { connect as connectTls } from "node:tls";
import { elapsedMs, openDeadline } from "./deadline.ts";
import { NO_ROUTE } from "../evidence/exchange.ts";
import { failureOf, RequestError } from "./failure.ts";
import { isVettedAddress, type Target } from "./guard.ts";
import { findNextOffer, type Handshake, type Offer, readHandshake } from "./tls.ts";
import type { SecureConnection, SecureContexts } from "./tls.ts";

const TURN_MS = 1000;
const MAX_TURNS = 6;
/** The errors of a machine that has no route to an address. Routers between the machines also cause them. */
const UNREACHABLE: readonly string[] = ["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL"];

export interface Connection {
  socket: Socket;
  address: string;
  handshake: Handshake | null;
  connectMs: number;
  tlsMs: number | null;
}

/** Throws a RequestError, or any error once the signal has aborted. */
export async function dial(
  target: Target,
  dialing: Dialing,
  signal: AbortSignal,
): Promise<Connection> {
  if (target.url.protocol === "https:") return dialTls(target, dialing, signal);
  const { plain, address, connectMs } = await connectTimed(target, dialing, signal);
  return { socket: plain, address, handshake: null, connectMs, tlsMs: null };
}

/** How one visit or delivery opens its connections. */
export interface Dialing {
  contexts: SecureContexts;
  /** The offer that the visit's first handshake with each host ended with, so that the others begin with it. */
  offers: Map<string, Offer>;
  /** Called right before each connection. If the function throws, no connection is opened. */
  onConnect?: (() => void) | undefined;
}

async function connectTimed(target: Target, { onConnect }: Dialing, signal: AbortSignal) {
  onConnect?.();
  const startedAt = performance.now();
  const plain = await connectInTurn(target, signal);
  return { plain, address: plain.remoteAddress ?? "", connectMs: elapsedMs(startedAt) };
}

async function dialTls(target: Target, dialing: Dialing, signal: AbortSignal): Promise<Connection> {
  const { connection, ...timed } = await openSecurely(target, ["http/1.1"], dialing, signal);
  const { socket } = connection;
  try {
    const handshake = readHandshake(connection, target.host, dialing.contexts);
    return { ...timed, socket, handshake };
  } catch (error) {
    socket.destroy();
    throw new RequestError(failureOf(error, "tls"));
  }
}

interface TimedConnection extends Pick<Connection, "address" | "connectMs"> {
  connection: SecureConnection;
  tlsMs: number;
}

/** A server that refuses what browsers offer is offered more. If it refuses that too, throws its first refusal. */
export async function openSecurely(
  target: Target,
  protocols: string[],
  dialing: Dialing,
  signal: AbortSignal,
): Promise<TimedConnection> {
  const { contexts, offers } = dialing;
  const { host } = target.url;
  let offer = offers.get(host) ?? "browser";
  let refusal: unknown;
  for (;;) {
    const connecting = connectTimed(target, dialing, signal);
    const { plain, ...timed } = await connecting.catch((error: unknown) => {
      throw refusal ?? error;
    });
    const connectedAt = performance.now();
    try {
      const tls = { context: contexts[offer], protocols };
      const connection = { ...(await performHandshake(plain, target, tls, signal)), offer };
      offers.set(host, offer);
      return { ...timed, connection, tlsMs: elapsedMs(connectedAt) };
    } catch (error) {
      refusal ??= error;
      const next = findNextOffer(offer, failureOf(error, "tls"));
      if (next === null || signal.aborted) throw refusal;
      offer = next;
    }
  }
}

/** Tries the next address after a second of silence. Tries the silent address again once all others have failed. */
export async function connectInTurn(target: Target, signal: AbortSignal): Promise<Socket> {
  const addresses = target.addresses.slice(0, MAX_TURNS);
  const failures: unknown[] = [];
  let slow: string | undefined;
  for (const [index, address] of addresses.entries()) {
    const isLast = index === addresses.length - 1;
    const turn = openDeadline(signal, isLast ? undefined : TURN_MS);
    try {
      return await connectTo(target, address, turn.signal);
    } catch (error) {
      failures.push(error);
      if (turn.signal.aborted) slow = address;
    } finally {
      turn.clear();
    }
    if (signal.aborted) break;
  }
  if (slow !== undefined && !signal.aborted) return connectTo(target, slow, signal);
  throw chooseFailure(target, failures);
}

function failureCode(error: unknown): string {
  return failureOf(error, "connect").code;
}

/** Prefers an error from one address, because it says more than the lack of a route to another. */
function chooseFailure({ reachable }: Target, failures: readonly unknown[]): unknown {
  const definite = failures.find((failure) => !UNREACHABLE.includes(failureCode(failure)));
  if (definite !== undefined || reachable) return definite ?? failures.at(-1);
  const detail = failures.map(failureCode).join(", ");
  return new RequestError({ phase: "connect", code: NO_ROUTE, detail });
}

async function connectTo(target: Target, host: string, signal: AbortSignal): Promise<Socket> {
  const { port, protocol } = target.url;
  const defaultPort = protocol === "http:" ? 80 : 443;
  const socket = connect({ host, port: Number(port || defaultPort), noDelay: true });
  await waitForEvent(socket, "connect", signal);
  if (isVettedAddress(target, socket.remoteAddress)) return socket;
  socket.destroy();
  throw new RequestError({ phase: "guard", code: "private", detail: "connected elsewhere" });
}

/** Accepts any certificate; the rules assess it later. */
export async function performHandshake(
  plain: Socket,
  { host, literal }: Target,
  { context, protocols }: { context: SecureContext; protocols: string[] },
  signal: AbortSignal,
): Promise<Omit<SecureConnection, "offer">> {
  const options: ConnectionOptions & TLSSocketOptions = {
    socket: plain,
    secureContext: context,
    servername: literal ? "" : host,
    ALPNProtocols: protocols,
    rejectUnauthorized: false,
    requestOCSP: true,
    checkServerIdentity: () => undefined,
  };
  const socket = connectTls(options);
  // Without this replacement, Node reads the whole chain into objects to check names, which takes a tenth of the time
  // of a visit.
  socket.getPeerCertificate = () => ({}) as DetailedPeerCertificate;
  let isStapled = false;
  socket.on("OCSPResponse", (response: Buffer | null) => (isStapled = Boolean(response?.length)));
  await waitForEvent(socket, "secureConnect", signal);
  const { alpnProtocol } = socket;
  if (!alpnProtocol || protocols.includes(alpnProtocol)) return { socket, isStapled };
  socket.destroy();
  const detail = `the server chose ${alpnProtocol}, which was not offered`;
  const phase = alpnProtocol === "h2" ? "http1" : "tls";
  throw new RequestError({ phase, code: "ERR_SSL_BAD_ALPN", detail });
}

async function waitForEvent(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  socket.on("error", () => socket.destroy());
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.destroy();
    throw new RequestError(failureOf(error, event === "connect" ? "connect" : "tls"));
  }
}
