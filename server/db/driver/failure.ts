import { DatabaseError } from "pg";
import { AppError } from "../../base/errors.ts";

/** SQLSTATEs caused by the server or by other transactions, not by the query. */
const OF_THE_SERVER = /^(?:08|28|53|57)|^(?:25006|25P03|25P04|3D000|40001|40P01|55P03|58030)$/;

/** No connection was available, or it ended before the answer arrived. */
export class ConnectionLost extends Error {}

/** `why` is only logged. */
export const unavailable = (why: string) =>
  new AppError("unavailable", {}, { cause: new Error(why) });

const hasCode = (error: unknown, codes: RegExp): error is DatabaseError =>
  error instanceof DatabaseError && codes.test(error.code ?? "");

export const isTaken = (error: unknown): boolean => hasCode(error, /^23505$/);

/** A serialization failure or a deadlock: a retry may succeed. */
export const isUndone = (error: unknown): boolean => hasCode(error, /^(?:40001|40P01)$/);

/** False for errors of the server and of result parsers: the connection can be used again. */
export const isOfConnection = (error: unknown): boolean =>
  ![DatabaseError, TypeError, SyntaxError, RangeError].some((known) => error instanceof known);

/** True if a statement failed because of a timeout or a lost connection: its connection must not be used again. */
export const isCut = (error: unknown): boolean =>
  isOfConnection(error) || hasCode(error, /^(?:08|57|25P03|25P04)/);

export const describeDatabaseError = (error: Error): string =>
  error instanceof DatabaseError ? `${error.code} ${error.message}` : error.message;

export const toUnavailable = (error: unknown): unknown =>
  error instanceof ConnectionLost || hasCode(error, OF_THE_SERVER)
    ? unavailable(describeDatabaseError(error))
    : error;

const isBecauseOf = (error: unknown, codes: RegExp) =>
  error instanceof AppError && error.cause instanceof Error && codes.test(error.cause.message);

/** A full or failing disk, a standby or a read-only session. The driver logs these itself. */
export const isWriteRefused = (error: unknown) => isBecauseOf(error, /^(?:53100|25006|58030) /);

export const isLockedOut = (error: unknown): boolean => isBecauseOf(error, /^(?:40P01|55P03) /);
