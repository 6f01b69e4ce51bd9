import { DatabaseError } from "pg";
import { AppError } from "../../base/errors.ts";

/** SQLSTATEs caused by the server or by other transactions rather than by the query. */
const OF_THE_SERVER = /^(?:08|28|53|57)|^(?:25006|25P03|25P04|3D000|40001|40P01|55P03|58030)$/;
/** A connection that the server ends, and a statement or transaction that it stops because of the time. */
const ENDED = /^(?:08|57|25P03|25P04)/;
/** A full disk, a standby or a session that may only read, and a disk that fails. */
const READ_ONLY = /^(?:53100|25006|58030)\b/;
/** Serialization failure and deadlock: the transaction was rolled back and another try may succeed. */
const UNDONE = /^(?:40001|40P01)$/;
const LOCKED_OUT = /^(?:40P01|55P03) /;

/** No connection was available, or it ended before the answer arrived. */
export class ConnectionLost extends Error {}

/** `why` is only logged. */
export const unavailable = (why: string) =>
  new AppError("unavailable", {}, { cause: new Error(why) });

const hasCode = (error: unknown, codes: RegExp): error is DatabaseError =>
  error instanceof DatabaseError && codes.test(error.code ?? "");

/** True for a value that must be unique and is not. */
export const isTaken = (error: unknown): boolean => hasCode(error, /^23505$/);
export const isReadOnlyError = (error: unknown) => hasCode(error, READ_ONLY);
export const isUndone = (error: unknown): boolean => hasCode(error, UNDONE);

/** The server's own errors, and those of a parser of results: the connection can be used. */
const HARMLESS = [DatabaseError, TypeError, SyntaxError, RangeError];
export const isOfConnection = (error: unknown): boolean =>
  !HARMLESS.some((known) => error instanceof known);

/** True if a statement failed by time or by a cut: nothing more may be sent over its connection. */
export const isCut = (error: unknown): boolean => isOfConnection(error) || hasCode(error, ENDED);

/** The message of an error, after its SQLSTATE if it has one. */
export const describeError = (error: Error): string =>
  error instanceof DatabaseError ? `${error.code} ${error.message}` : error.message;

/**
 * Turns errors that are not the query's fault into `unavailable`, with the server's message as cause; returns others
 * unchanged.
 */
export const toAppError = (error: unknown): unknown =>
  error instanceof ConnectionLost || hasCode(error, OF_THE_SERVER)
    ? unavailable(describeError(error))
    : error;

const isBecauseOf = (error: unknown, codes: RegExp) =>
  error instanceof AppError && error.cause instanceof Error && codes.test(error.cause.message);

/** True for an `unavailable` of a database that could not write; the driver logs these itself. */
export const isWriteRefused = (error: unknown): boolean => isBecauseOf(error, READ_ONLY);

/** True for an `unavailable` caused by another transaction's lock. */
export const isLockedOut = (error: unknown): boolean => isBecauseOf(error, LOCKED_OUT);
