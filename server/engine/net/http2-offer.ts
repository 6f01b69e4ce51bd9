import { openDeadline } from "./deadline.ts";
import { type Dialing, openSecurely } from "./dial.ts";
import type { HttpClient } from "./fetch.ts";
import type { Target } from "./guard.ts";

/** The answer has arrived, so it does not wait long for this. */
const TIMEOUT_MS = 2000;

/** Whether the server would speak HTTP/2 with a browser. Each origin is asked once. Never rejects. */
export function offersHttp2(
  client: HttpClient,
  dialing: Dialing,
  target: Target,
): Promise<boolean> {
  const { http2Offers } = client.connections;
  const { origin } = target.url;
  const offer = http2Offers.get(origin) ?? tryHttp2(client, dialing, target);
  http2Offers.set(origin, offer);
  return offer;
}

async function tryHttp2(client: HttpClient, dialing: Dialing, target: Target): Promise<boolean> {
  if (target.url.protocol !== "https:") return false;
  const permit = await client.connections.acquire(target, client.signal, true).catch(() => null);
  if (!permit) return false;
  const { signal, clear } = openDeadline(client.signal, TIMEOUT_MS);
  try {
    const { connection } = await openSecurely(target, ["h2", "http/1.1"], dialing, signal);
    connection.socket.destroy();
    return connection.socket.alpnProtocol === "h2";
  } catch {
    return false;
  } finally {
    clear();
    permit.release();
  }
}
