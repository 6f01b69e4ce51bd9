import type {
  Hindrance,
  MigrationNotice,
  MigrationStep,
  ProgramErrors,
} from "../base/program-errors.ts";

/** Exit codes: refused, wrong usage, and those of a shell whose command cannot be executed or found, for `exec`. */
export const [REFUSED, USAGE, NOT_EXECUTABLE, NOT_FOUND] = [1, 2, 126, 127];

export type WordsOf<Errors> = {
  readonly [Code in keyof Errors]: string | ((parameters: Errors[Code]) => string);
};

const DATABASE_URL_FAULTS: Readonly<
  Record<ProgramErrors["database_url_invalid"]["fault"], string>
> = {
  protocol: "must be a postgres:// connection string",
  encoding: "is not encoded correctly: write a % as %25",
  several_hosts: "names several hosts; name one that leads to the primary",
  sslmode: "has an sslmode that is none of disable, require, verify-ca and verify-full",
};

const EVIDENCE_HINT = "`shipscore-server evidence CHECK_ID` prints a check's.";
const nameFile = (file: string) => (file === "-" ? "The input" : file);
const nameStep = (step: MigrationStep) =>
  step === "table" ? "The table of migrations" : `Migration ${step}`;

function describeHindrance(hindrance: Hindrance): string {
  if (hindrance.by === "migration") return "another process migrates";
  const { oldest } = hindrance;
  if (oldest === undefined) return "others hold a lock that it needs";
  const { pid, program, since } = oldest;
  return `others hold a lock that it needs; the oldest transaction is of process ${pid} (${program}), since ${since.toISOString()}`;
}

function describeListening({ host, port, reason }: ProgramErrors["cannot_listen"]): string {
  if (reason === "EADDRINUSE")
    return `Port ${port} of ${host} is in use. Choose another with --port.`;
  if (reason === "EACCES")
    return `This user may not listen on port ${port} of ${host}. Choose a port from 1024 up with --port.`;
  return `Cannot listen on port ${port} of ${host} (${reason}). Choose another address with --host.`;
}

const describeRuleset = ({ version, known }: ProgramErrors["ruleset_unknown"]) =>
  `There is no ruleset ${version} here. Known: ${known.join(", ")}.`;

function describeBreached({ reason }: ProgramErrors["breached_passwords_unusable"]): string {
  const names = "SHIPSCORE_BREACHED_PASSWORDS must name";
  if (reason === "no_hashes")
    return `${names} a file with a SHA-1 hash a line, HASH or HASH:count.`;
  if (reason === "not_sorted")
    return `${names} a file whose hashes are sorted: sort it by the hash.`;
  return `${names} a file that can be read (${reason}).`;
}

const USAGE_WORDS = {
  setting_invalid: ({ name, wanted }) => `${name} must be ${wanted}.`,
  tls_file_missing: "SHIPSCORE_TLS_CERT and SHIPSCORE_TLS_KEY go together: set both or neither.",
  tls_files_invalid:
    "SHIPSCORE_TLS_CERT and SHIPSCORE_TLS_KEY must name a certificate and its key, PEM files that can be read.",
  mail_incomplete: "SHIPSCORE_SMTP_URL and SHIPSCORE_MAIL_FROM go together: set both or neither.",
  sign_up_without_mail:
    "SHIPSCORE_SIGNUP=open needs e-mail, by which accounts are confirmed. Set SHIPSCORE_SMTP_URL and SHIPSCORE_MAIL_FROM.",
  second_factor_without_key:
    "SHIPSCORE_SECOND_FACTOR=required needs a key, with which the second factors are encrypted. Set SHIPSCORE_SECRET_KEY.",
  breached_passwords_unusable: describeBreached,
  network_invalid: ({ setting, entry }) =>
    `${setting}: "${entry}" is not a network: write it like 10.20.0.0/16 or ::1/128.`,
  network_prefix_too_long: ({ setting, entry, maxBits }) =>
    `${setting}: "${entry}" has a prefix over ${maxBits} bits.`,
  database_url_invalid: ({ fault }) => `DATABASE_URL ${DATABASE_URL_FAULTS[fault]}.`,
  database_url_file_unreadable: ({ parameter }) =>
    `DATABASE_URL names a file in ${parameter} that cannot be read.`,
  account_file_invalid: ({ file, place, fault }) =>
    `${nameFile(file)}${place && `, ${place}`}: ${fault}`,
  port_invalid: "--port must be a number from 0 to 65535.",
  host_empty: "--host is empty.",
  host_unknown: ({ host }) => `--host ${host} does not resolve to an address.`,
  tokens_in_the_clear: ({ host }) =>
    `Tokens would cross the network in the clear on ${host}. Set SHIPSCORE_TLS_CERT and SHIPSCORE_TLS_KEY, or SHIPSCORE_BEHIND_TLS_PROXY=1 behind a proxy that terminates TLS.`,
  data_dir_path_too_long: ({ dataDir, maxBytes }) =>
    `The path ${dataDir} is too long for the sockets in it (over ${maxBytes} bytes). Choose a shorter one with --data-dir or SHIPSCORE_DATA_DIR.`,
  yes_missing: "This cannot be undone, and nobody can be asked here: add --yes.",
  operation_unknown: ({ name }) =>
    `The running server does not know the command \`${name}\`. Restart it with this version.`,
  usage_by_holder: ({ words }) => words,
  ruleset_unknown: describeRuleset,
  language_unknown: ({ known }) => `--language is one of ${known.join(", ")}.`,
} satisfies Partial<WordsOf<ProgramErrors>>;

const REFUSED_WORDS = {
  secret_key_missing:
    "Secrets are kept encrypted, and there is no key to encrypt them with. Make one with `openssl rand -base64 32`, set SHIPSCORE_SECRET_KEY to it here and for every server, restart them, and keep it with your backups: without it the secrets are lost.",
  secret_key_wrong:
    "The secret was encrypted with another key. Set SHIPSCORE_SECRET_KEY to that key, or SHIPSCORE_SECRET_KEY_OLD if you have replaced it.",
  secret_key_file_unusable: ({ file, reason }) =>
    reason === "no key"
      ? `${file} does not hold a key, so secrets cannot be read. Restore it from a backup.`
      : `The key in ${file}, with which secrets are encrypted, cannot be read or made: ${reason}.`,
  cannot_listen: describeListening,
  cannot_listen_for_metrics: ({ host, port }) =>
    `SHIPSCORE_METRICS_ADDRESS: cannot listen on ${host}:${port}.`,
  command_not_found: ({ command }) => `Cannot run ${command}: no such command.`,
  command_not_executable: ({ command }) => `Cannot run ${command}: it is not executable.`,
  interrupted: "Interrupted.",
  not_confirmed: "Nothing was done.",
  schema_unreleased:
    "The database was made by a shipscore-server from before the first release, whose data this program cannot take over: use an empty database, or another --data-dir.",
  schema_too_new: ({ version, servesFrom, known }) =>
    `The database is at schema ${version}, newer than this program, which knows ${known}, and serves programs from schema ${servesFrom} on. Upgrade shipscore-server.`,
  schema_too_old: ({ version, known }) =>
    `The database ${version === 0 ? "has no schema yet" : `is at schema ${version}`}, and this program needs schema ${known}. Run shipscore-server migrate, with the same DATABASE_URL or --data-dir.`,
  migration_failed: ({ step, reason }) => `${nameStep(step)} failed: ${reason}.`,
  migration_hindered: ({ step, hindrance, minutes }) =>
    `${nameStep(step)} gave up after ${minutes} minutes: ${describeHindrance(hindrance)}. Run it again: it continues where it stopped.`,
  data_dir_empty: ({ dataDir }) =>
    `There is no database in ${dataDir}. Check --data-dir or SHIPSCORE_DATA_DIR, or begin one with: shipscore-server start`,
  data_dir_held: ({ dataDir, command, pid, since }) =>
    `The data directory ${dataDir} is in use by \`${command}\` (process ${pid}, since ${since}). Stop it, or choose another with --data-dir.`,
  data_dir_changes_hands: ({ dataDir }) =>
    `Another process is opening or closing the data directory ${dataDir}. Try again.`,
  data_dir_unusable: ({ dataDir, reason }) =>
    `The data directory ${dataDir} cannot be written or locked: ${reason}. Choose another with --data-dir or SHIPSCORE_DATA_DIR.`,
  lock_library_missing: ({ platform }) =>
    `The embedded database needs the package fs-native-extensions, which cannot be loaded on ${platform}. Install shipscore-server again, or set DATABASE_URL.`,
  holder_silent: "The process that holds the data directory does not answer.",
  holder_ended: ({ command, pid }) =>
    `\`${command}\` (process ${pid}) ended before it answered; the work may or may not have been done.`,
  holder_failed: "The server failed; its log says why.",
  call_invalid: "The server that holds the data directory does not understand this call.",
  refused_by_holder: ({ words }) => words,
  project_name_twice: ({ name }) =>
    `The account owns two projects with the name ${name}, which a file could not tell apart. Rename one first: shipscore-server project edit <id> --name <name>`,
  file_not_found: ({ file }) => `There is no file ${file}.`,
  file_unreadable: ({ file, reason }) => `${file} can't be read: ${reason}.`,
  evidence_not_json: ({ file }) => `${nameFile(file)} is not JSON. ${EVIDENCE_HINT}`,
  evidence_invalid: ({ file, place, fault }) =>
    `${nameFile(file)} is not evidence (${place || "the whole"}: ${fault}). ${EVIDENCE_HINT}`,
  evidence_not_found: ({ checkId }) =>
    `There is no evidence of a check ${checkId}. Its id is in the check's answer; evidence is kept for 90 days.`,
  ruleset_of_file_unknown: describeRuleset,
} satisfies Partial<WordsOf<ProgramErrors>>;

export const PROGRAM_WORDS: WordsOf<ProgramErrors> = { ...USAGE_WORDS, ...REFUSED_WORDS };

export function exitCodeOf(code: string): number {
  if (code === "command_not_found") return NOT_FOUND;
  if (code === "command_not_executable") return NOT_EXECUTABLE;
  return code === "input_invalid" || code in USAGE_WORDS ? USAGE : REFUSED;
}

/** The log message for a notice about a migration. */
export function describeNotice(notice: MigrationNotice): string {
  if (notice.what === "waits")
    return `${nameStep(notice.step)} waits: ${describeHindrance(notice.hindrance)}.`;
  const { version, known } = notice;
  return `The database is at schema ${version}, newer than this program, which knows ${known} and can still work with it.`;
}

/** The warning about an environment variable that looks like a setting but is not one. */
export const describeUnknownSetting = ({ name, nearest }: { name: string; nearest: string }) =>
  `${name} is not a setting and is ignored; did you mean ${nearest}?`;
