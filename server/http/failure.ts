import type { FastifyReply } from "fastify";
import { secondsToNextMonth } from "../checks/quota.ts";
import type { Deps } from "../deps.ts";
import { AppError, isAppError } from "../base/errors.ts";

/** When a client whose request was answered with 503 may send it again, if its error does not say. */
export const BUSY_SECONDS = 2;
/** When an account that reads too much at once may read again. */
export const READ_AGAIN_SECONDS = 1;

function findWait(status: number, error?: AppError): number | undefined {
  if (error && isAppError(error, "quota_exceeded"))
    return secondsToNextMonth(error.parameters.askedAt);
  if (error && isAppError(error, "too_many_reads")) return READ_AGAIN_SECONDS;
  const { retryAfterSeconds } = (error?.parameters ?? {}) as { retryAfterSeconds?: number };
  return retryAfterSeconds ?? (status === 503 ? BUSY_SECONDS : undefined);
}

/** Sets the status of the answer to a request that failed, and Retry-After if it may be sent again later. */
export function refuseWith(reply: FastifyReply, status: number, error?: AppError): FastifyReply {
  const seconds = findWait(status, error);
  if (seconds !== undefined) reply.header("retry-after", seconds);
  return reply.status(status);
}

/** A failed request's error: an unexpected one is `internal`, or `shutting_down` if the process is giving up. */
export function toRequestError(error: unknown, { stopping }: Deps): AppError {
  if (error instanceof AppError) return error;
  return new AppError(stopping.aborted ? "shutting_down" : "internal", {});
}
