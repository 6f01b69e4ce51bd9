import type { Quota } from "../shared/quota.ts";

type Nothing = Readonly<Record<string, never>>;
/** Of a code whose sentence is still written where it is thrown. */
type Sentence = Readonly<{ message: string }>;

/**
 * What can go wrong in a verb, whichever door it was called through, and what is to be said of it. The words are put at
 * each edge: `api/error-words.ts` in French, `operator/error-words.ts` in English.
 */
export interface ErrorParameters {
  unauthorized: Nothing;
  project_not_found: Nothing;
  route_not_found: Nothing;
  /** `askedAt`: by the database's clock. The check was not run, no slot was taken. */
  quota_exceeded: Readonly<{ quota: Quota; askedAt: Date }>;
  busy: Nothing;
  bad_request: Sentence;
  url_refused: Sentence;
  unavailable: Sentence;
  check_stopped: Sentence;
  refused_operation: Sentence;
  usage: Sentence;
}

export type ErrorCode = keyof ErrorParameters;

/** An expected failure, as a code and what its sentence needs; no secret is among the parameters. */
export class AppError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly code: Code;
  readonly parameters: ErrorParameters[Code];

  constructor(code: Code, parameters: ErrorParameters[Code], options?: ErrorOptions) {
    super("message" in parameters ? parameters.message : code, options);
    this.name = "AppError";
    this.code = code;
    this.parameters = parameters;
  }
}

/** True for an expected failure of one of these codes. */
export function isAppError<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is AppError<Code> {
  return error instanceof AppError && (codes as readonly ErrorCode[]).includes(error.code);
}
