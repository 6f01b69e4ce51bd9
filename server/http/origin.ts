import type { IncomingMessage } from "node:http";
import type { Config } from "../config.ts";
import { isUrl } from "../../shared/url.ts";

/** What tells this server's own origin. */
export type Own = Pick<Config, "publicUrl" | "tls" | "behindTlsProxy">;

/**
 * True if a page of another site sent the request, or a page whose origin cannot be told (`null`, empty, several).
 * False without an Origin: programs send none.
 */
export function isForeignOrigin({ headers }: IncomingMessage, config: Own): boolean {
  return headers.origin !== undefined && headers.origin !== findOwnOrigin(headers.host, config);
}

/** The origin of the public URL, else that of the scheme and `Host` by which the request came. */
export function findOwnOrigin(host: string | undefined, config: Own): string | undefined {
  const scheme = config.tls || config.behindTlsProxy ? "https" : "http";
  const url = config.publicUrl ?? `${scheme}://${host ?? ""}`;
  return isUrl(url) ? new URL(url).origin : undefined;
}
