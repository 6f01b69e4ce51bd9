import type { IncomingMessage } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Config } from "../config.ts";
import { isUrl } from "../../shared/url.ts";
import { AppError } from "../base/errors.ts";
import { isLoopback } from "./listener.ts";

export type OriginConfig = Pick<Config, "publicUrl" | "tls" | "behindTlsProxy">;

/** A page with an unclear origin (`null`, empty, several) also counts as foreign. Programs send no Origin. */
export function isForeignOrigin({ headers }: IncomingMessage, config: OriginConfig): boolean {
  return headers.origin !== undefined && headers.origin !== findOwnOrigin(headers.host, config);
}

export function findOwnOrigin(host: string | undefined, config: OriginConfig): string | undefined {
  const scheme = config.tls || config.behindTlsProxy ? "https" : "http";
  const url = config.publicUrl ?? `${scheme}://${host ?? ""}`;
  return isUrl(url) ? new URL(url).origin : undefined;
}

/** Browsers resolve these names to their own machine. */
export const isLocalName = (hostname: string) => /(?:^|\.)localhost$/i.test(hostname);

/** A foreign Host means that a page reached this server through DNS rebinding. Browsers always send a Host. */
export function isOwnHost(host: string | undefined, config: Pick<Config, "publicUrl">): boolean {
  if (host === undefined) return true;
  const url = `http://${host}`;
  if (!isUrl(url)) return false;
  const { hostname } = new URL(url);
  const isLocal = isLocalName(hostname) || isLoopback(hostname.replaceAll(/[[\]]/g, ""));
  return isLocal || hostname === (config.publicUrl && new URL(config.publicUrl).hostname);
}

/** Protects forms that change something for the signed-in user. The browser must report this server's page as the sender, or no page. */
export const requireOwnPage = (config: OriginConfig) => async (request: FastifyRequest) => {
  const { origin, "sec-fetch-site": site } = request.headers;
  const isOwn =
    site === undefined
      ? origin !== undefined && !isForeignOrigin(request.raw, config)
      : site === "same-origin" || site === "none";
  if (!isOwn) throw new AppError("form_foreign", {});
};

/** Protects routes that change something for any visitor of a page. Programs pass: they send neither Origin nor Sec-Fetch-Site. */
export const refuseForeignPages = (config: OriginConfig) => async (request: FastifyRequest) => {
  const isCrossSite = request.headers["sec-fetch-site"]?.includes("cross-site");
  if (isCrossSite || isForeignOrigin(request.raw, config)) throw new AppError("origin_foreign", {});
};
