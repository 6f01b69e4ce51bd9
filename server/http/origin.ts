import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { isUrl } from "../../shared/url.ts";
import { AppError } from "../base/errors.ts";
import { isLoopback } from "./listener.ts";

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

/** True for a name that browsers look for on their own machine alone. */
export const isLocalName = (hostname: string) => /(?:^|\.)localhost$/i.test(hostname);

/**
 * False if a request asks for a name that only a page which was led here by DNS would: neither loopback nor the public
 * URL's. True without a Host, which browsers always send.
 */
export function isOwnHost(host: string | undefined, config: Pick<Config, "publicUrl">): boolean {
  if (host === undefined) return true;
  const url = `http://${host}`;
  if (!isUrl(url)) return false;
  const { hostname } = new URL(url);
  const isLocal = isLocalName(hostname) || isLoopback(hostname.replaceAll(/[[\]]/g, ""));
  return isLocal || hostname === (config.publicUrl && new URL(config.publicUrl).hostname);
}

/**
 * Returns the first hook of forms that change something for whoever is signed in: it throws `form_foreign` unless the
 * browser says that a page of this server sent it, or that no page did.
 */
export const requireOwnPage = (config: Own) => async (request: FastifyRequest) => {
  const { origin, "sec-fetch-site": site } = request.headers;
  const isOwn =
    site === undefined
      ? origin !== undefined && !isForeignOrigin(request.raw, config)
      : site === "same-origin" || site === "none";
  if (!isOwn) throw new AppError("form_foreign", {});
};

/**
 * Returns the first hook of routes that change something for whoever opens a page: it throws `origin_foreign` for what
 * a page of another site sent. Programs, which send neither Origin nor Sec-Fetch-Site, pass.
 */
export const refuseForeignPages = (config: Own) => async (request: FastifyRequest) => {
  const isCrossSite = request.headers["sec-fetch-site"]?.includes("cross-site");
  if (isCrossSite || isForeignOrigin(request.raw, config)) throw new AppError("origin_foreign", {});
};
