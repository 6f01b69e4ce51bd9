/** The header in which every API error carries its code, for programs; the sentence in the body is for people. */
export const ERROR_HEADER = "X-Shipscore-Error";

/**
 * All codes, in the order of their statuses; `instructs` is true where the API's sentence already says what to do. Codes
 * that begin with `url_` are about the URL to be checked.
 */
export const API_ERRORS = {
  // 400
  http_unreadable: { instructs: false },
  body_empty: { instructs: true },
  body_not_json: { instructs: false },
  body_too_large: { instructs: false },
  body_media_type: { instructs: false },
  body_length_mismatch: { instructs: false },
  body_cut_off: { instructs: false },
  body_is_batch: { instructs: true },
  body_not_an_object: { instructs: false },
  body_url_invalid: { instructs: false },
  body_preview_invalid: { instructs: false },
  body_headers_invalid: { instructs: false },
  idempotency_key_too_long: { instructs: false },
  idempotency_key_reused: { instructs: false },
  url_unparseable: { instructs: true },
  url_not_https: { instructs: true },
  url_userinfo: { instructs: true },
  url_characters: { instructs: true },
  url_too_long: { instructs: true },
  url_port: { instructs: true },
  url_private: { instructs: true },
  url_not_found: { instructs: true },
  url_dns_failure: { instructs: true },
  url_dns_timeout: { instructs: true },
  // 401
  unauthorized: { instructs: false },
  // 403
  mcp_team_only: { instructs: false },
  origin_foreign: { instructs: true },
  // 404
  project_not_found: { instructs: false },
  route_not_found: { instructs: false },
  // 405
  method_not_allowed: { instructs: false },
  // 408, 431
  http_timeout: { instructs: false },
  http_headers_too_long: { instructs: false },
  // 429
  quota_exceeded: { instructs: false },
  // 500
  internal: { instructs: true },
  // 503
  busy: { instructs: true },
  unavailable: { instructs: true },
  shutting_down: { instructs: true },
  idempotency_key_running: { instructs: true },
  check_interrupted: { instructs: true },
  check_stopped: { instructs: false },
} as const satisfies Readonly<Record<string, { instructs: boolean }>>;
export type ApiErrorCode = keyof typeof API_ERRORS;

export const isApiErrorCode = (code: string): code is ApiErrorCode =>
  Object.hasOwn(API_ERRORS, code);

export const API_ERROR_CODES = Object.keys(API_ERRORS).filter(isApiErrorCode);

/** The codes of what the public scan refuses, besides those of the API; in the same header. */
export type ScanErrorCode =
  // 403
  | "scan_refused_by_owner"
  | "scan_key_wrong"
  // 404
  | "scan_not_found"
  // 429
  | "scan_too_soon"
  | "scan_visitor_bound"
  | "scan_host_bound"
  | "scan_proof_needed"
  // 503
  | "scan_queue_full";

/** The codes of what a deployment hook refuses, besides those of the API; in the same header. */
export type HookErrorCode =
  // 401
  | "hook_refused"
  // 413
  | "hook_body_too_large";
