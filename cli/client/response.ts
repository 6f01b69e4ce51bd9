import { type ApiErrorCode, ERROR_HEADER, isApiErrorCode } from "../../shared/error-codes.ts";

export interface ResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface HttpResponse extends ResponseHead {
  readonly text: string;
}

export function findHeader({ headers }: ResponseHead, name: string): string | undefined {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

/** Whole seconds of Retry-After; undefined when it is absent or a date. */
export function findRetryAfterS(response: HttpResponse): number | undefined {
  const text = findHeader(response, "retry-after");
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** Which error an answer is; undefined when it says none that this command knows. */
export function findErrorCode(response: HttpResponse): ApiErrorCode | undefined {
  const said = findHeader(response, ERROR_HEADER);
  return said !== undefined && isApiErrorCode(said) ? said : undefined;
}
