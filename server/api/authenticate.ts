import type { FastifyRequest } from "fastify";
import { findFingerprint } from "../access/token.ts";
import { findCaller, type Read } from "../db/callers.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Of the request's token, once it has the form of one. */
    fingerprint: Buffer;
    /** The account behind the token; empty until the database has told. */
    accountId: string;
  }
  interface FastifyContextConfig {
    /** The route's one statement authenticates and reads: `answerRead` tells what came of it. */
    isRead?: true;
  }
}

const unauthorized = () => new AppError("unauthorized", {});

/**
 * The first thing that happens to a request, whatever its method, path and body: 401 without a valid token; then the 404
 * of what is no route, for which no body is waited for.
 */
export function createAuthentication(deps: Deps) {
  return async (request: FastifyRequest): Promise<void> => {
    const fingerprint = findFingerprint(request.raw.rawHeaders);
    if (fingerprint === undefined) throw unauthorized();
    request.fingerprint = fingerprint;
    if (request.routeOptions.config.isRead) return;
    const caller = await findCaller(deps.database.sql, fingerprint);
    if (caller === undefined) throw unauthorized();
    request.accountId = caller.accountId;
    if (request.is404) refuseRoute();
  };
}

export function refuseRoute(): never {
  throw new AppError("route_not_found", {});
}

/** Tells the three answers of a read apart: no caller, no such project, or what was found. */
export async function answerRead<Found>(
  request: FastifyRequest,
  reading: Promise<Read<Found> | undefined>,
): Promise<Found> {
  const read = await reading;
  if (read === undefined) throw unauthorized();
  request.accountId = read.accountId;
  if (read.found === undefined) throw new AppError("project_not_found", {});
  return read.found;
}
