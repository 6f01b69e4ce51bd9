import type { FastifyInstance, FastifyRequest } from "fastify";
import { findCaller, NOBODY, type CallerRow, type Read } from "../db/callers.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";

/** Who asks. */
export interface Caller {
  /** What reads take. */
  readonly row: CallerRow;
  /** The account, once the database has told; empty before, and while nobody is known to ask. */
  readonly accountId: string;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** The route's one statement authenticates and reads: `answerRead` tells what came of it. */
    isRead?: true;
  }
}

/** What a credential among a request's headers, in pairs as they came, leads to; undefined without one of its kind. */
export type FindCaller = (rawHeaders: readonly string[]) => CallerRow | undefined;

const unauthorized = () => new AppError("unauthorized", {});

/** Gives every request a caller, nobody at first. */
export function decorateCaller(app: FastifyInstance): void {
  const nobody: Caller = { row: NOBODY, accountId: "" };
  app.decorateRequest("caller");
  app.addHook("onRequest", (request, _reply, done) => {
    request.caller = nobody;
    done();
  });
}

/**
 * The first thing that happens to a request of a door, whatever its method, path and body: `unauthorized` without a good
 * credential. A read is left to its statement.
 */
export function createAuthentication(deps: Deps, find: FindCaller) {
  return async (request: FastifyRequest): Promise<void> => {
    const row = find(request.raw.rawHeaders);
    if (row === undefined) throw unauthorized();
    request.caller = { row, accountId: "" };
    if (request.routeOptions.config.isRead) return;
    const known = await findCaller(deps.database.sql, row);
    if (known === undefined) throw unauthorized();
    request.caller = { row, accountId: known.accountId };
  };
}

/** Tells the three answers of a read apart: no caller, no such project, or what was found. */
export async function answerRead<Found>(
  request: FastifyRequest,
  reading: Promise<Read<Found> | undefined>,
): Promise<Found> {
  const read = await reading;
  if (read === undefined) throw unauthorized();
  request.caller = { row: request.caller.row, accountId: read.accountId };
  if (read.found === undefined) throw new AppError("project_not_found", {});
  return read.found;
}
