/** The header in which every API error carries its code, for programs; the sentence in the body is for people. */
export const ERROR_HEADER = "X-Shipscore-Error";

/**
 * All codes, in the order of their statuses; `instructs` is true where the API's sentence already says what to do. Codes
 * that begin with `url_` are about the URL to be checked.
 */
export const API_ERRORS = {
  http_unreadable: { status: 400, instructs: false },
  body_empty: { status: 400, instructs: true },
  body_not_json: { status: 400, instructs: false },
  body_too_large: { status: 400, instructs: false },
  body_media_type: { status: 400, instructs: false },
  body_length_mismatch: { status: 400, instructs: false },
  body_cut_off: { status: 400, instructs: false },
  body_is_batch: { status: 400, instructs: true },
  body_not_an_object: { status: 400, instructs: false },
  body_url_invalid: { status: 400, instructs: false },
  body_preview_invalid: { status: 400, instructs: false },
  body_headers_invalid: { status: 400, instructs: false },
  idempotency_key_too_long: { status: 400, instructs: false },
  idempotency_key_reused: { status: 400, instructs: false },
  url_unparseable: { status: 400, instructs: true },
  url_not_https: { status: 400, instructs: true },
  url_userinfo: { status: 400, instructs: true },
  url_characters: { status: 400, instructs: true },
  url_too_long: { status: 400, instructs: true },
  url_port: { status: 400, instructs: true },
  url_private: { status: 400, instructs: true },
  url_not_found: { status: 400, instructs: true },
  url_dns_failure: { status: 400, instructs: true },
  url_dns_timeout: { status: 400, instructs: true },
  unauthorized: { status: 401, instructs: false },
  mcp_team_only: { status: 403, instructs: false },
  origin_foreign: { status: 403, instructs: true },
  host_foreign: { status: 403, instructs: true },
  project_not_found: { status: 404, instructs: false },
  route_not_found: { status: 404, instructs: false },
  method_not_allowed: { status: 405, instructs: false },
  http_timeout: { status: 408, instructs: false },
  http_headers_too_long: { status: 431, instructs: false },
  quota_exceeded: { status: 429, instructs: false },
  too_many_reads: { status: 429, instructs: true },
  internal: { status: 500, instructs: true },
  busy: { status: 503, instructs: true },
  unavailable: { status: 503, instructs: true },
  shutting_down: { status: 503, instructs: true },
  idempotency_key_running: { status: 503, instructs: true },
  too_many_refused: { status: 503, instructs: true },
  check_interrupted: { status: 503, instructs: true },
  check_stopped: { status: 503, instructs: false },
} as const satisfies Readonly<Record<string, { status: number; instructs: boolean }>>;
export type ApiErrorCode = keyof typeof API_ERRORS;

export const isApiErrorCode = (code: string): code is ApiErrorCode =>
  Object.hasOwn(API_ERRORS, code);

export const API_ERROR_CODES = Object.keys(API_ERRORS).filter(isApiErrorCode);

/** The codes of what the public scan refuses, besides those of the API, with their statuses; in the same header. */
export const SCAN_ERRORS = {
  scan_refused_by_owner: 403,
  scan_key_wrong: 403,
  scan_not_found: 404,
  scan_too_soon: 429,
  scan_visitor_bound: 429,
  scan_host_bound: 429,
  scan_proof_needed: 429,
  scan_queue_full: 503,
} as const;
export type ScanErrorCode = keyof typeof SCAN_ERRORS;

/** The codes of what a deployment hook refuses, besides those of the API, with their statuses; in the same header. */
export const HOOK_ERRORS = {
  hook_refused: 401,
  hook_body_too_large: 413,
  too_many_ships: 429,
} as const;
export type HookErrorCode = keyof typeof HOOK_ERRORS;
