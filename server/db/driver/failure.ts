import { DatabaseError } from "pg";
import { AppError } from "../../base/errors.ts";

/** SQLSTATEs caused by the server or by other transactions rather than by the query. */
const OF_THE_SERVER = /^(?:08|28|53|57)|^(?:25006|25P03|25P04|3D000|40001|40P01|55P03|58030)$/;
/** A full disk, a standby or a session that may only read, and a disk that fails. */
const READ_ONLY = /^(?:53100|25006|58030)\b/;
/** Serialization failure, deadlock, and a statement that another query on the connection failed to prepare. */
const UNDONE = /^(?:40001|40P01|26000)$/;

/** No connection was available, or it ended before the answer arrived. */
export class ConnectionLost extends Error {}

/** `why` only goes to the log. */
export const unavailable = (why: string) =>
  new AppError("unavailable", {}, { cause: new Error(why) });

/** True for a value that must be unique and is not. */
export const isTaken = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "23505";

/** True if the database could not write. */
export const isReadOnlyError = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && READ_ONLY.test(error.code ?? "");

/** True if nothing was changed and another try may succeed. */
export const isWorthAnotherTry = (error: unknown): boolean =>
  error instanceof DatabaseError && UNDONE.test(error.code ?? "");

/**
 * Turns errors that are not the query's fault into `unavailable`, with the server's message as cause; returns others
 * unchanged.
 */
export function toAppError(error: unknown): unknown {
  if (error instanceof ConnectionLost) return unavailable(error.message);
  if (error instanceof DatabaseError && OF_THE_SERVER.test(error.code ?? ""))
    return unavailable(`${error.code} ${error.message}`);
  return error;
}

/** True for an `unavailable` of a database that could not write, which is in the log once. */
export const isWriteRefused = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof Error && READ_ONLY.test(error.cause.message);

const LOCKED_OUT = /^(?:40P01|55P03) /;

/** True for an `unavailable` caused by somebody else's lock. */
export const isLockedOut = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof Error && LOCKED_OUT.test(error.cause.message);
