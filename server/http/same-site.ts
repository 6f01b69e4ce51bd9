import type { FastifyRequest } from "fastify";
import { AppError } from "../base/errors.ts";
import { isForeignOrigin, type Own } from "./origin.ts";

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
