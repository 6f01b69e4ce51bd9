import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { isUrl } from "../../shared/url.ts";
import { AppError } from "../base/errors.ts";
import { isLoopback } from "./listener.ts";

/** The settings that determine this server's origin. */
export type OriginConfig = Pick<Config, "publicUrl" | "tls" | "behindTlsProxy">;

/**
 * True if a page of another site sent the request, or a page with an unclear origin (`null`, empty, several). False without an Origin:
 * programs send none.
 */
export function isForeignOrigin({ headers }: IncomingMessage, config: OriginConfig): boolean {
  return headers.origin !== undefined && headers.origin !== findOwnOrigin(headers.host, config);
}

/** The origin of the public URL, otherwise the scheme and `Host` of the request. */
export function findOwnOrigin(host: string | undefined, config: OriginConfig): string | undefined {
  const scheme = config.tls || config.behindTlsProxy ? "https" : "http";
  const url = config.publicUrl ?? `${scheme}://${host ?? ""}`;
  return isUrl(url) ? new URL(url).origin : undefined;
}

/** True for a name that browsers resolve to their own machine. */
export const isLocalName = (hostname: string) => /(?:^|\.)localhost$/i.test(hostname);

/**
 * False if the Host is neither loopback nor the public URL's: then a page reached this server through DNS rebinding. True without a Host,
 * which browsers always send.
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
 * Returns the first hook of forms that change something for the signed-in user. It throws `form_foreign` unless the browser reports this
 * server's page as the sender, or no page.
 */
export const requireOwnPage = (config: OriginConfig) => async (request: FastifyRequest) => {
  const { origin, "sec-fetch-site": site } = request.headers;
  const isOwn =
    site === undefined
      ? origin !== undefined && !isForeignOrigin(request.raw, config)
      : site === "same-origin" || site === "none";
  if (!isOwn) throw new AppError("form_foreign", {});
};

/**
 * Returns the first hook of routes that change something for any visitor of a page. It throws `origin_foreign` for requests from pages of
 * other sites. Programs, which send neither Origin nor Sec-Fetch-Site, pass.
 */
export const refuseForeignPages = (config: OriginConfig) => async (request: FastifyRequest) => {
  const isCrossSite = request.headers["sec-fetch-site"]?.includes("cross-site");
  if (isCrossSite || isForeignOrigin(request.raw, config)) throw new AppError("origin_foreign", {});
};
