/** An HTTP response, whoever sent it. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export function findHeader({ headers }: HttpResponse, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Whole seconds of Retry-After; undefined when it is absent or a date. */
export function findRetryAfterS(response: HttpResponse): number | undefined {
  const text = findHeader(response, "retry-after");
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
