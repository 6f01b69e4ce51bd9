import { ERROR_HEADER } from "../../shared/errors.ts";

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

/** Undefined when it is absent or a date. */
export function findRetryAfterS(response: HttpResponse): number | undefined {
  const text = findHeader(response, "retry-after");
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** A newer server may have codes that this command does not know. */
export const findErrorCode = (response: HttpResponse): string | undefined =>
  findHeader(response, ERROR_HEADER);
