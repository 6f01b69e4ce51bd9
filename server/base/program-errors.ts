export type NetworkSetting =
  | `SHIPSCORE_${"ALLOW" | "SCAN" | "ALERT"}_NETWORKS`
  | "SHIPSCORE_TRUSTED_PROXIES";

export type Blocker =
  | { by: "migration" }
  | { by: "lock"; oldest: { pid: number; program: string; since: Date } | undefined };

export type MigrationStep = number | "table";

export type MigrationNotice =
  | { what: "waits"; step: MigrationStep; hindrance: Blocker }
  | { what: "newer"; version: number; known: number };

export type ParametersOf<Sentence> = Sentence extends (parameters: infer Parameters) => string
  ? Parameters
  : Readonly<Record<string, never>>;

const DATABASE_URL_FAULTS = {
  protocol: "must be a postgres:// connection string",
  encoding: "is not encoded correctly: write a % as %25",
  several_hosts: "names several hosts; name only the primary",
  sslmode: "has an sslmode other than disable, require, verify-ca and verify-full",
} as const;

const EVIDENCE_HINT = "`shipscore-server evidence CHECK_ID` prints a check's evidence.";
const nameFile = (file: string) => (file === "-" ? "The input" : file);
const nameStep = (step: MigrationStep) =>
  step === "table" ? "The migrations table" : `Migration ${step}`;

function describeBlocker(hindrance: Blocker): string {
  if (hindrance.by === "migration") return "another process is migrating the database";
  const { oldest } = hindrance;
  if (oldest === undefined) return "other transactions hold a lock that it needs";
  const { pid, program, since } = oldest;
  return `other transactions hold a lock that it needs; the oldest is from process ${pid} (${program}), since ${since.toISOString()}`;
}

function describeListening({
  host,
  port,
  reason,
}: {
  host: string;
  port: number;
  reason: string;
}): string {
  if (reason === "EADDRINUSE")
    return `Port ${port} on ${host} is in use. Choose another with --port.`;
  if (reason === "EACCES")
    return `This user may not listen on port ${port} on ${host}. Choose a port of 1024 or higher with --port.`;
  return `Cannot listen on port ${port} on ${host} (${reason}). Choose another IP address with --host.`;
}

const describeRuleset = ({ version, known }: { version: string; known: readonly string[] }) =>
  `There is no ruleset ${version} here. Known rulesets: ${known.join(", ")}.`;

const USAGE_ERRORS = {
  setting_invalid: ({ name, wanted }: { name: string; wanted: string }) =>
    `${name} must be ${wanted}.`,
  tls_file_missing: "SHIPSCORE_TLS_CERT and SHIPSCORE_TLS_KEY go together: set both or neither.",
  tls_files_invalid:
    "SHIPSCORE_TLS_CERT and SHIPSCORE_TLS_KEY must be paths of a certificate and its key, both readable PEM files.",
  mail_incomplete: "SHIPSCORE_SMTP_URL and SHIPSCORE_MAIL_FROM go together: set both or neither.",
  sign_up_without_mail:
    "SHIPSCORE_SIGNUP=open needs e-mail to confirm accounts. Set SHIPSCORE_SMTP_URL and SHIPSCORE_MAIL_FROM.",
  second_factor_without_key:
    "SHIPSCORE_SECOND_FACTOR=required needs a key to encrypt the second factors. Set SHIPSCORE_SECRET_KEY.",
  network_invalid: ({ setting, entry }: { setting: NetworkSetting; entry: string }) =>
    `${setting}: "${entry}" is not a network: write it like 10.20.0.0/16 or ::1/128.`,
  network_prefix_too_long: ({
    setting,
    entry,
    maxBits,
  }: {
    setting: NetworkSetting;
    entry: string;
    maxBits: number;
  }) => `${setting}: "${entry}" has a prefix longer than ${maxBits} bits.`,
  database_url_invalid: ({ fault }: { fault: keyof typeof DATABASE_URL_FAULTS }) =>
    `DATABASE_URL ${DATABASE_URL_FAULTS[fault]}.`,
  database_url_file_unreadable: ({ parameter }: { parameter: string }) =>
    `DATABASE_URL names a file in ${parameter} that cannot be read.`,
  /** `position` is empty if the error concerns the whole file. */
  account_file_invalid: ({
    file,
    position,
    fault,
  }: {
    file: string;
    position: string;
    fault: string;
  }) => `${nameFile(file)}${position && `, ${position}`}: ${fault}`,
  port_invalid: "--port must be a number from 0 to 65535.",
  host_empty: "--host is empty.",
  host_unknown: ({ host }: { host: string }) => `--host ${host} does not resolve to an IP address.`,
  tokens_in_the_clear: ({ host }: { host: string }) =>
    `Tokens would cross the network in the clear on ${host}. Set SHIPSCORE_TLS_CERT and SHIPSCORE_TLS_KEY, or SHIPSCORE_BEHIND_TLS_PROXY=1 behind a proxy that terminates TLS.`,
  data_dir_path_too_long: ({ dataDir, maxBytes }: { dataDir: string; maxBytes: number }) =>
    `The path ${dataDir} is too long for the sockets in it (over ${maxBytes} bytes). Choose a shorter one with --data-dir or SHIPSCORE_DATA_DIR.`,
  yes_missing: "This cannot be undone, and there is no terminal to confirm it on. Add --yes.",
  operation_unknown: ({ name }: { name: string }) =>
    `The running server does not know the command \`${name}\`. Restart it with this version.`,
  usage_by_holder: ({ words }: { words: string }) => words,
  ruleset_unknown: describeRuleset,
  language_unknown: ({ known }: { known: readonly string[] }) =>
    `--language must be one of ${known.join(", ")}.`,
};

export const PROGRAM_ERRORS = {
  ...USAGE_ERRORS,
  secret_key_missing:
    "Secrets are stored encrypted, and there is no key to encrypt them with. Create one with `openssl rand -base64 32`. Set SHIPSCORE_SECRET_KEY to it, here and for every server, and restart the servers. Keep it with your backups: without it, the secrets are lost.",
  secret_key_wrong:
    "The secret was encrypted with another key. Set SHIPSCORE_SECRET_KEY to that key, or SHIPSCORE_SECRET_KEY_OLD if you have replaced it.",
  secret_key_file_unusable: ({ file, reason }: { file: string; reason: string }) =>
    reason === "no key"
      ? `${file} does not contain a key, so secrets cannot be read. Restore it from a backup.`
      : `The key in ${file}, which encrypts secrets, cannot be read or created: ${reason}.`,
  /** `reason` is the system's error code, such as EADDRINUSE. */
  cannot_listen: describeListening,
  cannot_listen_for_metrics: ({ host, port }: { host: string; port: number }) =>
    `SHIPSCORE_METRICS_ADDRESS: cannot listen on ${host}:${port}.`,
  command_not_found: ({ command }: { command: string }) =>
    `Cannot run ${command}: no such command.`,
  command_not_executable: ({ command }: { command: string }) =>
    `Cannot run ${command}: it is not executable.`,
  interrupted: "Interrupted.",
  not_confirmed: "Nothing was done.",
  schema_unreleased:
    "The database was created by a shipscore-server from before the first release, and this program cannot use its data. Use an empty database, or another --data-dir.",
  schema_too_new: ({
    version,
    servesFrom,
    known,
  }: {
    version: number;
    servesFrom: number;
    known: number;
  }) =>
    `The database is at schema ${version} and works with programs from schema ${servesFrom} on. This program knows only schema ${known}. Upgrade shipscore-server.`,
  schema_too_old: ({ version, known }: { version: number; known: number }) =>
    `The database ${version === 0 ? "has no schema yet" : `is at schema ${version}`}, and this program needs schema ${known}. Run shipscore-server migrate, with the same DATABASE_URL or --data-dir.`,
  migration_failed: ({ step, reason }: { step: MigrationStep; reason: string }) =>
    `${nameStep(step)} failed: ${reason}.`,
  migration_hindered: ({
    step,
    hindrance,
    minutes,
  }: {
    step: MigrationStep;
    hindrance: Blocker;
    minutes: number;
  }) =>
    `${nameStep(step)} gave up after ${minutes} minutes: ${describeBlocker(hindrance)}. Run it again: it continues where it stopped.`,
  data_dir_empty: ({ dataDir }: { dataDir: string }) =>
    `There is no database in ${dataDir}. Check --data-dir or SHIPSCORE_DATA_DIR, or create one with: shipscore-server start`,
  data_dir_held: ({
    dataDir,
    command,
    pid,
    since,
  }: {
    dataDir: string;
    command: string;
    pid: number;
    since: string;
  }) =>
    `The data directory ${dataDir} is in use by \`${command}\` (process ${pid}, since ${since}). Stop it, or choose another with --data-dir.`,
  data_dir_changes_hands: ({ dataDir }: { dataDir: string }) =>
    `Another process is opening or closing the data directory ${dataDir}. Try again.`,
  data_dir_unusable: ({ dataDir, reason }: { dataDir: string; reason: string }) =>
    `The data directory ${dataDir} cannot be written or locked: ${reason}. Choose another with --data-dir or SHIPSCORE_DATA_DIR.`,
  lock_library_missing: ({ platform }: { platform: string }) =>
    `The embedded database needs the package fs-native-extensions, which cannot be loaded on ${platform}. Install shipscore-server again, or set DATABASE_URL.`,
  holder_silent: "The process that holds the data directory does not respond.",
  holder_ended: ({ command, pid }: { command: string; pid: number }) =>
    `\`${command}\` (process ${pid}) ended before it responded. The command may or may not have run.`,
  holder_failed: "The server failed; its log says why.",
  call_invalid: "The server that holds the data directory does not understand this call.",
  /** `words` is the message of the process that holds the data directory, which may be another version. */
  refused_by_holder: ({ words }: { words: string }) => words,
  project_name_twice: ({ name }: { name: string }) =>
    `The account owns two projects with the name ${name}, which a file cannot distinguish. Rename one first: shipscore-server project edit <id> --name <name>`,
  /** `file` is the path as given, or - for standard input. */
  file_not_found: ({ file }: { file: string }) => `There is no file ${file}.`,
  file_unreadable: ({ file, reason }: { file: string; reason: string }) =>
    `${file} cannot be read: ${reason}.`,
  evidence_not_json: ({ file }: { file: string }) =>
    `${nameFile(file)} is not JSON. ${EVIDENCE_HINT}`,
  evidence_invalid: ({
    file,
    position,
    fault,
  }: {
    file: string;
    position: string;
    fault: string;
  }) =>
    `${nameFile(file)} is not evidence (${position || "the whole file"}: ${fault}). ${EVIDENCE_HINT}`,
  evidence_outdated: ({ name }: { name: string }) =>
    `${name}: this evidence was written by another version of shipscore, which assessed pages differently. Check the URL again.`,
  evidence_not_found: ({ checkId }: { checkId: string }) =>
    `There is no evidence for check ${checkId}. Its ID is in the check response; evidence is kept for 90 days.`,
  ruleset_of_file_unknown: describeRuleset,
};

export function describeNotice(notice: MigrationNotice): string {
  if (notice.what === "waits")
    return `${nameStep(notice.step)} is waiting: ${describeBlocker(notice.hindrance)}.`;
  const { version, known } = notice;
  return `The database is at schema ${version}. This program knows only schema ${known}, but can still work with it.`;
}

export const describeUnknownSetting = ({ name, nearest }: { name: string; nearest: string }) =>
  `${name} is not a setting and is ignored; did you mean ${nearest}?`;

/** `exec` uses the last two codes, as a shell does. */
export const [REFUSED, USAGE, NOT_EXECUTABLE, NOT_FOUND] = [1, 2, 126, 127];

export function exitCodeOf(code: string): number {
  if (code === "command_not_found") return NOT_FOUND;
  if (code === "command_not_executable") return NOT_EXECUTABLE;
  return code === "input_invalid" || code in USAGE_ERRORS ? USAGE : REFUSED;
}
