import { openDeadline } from "./deadline.ts";
import { connectInTurn, performHandshake } from "./dial.ts";
import type { HttpClient } from "./fetch.ts";
import type { Target } from "./guard.ts";

/** The answer has arrived, so it does not wait long for this. */
const TIMEOUT_MS = 2000;

/** Whether the server would speak HTTP/2 with a browser. Each origin is asked once. Never rejects. */
export function offersHttp2(client: HttpClient, target: Target): Promise<boolean> {
  const { http2Offers } = client.connections;
  const { origin, protocol } = target.url;
  const known = http2Offers.get(origin);
  const offer =
    known ?? (protocol === "https:" ? tryHttp2(client, target) : Promise.resolve(false));
  http2Offers.set(origin, offer);
  return offer;
}

async function tryHttp2(client: HttpClient, target: Target): Promise<boolean> {
  const permit = await client.connections.acquire(target, client.signal, true).catch(() => null);
  if (!permit) return false;
  const { signal, clear } = openDeadline(client.signal, TIMEOUT_MS);
  try {
    client.onStep?.("connection");
    const offer = { context: client.secureContexts.modern, protocols: ["h2", "http/1.1"] };
    const socket = await performHandshake(
      await connectInTurn(target, signal),
      target,
      offer,
      signal,
    );
    socket.destroy();
    return socket.alpnProtocol === "h2";
  } catch {
    return false;
  } finally {
    clear();
    permit.release();
  }
}
