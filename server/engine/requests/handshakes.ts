import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openDeadline } from "../net/deadline.ts";
import { connectInTurn, openSecurely, performHandshake } from "../net/dial.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { lacksStaple } from "../evidence/accessors.ts";
import type { Failure, RedirectChain } from "../evidence/exchange.ts";
import { failureOf } from "../net/failure.ts";
import { dialingOf } from "../net/fetch.ts";
import { REQUEST_TIMEOUT_MS } from "../../base/bounds.ts";
import type { Target } from "../net/guard.ts";
import type { VisitContext } from "./context.ts";

/** A local refusal, not the server's: this machine's OpenSSL is configured not to offer such versions. */
const OWN_REFUSAL = "ERR_SSL_NO_PROTOCOLS_AVAILABLE";

/** R10 (see `Evidence`). */
export async function probeLegacyTls(
  context: VisitContext,
  target: Target,
): Promise<Evidence["legacyTls"]> {
  const tls = { context: context.secureContexts.legacy, protocols: [] };
  const result = await tryHandshake(context, target, async (signal) => {
    const plain = await connectInTurn(target, signal);
    const { socket } = await performHandshake(plain, target, tls, signal);
    return { socket, value: socket.getProtocol() };
  });
  if ("value" in result) return { outcome: "accepted", protocol: result.value, code: null };
  const { phase, code } = result.failure;
  const isRefused = (phase === "tls" || phase === "http1") && code !== OWN_REFUSAL;
  return { outcome: isRefused ? "refused" : "unknown", protocol: null, code };
}

/** R10b (see `Evidence`). */
export async function probeAlpn(context: VisitContext, target: Target): Promise<Evidence["alpn"]> {
  const result = await tryHandshake(context, target, async (signal) => {
    const offer = ["h2", "http/1.1"];
    const { connection } = await openSecurely(target, offer, dialingOf(context), signal);
    return { socket: connection.socket, value: connection.socket.alpnProtocol };
  });
  if ("failure" in result) return { outcome: "unknown", code: result.failure.code };
  const { value } = result;
  return { outcome: value === "h2" || value === "http/1.1" ? value : "none", code: null };
}

const STAPLE_WAIT_MS = 2000;

/**
 * Asks again for the OCSP response that a certificate requires and that the server did not send. A server that has just
 * started may send it only later.
 */
export async function repeatStaples(
  context: VisitContext,
  page: RedirectChain,
  targets: readonly Target[],
): Promise<void> {
  const lacking = [...page.hops, page].flatMap(({ tls }) => (tls && lacksStaple(tls) ? [tls] : []));
  if (lacking.length === 0) return;
  await sleep(STAPLE_WAIT_MS, undefined, { signal: context.signal }).catch(() => undefined);
  for (const host of new Set(lacking.map((tls) => tls.host))) {
    const target = targets.find((one) => one.host === host);
    const isStapled = target ? await probeStaple(context, target) : null;
    for (const tls of lacking.filter((one) => one.host === host)) tls.isStapled = isStapled;
  }
}

async function probeStaple(context: VisitContext, target: Target): Promise<boolean | null> {
  const result = await tryHandshake(context, target, async (signal) => {
    const { connection } = await openSecurely(target, ["http/1.1"], dialingOf(context), signal);
    return { socket: connection.socket, value: connection.isStapled };
  });
  return "value" in result ? result.value : null;
}

interface OpenHandshake<T> {
  socket: Socket;
  value: T;
}

async function tryHandshake<T>(
  context: VisitContext,
  target: Target,
  open: (signal: AbortSignal) => Promise<OpenHandshake<T>>,
): Promise<{ value: T } | { failure: Failure }> {
  const late = { phase: "deadline", code: "ETIMEDOUT", detail: "" } as const;
  if (!(await context.budget.take())) return { failure: late };
  const permit = await context.connections.acquire(target, context.signal, true).catch(() => null);
  if (!permit) return { failure: late };
  const { signal, clear } = openDeadline(context.signal, REQUEST_TIMEOUT_MS);
  try {
    const { socket, value } = await open(signal);
    socket.destroy();
    return { value };
  } catch (error) {
    return { failure: signal.aborted ? late : failureOf(error, "tls") };
  } finally {
    clear();
    permit.release();
  }
}
