/** What can go wrong in a verb, whichever door it was called through. Each edge translates the code once. */
export type ErrorCode =
  | "bad_request"
  | "url_refused"
  | "unauthorized"
  | "project_not_found"
  | "route_not_found"
  | "quota_exceeded"
  | "busy"
  | "unavailable"
  | "check_stopped"
  | "refused_operation"
  | "usage";

/** An expected failure; `message` is written for the person who reads it. */
export class AppError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AppError";
    this.code = code;
  }
}
