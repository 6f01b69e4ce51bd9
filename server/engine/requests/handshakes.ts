import type { SecureContext, TLSSocket } from "node:tls";
import { openDeadline } from "../net/deadline.ts";
import { connectInTurn, performHandshake } from "../net/dial.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Failure } from "../evidence/exchange.ts";
import { failureOf } from "../net/failure.ts";
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
  const { legacy } = context.secureContexts;
  const result = await tryHandshake(context, target, legacy, [], (socket) => socket.getProtocol());
  if ("value" in result) return { outcome: "accepted", protocol: result.value, code: null };
  const { phase, code } = result.failure;
  const isRefused = phase === "tls" && code !== OWN_REFUSAL;
  return { outcome: isRefused ? "refused" : "unknown", protocol: null, code };
}

/** R10b (see `Evidence`). */
export async function probeAlpn(context: VisitContext, target: Target): Promise<Evidence["alpn"]> {
  const { modern } = context.secureContexts;
  const offer = ["h2", "http/1.1"];
  const result = await tryHandshake(
    context,
    target,
    modern,
    offer,
    (socket) => socket.alpnProtocol,
  );
  if ("failure" in result) return { outcome: "unknown", code: result.failure.code };
  const { value } = result;
  return { outcome: value === "h2" || value === "http/1.1" ? value : "none", code: null };
}

async function tryHandshake<T>(
  context: VisitContext,
  target: Target,
  secureContext: SecureContext,
  protocols: string[],
  read: (socket: TLSSocket) => T,
): Promise<{ value: T } | { failure: Failure }> {
  const late = { phase: "deadline", code: "ETIMEDOUT", detail: "" } as const;
  if (!(await context.budget.take())) return { failure: late };
  const permit = await context.connections.acquire(target, context.signal, true).catch(() => null);
  if (!permit) return { failure: late };
  const { signal, clear } = openDeadline(context.signal, REQUEST_TIMEOUT_MS);
  try {
    const plain = await connectInTurn(target, signal);
    const socket = await performHandshake(
      plain,
      target,
      { context: secureContext, protocols },
      signal,
    );
    const value = read(socket);
    socket.destroy();
    return { value };
  } catch (error) {
    return { failure: signal.aborted ? late : failureOf(error, "tls") };
  } finally {
    clear();
    permit.release();
  }
}
