import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { CredentialActor } from "../db/accounts/actors.ts";
import type { CallerRow, KnownAccount, Read } from "../db/accounts/callers.ts";
import { findCaller, getFound, NOBODY } from "../db/accounts/callers.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import type { Plan } from "../base/plans.ts";
import { waitWithClient } from "./requests.ts";

export interface Caller {
  readonly row: CallerRow;
  /** Undefined until the database has confirmed the credential. */
  readonly actor: CredentialActor | undefined;
  /** Undefined for an unconfirmed credential, and on routes marked `isRead`. */
  readonly plan?: Plan;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
    endRead: (() => void) | undefined;
  }
  interface FastifyContextConfig {
    /** The route authenticates and reads in one statement; `answerRead` handles its outcome. */
    isRead?: true;
  }
}

/** Runs before the request's body is read. */
export type FindCaller = (request: IncomingMessage) => CallerRow | undefined;

const unauthorized = () => new AppError("unauthorized", {});

export function decorateCaller(app: FastifyInstance): void {
  const nobody: Caller = { row: NOBODY, actor: undefined };
  app.decorateRequest("caller");
  app.decorateRequest("endRead");
  app.addHook("onSend", (request, _reply, _payload, done) => {
    endRead(request);
    done();
  });
  app.addHook("onRequest", (request, _reply, done) => {
    request.caller = nobody;
    done();
  });
}

/** Begins a read, which lasts until the answer is ready. Returns false for an unknown credential. Throws `too_many_reads`. */
export async function beginRead(
  { accountReads }: StoreDeps,
  request: FastifyRequest,
  row: CallerRow,
): Promise<boolean> {
  if (request.endRead !== undefined) return true;
  const left = new AppError("too_many_reads", {});
  request.endRead = await waitWithClient(request.raw, left, (signal) =>
    accountReads.begin(row, signal),
  );
  return request.endRead !== undefined;
}

export function endRead(request: FastifyRequest): void {
  request.endRead?.();
  request.endRead = undefined;
}

/**
 * The hook runs before anything else in a request is read. Throws `unauthorized` unless exactly one finder finds a credential, and that
 * credential is valid. Routes marked `isRead` check the credential in their own statement.
 */
export function createAuthentication(deps: Deps, finders: readonly FindCaller[]) {
  return async (request: FastifyRequest): Promise<void> => {
    const [row, ...others] = finders.flatMap((find) => find(request.raw) ?? []);
    if (row === undefined || others.length > 0) throw unauthorized();
    request.caller = { row, actor: undefined };
    if (request.routeOptions.config.isRead) {
      if (!(await beginRead(deps, request, row))) throw unauthorized();
      return;
    }
    const known = await findCaller(deps.database.sql, row);
    confirmCaller(request, known);
    request.caller = { ...request.caller, plan: known.plan };
  };
}

function confirmCaller(
  request: FastifyRequest,
  known: KnownAccount | undefined,
): asserts known is KnownAccount {
  const { row } = request.caller;
  if (known === undefined || row.by !== "token") throw unauthorized();
  request.caller = { row, actor: { by: row.by, accountId: known.accountId } };
}

/** The actor may be a token; a verb that takes a `Manager` therefore requires that `by` is `session`. */
export function getActor({ caller }: FastifyRequest): CredentialActor {
  if (caller.actor === undefined) throw unauthorized();
  return caller.actor;
}

/** Throws `unauthorized` without a caller, and `project_not_found` if nothing is visible to the caller. */
export async function answerRead<Found>(
  request: FastifyRequest,
  reading: Promise<Read<Found> | undefined>,
): Promise<Found> {
  const read = await reading;
  confirmCaller(request, read);
  return getFound(read);
}
