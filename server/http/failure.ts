import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";

/** When a client whose request was answered with 503 may send it again. */
export const RETRY_AFTER_SECONDS = 2;

/** A failed request's error. One that nobody expected is `internal`; or `shutting_down` if the process is giving up. */
export function toRequestError(error: unknown, { stopping }: Deps): AppError {
  if (error instanceof AppError) return error;
  return new AppError(stopping.aborted ? "shutting_down" : "internal", {});
}
