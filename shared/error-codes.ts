/** The header in which every API error carries its code, for programs; the sentence in the body is for people. */
export const ERROR_HEADER = "X-Shipscore-Error";

/** All codes, in the order of their statuses. Those that begin with `url_` are about the URL to be checked. */
export const API_ERROR_CODES = [
  // 400
  "http_unreadable",
  "body_empty",
  "body_not_json",
  "body_too_large",
  "body_media_type",
  "body_length_mismatch",
  "body_cut_off",
  "body_is_batch",
  "body_not_an_object",
  "body_url_invalid",
  "body_preview_invalid",
  "body_headers_invalid",
  "idempotency_key_too_long",
  "idempotency_key_reused",
  "url_unparseable",
  "url_not_https",
  "url_userinfo",
  "url_characters",
  "url_too_long",
  "url_port",
  "url_private",
  "url_not_found",
  "url_dns_failure",
  "url_dns_timeout",
  // 401
  "unauthorized",
  // 403
  "mcp_team_only",
  "origin_foreign",
  // 404
  "project_not_found",
  "route_not_found",
  // 405
  "method_not_allowed",
  // 408, 431
  "http_timeout",
  "http_headers_too_long",
  // 429
  "quota_exceeded",
  // 500
  "internal",
  // 503
  "busy",
  "unavailable",
  "shutting_down",
  "idempotency_key_running",
  "check_interrupted",
  "check_stopped",
] as const;
export type ApiErrorCode = (typeof API_ERROR_CODES)[number];

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
