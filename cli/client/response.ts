import { API_ERROR_CODES, type ApiErrorCode, ERROR_HEADER } from "../../shared/error-codes.ts";

/** The status and the headers of an HTTP response, whoever sent it. */
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

/**
 * Which error an answer is; undefined when it says none that this command knows. A server of 0.1.0 says `busy` alone, in a
 * header of its own.
 */
export function findErrorCode(response: HttpResponse): ApiErrorCode | undefined {
  const said = findHeader(response, ERROR_HEADER);
  const isBusy = findHeader(response, "x-shipscore-busy") !== undefined;
  return API_ERROR_CODES.find((code) => code === said) ?? (isBusy ? "busy" : undefined);
}
