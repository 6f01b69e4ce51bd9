import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AccountActor } from "../db/actors.ts";
import { findCaller, NOBODY, type CallerRow, type Read } from "../db/callers.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";

/** Who sent a request. */
export interface Caller {
  /** What reads take to find out who is calling. */
  readonly row: CallerRow;
  /** The account's id, once the database has confirmed it. */
  readonly accountId?: string;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** The route authenticates and reads in one statement; `answerRead` handles its outcome. */
    isRead?: true;
  }
}

/**
 * Finds the credential in a request's raw headers (names and values alternating); undefined without a credential of
 * that kind.
 */
export type FindCaller = (rawHeaders: readonly string[]) => CallerRow | undefined;

const unauthorized = () => new AppError("unauthorized", {});

/** Returns who acts in an authenticated request. A read has no actor: its own statement finds out who is calling. */
export function getActor({ caller }: FastifyRequest, by: "token" | "session"): AccountActor {
  const { accountId } = caller;
  if (accountId === undefined) throw new Error("The route has not authenticated its caller.");
  return { by, accountId };
}

/** Gives every request a caller, at first nobody. */
export function decorateCaller(app: FastifyInstance): void {
  const nobody: Caller = { row: NOBODY };
  app.decorateRequest("caller");
  app.addHook("onRequest", (request, _reply, done) => {
    request.caller = nobody;
    done();
  });
}

/**
 * Returns a door's first hook, which runs before anything of a request is looked at. Throws `unauthorized` without a
 * valid credential. Routes marked `isRead` check the credential in their own statement instead.
 */
export function createAuthentication(deps: Deps, find: FindCaller) {
  return async (request: FastifyRequest): Promise<void> => {
    const row = find(request.raw.rawHeaders);
    if (row === undefined) throw unauthorized();
    request.caller = { row };
    if (request.routeOptions.config.isRead) return;
    const known = await findCaller(deps.database.sql, row);
    if (known === undefined) throw unauthorized();
    request.caller = { row, accountId: known.accountId };
  };
}

/**
 * Returns what a read found. Throws `unauthorized` if there was no caller, and `project_not_found` if there was
 * nothing to see.
 */
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
