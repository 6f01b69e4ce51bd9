import { DatabaseError } from "pg";
import { AppError } from "../errors.ts";

/** SQLSTATEs that speak of the server, or of what others do in it, and not of the query. */
const OF_THE_SERVER = /^(?:08|28|53|57)|^(?:25006|25P03|25P04|3D000|40001|40P01|55P03)$/;
/** A serialization failure, a deadlock, and a statement that another query of the connection failed to prepare. */
const UNDONE = /^(?:40001|40P01|26000)$/;

/** There was no connection to be had, or it ended before the answer. */
export class ConnectionLost extends Error {}

/** `why` is for the log. */
export const unavailable = (why: string) =>
  new AppError("unavailable", {}, { cause: new Error(why) });

/** True when nothing was done and doing it again may succeed. */
export const isWorthAnotherTry = (error: unknown): boolean =>
  error instanceof DatabaseError && UNDONE.test(error.code ?? "");

/** `unavailable`, with the server's own word as its cause, for what is no fault of the query; other errors as they are. */
export function toAppError(error: unknown): unknown {
  if (error instanceof ConnectionLost) return unavailable(error.message);
  if (error instanceof DatabaseError && OF_THE_SERVER.test(error.code ?? ""))
    return unavailable(`${error.code} ${error.message}`);
  return error;
}

const LOCKED_OUT = /^(?:40P01|55P03) /;

/** True for an `unavailable` whose cause is a lock that others hold. */
export const isLockedOut = (error: unknown): boolean =>
  error instanceof AppError && error.cause instanceof Error && LOCKED_OUT.test(error.cause.message);
