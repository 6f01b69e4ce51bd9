export interface RequestOptions {
  token?: string | undefined;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Sends a request to a server, with or without a token. A `body` that is no string is sent as JSON. */
export function sendRequest(
  serverUrl: string,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  const { token, method = "GET", body, headers = {}, signal } = options;
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return fetch(new URL(path, serverUrl), {
    method,
    headers: { ...json, ...authorization, ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
}

export const sendCheck = (
  serverUrl: string,
  token: string,
  url: string,
  options: RequestOptions = {},
): Promise<Response> =>
  sendRequest(serverUrl, "/api/v1/check", { token, method: "POST", body: { url }, ...options });
