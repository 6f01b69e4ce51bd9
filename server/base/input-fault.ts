/** What can be wrong with a value that a person typed; used as the message of the schema's issue. */
export type InputFault =
  | "email_invalid"
  | `${"plan" | "provider" | "alert_kind" | "occasion" | "language" | "format"}_unknown`
  | "nothing_to_edit"
  | "quota_invalid"
  | "name_empty"
  | "name_too_long"
  | "name_has_controls"
  | "environment_invalid"
  | "label_invalid"
  | "hook_secret_invalid"
  | "answer_credential"
  | "answer_repository_invalid"
  | "answer_token_invalid"
  | "answer_key_invalid"
  | "answer_app_invalid"
  | "answer_api_invalid"
  | "answer_context_invalid"
  | "days_invalid"
  | "time_invalid"
  | "time_past"
  | "zone_missing"
  | "zone_unknown"
  | "weekday_unknown"
  | "hour_invalid"
  | "window_empty"
  | "note_invalid"
  | "interval_invalid"
  | "on_or_off"
  | "failures_invalid"
  | "after_invalid"
  | "remind_invalid"
  | "alert_label_invalid"
  | "target_not_on_stdin"
  | "file_name_twice"
  | "file_target_invalid"
  | "project_needs_url"
  | "hook_provider_stays"
  | "alert_kind_stays"
  | "alert_needs_target"
  | "target_variable_missing"
  | `preview_${"hosts_invalid" | "hosts_open" | "headers_invalid"}`
  | `gate_${"number_invalid" | "category_invalid" | "rule_unknown"}`
  | `accepted_${"rule_unknown" | "reason_invalid" | "until_invalid" | "page_invalid"}`
  | `status_${"name" | "title" | "url"}_invalid`;

/** A fault as the parameter of a schema's check. */
export const fault = (error: InputFault): { error: InputFault } => ({ error });
