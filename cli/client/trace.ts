import type { Io } from "../terminal/io.ts";
import type { Call } from "./http.ts";
import { findHeader, type ResponseHead } from "./response.ts";

/** Logs no token. Log lines are in English. */
export async function traceCall<T extends ResponseHead>(
  { io, isVerbose }: { readonly io: Pick<Io, "note">; readonly isVerbose: boolean },
  { method, url, headers }: Call,
  send: () => Promise<T>,
): Promise<T> {
  if (!isVerbose) return send();
  const credential = "authorization" in headers ? ", Authorization: Bearer ***" : "";
  await io.note(`> ${method} ${url.href}${credential}`);
  const start = performance.now();
  try {
    const response = await send();
    const id = findHeader(response, "x-request-id") ?? "none";
    const durationMs = Math.round(performance.now() - start);
    await io.note(`< ${response.status} in ${durationMs} ms, X-Request-Id: ${id}`);
    return response;
  } catch (error) {
    await io.note(`< ${String(error)}`);
    throw error;
  }
}
