import type { FastifyReply, FastifyRequest } from "fastify";
import { findFingerprint } from "../access/token.ts";
import { getCaller, unauthorized, type Caller } from "../db/callers.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";

/** The fingerprint of the request's token, or `unauthorized`; whether it is known is the database's to say. */
export function requireFingerprint(request: FastifyRequest): Buffer {
  const fingerprint = findFingerprint(request.raw.rawHeaders);
  if (fingerprint === undefined) throw unauthorized();
  return fingerprint;
}

/** The account behind the request's token, or `unauthorized`. */
export function authenticate(deps: Deps, request: FastifyRequest): Promise<Caller> {
  return getCaller(deps.database.sql, requireFingerprint(request));
}

const PROJECT_READ = /^\/api\/v1\/projects\/[^/?]*\/(?:incidents|last-ship)(?:\?|$)/;

/** Whatever no route takes: 401 without a valid token, else 404, for a project where only its id was unreadable. */
export function createNotFoundHandler(deps: Deps) {
  return async (request: FastifyRequest, _reply: FastifyReply): Promise<never> => {
    await authenticate(deps, request);
    const ofProject = request.method === "GET" && PROJECT_READ.test(request.raw.url ?? "");
    throw ofProject
      ? new AppError("project_not_found", "Projet introuvable.")
      : new AppError("route_not_found", "Route introuvable.");
  };
}
