import type { AppError } from "../errors.ts";

/** What an operator is told of an expected failure, in English. */
export function describeError({ code, message }: AppError): string {
  if (code === "unavailable")
    return "The database does not answer. Check DATABASE_URL and that its server runs, then try again.";
  return message;
}
