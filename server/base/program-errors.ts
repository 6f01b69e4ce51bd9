type Nothing = Readonly<Record<string, never>>;

export type NetworkSetting =
  | `SHIPSCORE_${"ALLOW" | "SCAN" | "ALERT"}_NETWORKS`
  | "SHIPSCORE_TRUSTED_PROXIES";

export type Hindrance =
  | { by: "migration" }
  | { by: "lock"; oldest: { pid: number; program: string; since: Date } | undefined };

export type MigrationStep = number | "table";

export type MigrationNotice =
  | { what: "waits"; step: MigrationStep; hindrance: Hindrance }
  | { what: "newer"; version: number; known: number };

/** What stops a command of the operator: its arguments, settings, files, addresses or database. */
export interface ProgramErrors {
  setting_invalid: Readonly<{ name: string; wanted: string }>;
  tls_file_missing: Nothing;
  tls_files_invalid: Nothing;
  mail_incomplete: Nothing;
  sign_up_without_mail: Nothing;
  second_factor_without_key: Nothing;
  /** A secret is to be sealed, or opened, and there is no key. */
  secret_key_missing: Nothing;
  /** A secret was sealed with another key. */
  secret_key_wrong: Nothing;
  /** `reason`: the system's error code, or `no key`. */
  secret_key_file_unusable: Readonly<{ file: string; reason: string }>;
  /** `reason`: the system's error code, `no_hashes` or `not_sorted`. */
  breached_passwords_unusable: Readonly<{ reason: string }>;
  network_invalid: Readonly<{ setting: NetworkSetting; entry: string }>;
  network_prefix_too_long: Readonly<{ setting: NetworkSetting; entry: string; maxBits: number }>;
  database_url_invalid: Readonly<{
    fault: "protocol" | "encoding" | "several_hosts" | "sslmode";
  }>;
  /** `parameter`: the parameter of DATABASE_URL that names the file. */
  database_url_file_unreadable: Readonly<{ parameter: string }>;
  port_invalid: Nothing;
  host_empty: Nothing;
  host_unknown: Readonly<{ host: string }>;
  tokens_in_the_clear: Readonly<{ host: string }>;
  /** `reason`: the system's error code, such as EADDRINUSE. */
  cannot_listen: Readonly<{ host: string; port: number; reason: string }>;
  cannot_listen_for_metrics: Readonly<{ host: string; port: number }>;
  command_not_found: Readonly<{ command: string }>;
  command_not_executable: Readonly<{ command: string }>;
  interrupted: Nothing;

  schema_unreleased: Nothing;
  schema_too_new: Readonly<{ version: number; servesFrom: number; known: number }>;
  /** `version` 0: the database has no schema yet. */
  schema_too_old: Readonly<{ version: number; known: number }>;
  /** `reason`: the database's message. */
  migration_failed: Readonly<{ step: MigrationStep; reason: string }>;
  migration_hindered: Readonly<{ step: MigrationStep; hindrance: Hindrance; minutes: number }>;

  data_dir_path_too_long: Readonly<{ dataDir: string; maxBytes: number }>;
  /** It holds no database, and the command begins none. */
  data_dir_empty: Readonly<{ dataDir: string }>;
  /** Nobody can be asked whether it is meant. */
  yes_missing: Nothing;
  /** It was asked, and the answer was not yes. */
  not_confirmed: Nothing;
  data_dir_held: Readonly<{ dataDir: string; command: string; pid: number; since: string }>;
  data_dir_changes_hands: Readonly<{ dataDir: string }>;
  /** `reason`: the system's error code, such as EROFS. */
  data_dir_unusable: Readonly<{ dataDir: string; reason: string }>;
  lock_library_missing: Readonly<{ platform: string }>;
  holder_silent: Nothing;
  holder_ended: Readonly<{ command: string; pid: number }>;
  holder_failed: Nothing;
  call_invalid: Nothing;
  operation_unknown: Readonly<{ name: string }>;
  /** `words`: the message of the process that holds the data directory, which may be another version. */
  refused_by_holder: Readonly<{ words: string }>;
  usage_by_holder: Readonly<{ words: string }>;

  /** `file`: as given; - for standard input. */
  file_not_found: Readonly<{ file: string }>;
  file_unreadable: Readonly<{ file: string; reason: string }>;
  /** `place`: the path of the member, empty for the whole file; `fault`: a sentence about it. */
  account_file_invalid: Readonly<{ file: string; place: string; fault: string }>;
  /** Two projects of one account have it. */
  project_name_twice: Readonly<{ name: string }>;
  evidence_not_json: Readonly<{ file: string }>;
  /** `place`: the path of the field, empty for the whole file; `fault`: the schema's message about it. */
  evidence_invalid: Readonly<{ file: string; place: string; fault: string }>;
  evidence_not_found: Readonly<{ checkId: string }>;
  ruleset_unknown: Readonly<{ version: string; known: readonly string[] }>;
  /** The file names this ruleset itself, and no other was asked for. */
  ruleset_of_file_unknown: Readonly<{ version: string; known: readonly string[] }>;
  language_unknown: Readonly<{ known: readonly string[] }>;
}
