import { availableParallelism, homedir } from "node:os";
import { join } from "node:path";
import { parseDatabaseUrl } from "./db/driver/address.ts";
import { AppError } from "./base/errors.ts";
import { readMailAddress, readRelay, type MailSettings } from "./mail/relay.ts";
import { parseNetworks } from "./engine/net/address.ts";
import { areNameServers, splitServers } from "./engine/net/resolve.ts";
import type { SettingForm } from "./base/program-errors.ts";
import { countEdits } from "../shared/edits.ts";
import { readSecretKey } from "./base/syntax/secret-key.ts";
import { isUrl } from "../shared/url.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const LOOKS_OF_A_PROCESSOR = 64;
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;
const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

const FORMS: Readonly<Record<SettingForm, (text: string) => boolean>> = {
  flag: (text) => text === "0" || text === "1",
  up_to_a_hundred: (text) => /^(?:[1-9]\d?|100)$/.test(text),
  up_to_ten_thousand: (text) => /^(?:[1-9]\d{0,3}|10000)$/.test(text),
  seconds: (text) => /^\d{1,6}$/.test(text),
  log_level: (text) => (LOG_LEVELS as readonly string[]).includes(text),
  host_and_port: (text) => addressOf(text) !== undefined,
  http_url: (text) => /^https?:$/.test(protocolOf(text)),
  smtp_url: (text) => readRelay(text) !== undefined,
  name_servers: areNameServers,
  hosts: (text) => splitHosts(text).every((host) => HOST.test(host)),
  mail_address: (text) => readMailAddress(text) !== undefined,
  open_or_closed: (text) => text === "open" || text === "closed",
  required_or_optional: (text) => text === "required" || text === "optional",
  secret_key: (text) => readSecretKey(text) !== undefined,
  place: (text) => /^[a-z0-9-]{1,20}$/.test(text),
};

/** Without the port of https, as in a URL. */
const splitHosts = (text: string): string[] =>
  text.split(",").map((host) => host.trim().toLowerCase().replace(/:443$/, ""));

interface Setting<Value> {
  name: string;
  /** The form that its value must have. */
  form: SettingForm | undefined;
  /** Undefined where it is not set. */
  read: (text: string | undefined) => Value;
}

function setting(name: string, form?: SettingForm): Setting<string | undefined>;
function setting<Value>(
  name: string,
  form: SettingForm | undefined,
  read: Setting<Value>["read"],
): Setting<Value>;
function setting(
  name: string,
  form?: SettingForm,
  read: Setting<unknown>["read"] = (text) => text,
): Setting<unknown> {
  return { name, form, read };
}

const keyOf = (text: string | undefined) => (text === undefined ? undefined : readSecretKey(text));

const SETTINGS = {
  databaseUrl: setting("DATABASE_URL"),
  databaseConnections: setting("SHIPSCORE_DATABASE_CONNECTIONS", "up_to_a_hundred", (text) =>
    Number(text ?? 8),
  ),
  databasePrepared: setting("SHIPSCORE_DATABASE_PREPARED", "flag", (text) => text !== "0"),
  dataDir: setting("SHIPSCORE_DATA_DIR"),
  allowNetworks: setting("SHIPSCORE_ALLOW_NETWORKS", undefined, (text) =>
    parseNetworks(text ?? ""),
  ),
  allowNetworksText: setting("SHIPSCORE_ALLOW_NETWORKS", undefined, (text) => text ?? ""),
  /** The name servers that are asked second; undefined: the system's others. */
  dnsServers: setting("SHIPSCORE_DNS_SERVERS", "name_servers", (text) =>
    text === undefined ? undefined : splitServers(text),
  ),
  cycleSeconds: setting("SHIPSCORE_CYCLE_SECONDS", "seconds", (text) => Number(text ?? 300)),
  /** The shortest interval that a project may choose. */
  leastSeconds: setting("SHIPSCORE_LEAST_SECONDS", "seconds", (text) => Number(text ?? 60)),
  /** Between two verifications of a watched URL; 0: none but after deployments. */
  verifySeconds: setting("SHIPSCORE_VERIFY_SECONDS", "seconds", (text) => Number(text ?? 21_600)),
  looksAtOnce: setting("SHIPSCORE_LOOKS_AT_ONCE", "up_to_ten_thousand", (text) =>
    Number(text ?? LOOKS_OF_A_PROCESSOR * availableParallelism()),
  ),
  /** Where this server stands, such as `paris`. */
  place: setting("SHIPSCORE_PLACE", "place"),
  logLevel: setting(
    "SHIPSCORE_LOG_LEVEL",
    "log_level",
    (text) => (text ?? "info") as (typeof LOG_LEVELS)[number],
  ),
  metricsAddress: setting("SHIPSCORE_METRICS_ADDRESS", "host_and_port", (text) =>
    text === undefined ? undefined : addressOf(text),
  ),
  publicUrl: setting("SHIPSCORE_PUBLIC_URL", "http_url"),
  tlsCert: setting("SHIPSCORE_TLS_CERT"),
  tlsKey: setting("SHIPSCORE_TLS_KEY"),
  behindTlsProxy: setting("SHIPSCORE_BEHIND_TLS_PROXY", "flag", (text) => text === "1"),
  /** The proxies whose X-Forwarded-For is believed. */
  trustedProxies: setting("SHIPSCORE_TRUSTED_PROXIES", undefined, (text) =>
    parseNetworks(text ?? "", "SHIPSCORE_TRUSTED_PROXIES"),
  ),
  /** Whether anyone may start scans; undefined: on a loopback host only, as the server decides when it starts. */
  publicScan: setting("SHIPSCORE_PUBLIC_SCAN", "flag", (text) =>
    text === undefined ? undefined : text === "1",
  ),
  /** How many scans run at the same time, over all servers. */
  scansAtOnce: setting("SHIPSCORE_SCANS_AT_ONCE", "up_to_a_hundred", (text) => Number(text ?? 16)),
  /** Where statuses of commits may be sent: `HOST` or `HOST:PORT`, as URLs have it. */
  statusHosts: setting("SHIPSCORE_STATUS_HOSTS", "hosts", (text) =>
    splitHosts(text ?? "api.github.com,gitlab.com"),
  ),
  smtpUrl: setting("SHIPSCORE_SMTP_URL", "smtp_url"),
  mailFrom: setting("SHIPSCORE_MAIL_FROM", "mail_address"),
  /** Whether anyone may make an account of their own; then there is `mail`. */
  hasSignUp: setting("SHIPSCORE_SIGNUP", "open_or_closed", (text) => text === "open"),
  /** A file of hashes of passwords that nobody may choose. */
  breachedPasswords: setting("SHIPSCORE_BREACHED_PASSWORDS"),
  /** Whether every account needs a second factor, or a passkey. */
  needsSecondFactor: setting(
    "SHIPSCORE_SECOND_FACTOR",
    "required_or_optional",
    (text) => text === "required",
  ),
  /** What secrets in the database are sealed with. */
  secretKey: setting("SHIPSCORE_SECRET_KEY", "secret_key", keyOf),
  /** The key before it, which still opens what it sealed. */
  secretKeyOld: setting("SHIPSCORE_SECRET_KEY_OLD", "secret_key", keyOf),
};

type Settings = {
  readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]["read"]>;
};

/** All settings from the environment, checked once at start-up. Paths are absolute or as given. */
export interface Config extends Omit<Settings, "tlsCert" | "tlsKey" | "smtpUrl" | "mailFrom"> {
  readonly dataDir: string;
  /** Whether it listens on loopback, behind no proxy, as the server decides when it starts. */
  readonly isLocal: boolean;
  readonly tls: { certFile: string; keyFile: string } | undefined;
  readonly mail: MailSettings | undefined;
}

const OF_THE_COMMAND = new Set([
  "SHIPSCORE_TOKEN",
  "SHIPSCORE_URL",
  "SHIPSCORE_TARGET_HEADERS",
  "SHIPSCORE_FORCE_TTY",
  "SHIPSCORE_EXEC",
  // Of the jobs in docs/ci.md.
  "SHIPSCORE_HOOK_URL",
  "SHIPSCORE_HOOK_SECRET",
]);

function protocolOf(text: string): string {
  return isUrl(text) ? new URL(text).protocol : "";
}

function addressOf(text: string): { host: string; port: number } | undefined {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host !== undefined && port <= 65_535 ? { host, port } : undefined;
}

/** The platform's folder for application data; never the current directory. */
function defaultDataDir(env: Environment): string {
  if (env["XDG_DATA_HOME"]) return join(env["XDG_DATA_HOME"], "shipscore");
  if (process.platform === "darwin")
    return join(homedir(), "Library", "Application Support", "shipscore");
  return join(homedir(), ".local", "share", "shipscore");
}

function readMail(smtpUrl: string | undefined, from: string | undefined): MailSettings | undefined {
  const relay = smtpUrl === undefined ? undefined : readRelay(smtpUrl);
  const sender = from === undefined ? undefined : readMailAddress(from);
  if (relay !== undefined && sender !== undefined) return { relay, from: sender };
  if (relay !== undefined || sender !== undefined) throw new AppError("mail_incomplete", {});
  return undefined;
}

function readSettings(env: Environment): Settings {
  const read = Object.entries(SETTINGS).map(([key, { name, form, read: readText }]) => {
    const text = env[name]?.trim() || undefined;
    if (text !== undefined && form !== undefined && !FORMS[form](text))
      throw new AppError("setting_invalid", { name, form });
    return [key, readText(text)];
  });
  return Object.fromEntries(read) as Settings;
}

/** Reads the environment. Errors name the setting but never repeat its value, which may be secret. */
export function readConfig(env: Environment, dataDir?: string): Config {
  const { tlsCert, tlsKey, smtpUrl, mailFrom, ...settings } = readSettings(env);
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new AppError("tls_file_missing", {});
  if (settings.databaseUrl !== undefined) parseDatabaseUrl(settings.databaseUrl);
  const mail = readMail(smtpUrl, mailFrom);
  if (settings.hasSignUp && mail === undefined) throw new AppError("sign_up_without_mail", {});
  const isKeyless = settings.databaseUrl !== undefined && settings.secretKey === undefined;
  if (settings.needsSecondFactor && isKeyless) throw new AppError("second_factor_without_key", {});
  return {
    ...settings,
    dataDir: dataDir ?? settings.dataDir ?? defaultDataDir(env),
    isLocal: false,
    tls: tlsCert && tlsKey ? { certFile: tlsCert, keyFile: tlsKey } : undefined,
    mail,
  };
}

/** Each unknown `SHIPSCORE_*` variable, with the closest name of a known one. */
export function findUnknownSettings(env: Environment): { name: string; nearest: string }[] {
  const known = [...new Set(Object.values(SETTINGS).map(({ name }) => name))];
  return Object.keys(env)
    .filter(
      (name) => name.startsWith("SHIPSCORE_") && !known.includes(name) && !OF_THE_COMMAND.has(name),
    )
    .map((name) => {
      const byDistance = known.toSorted((a, b) => countEdits(name, a) - countEdits(name, b));
      return { name, nearest: byDistance[0] ?? "" };
    });
}

/** The User-Agent of every request that this server's checks send. */
export function userAgentOf(config: Config): string {
  const about =
    config.publicUrl === undefined ? "" : `; +${new URL("/about/checks", config.publicUrl).href}`;
  return `shipscore/1.0 (URL verification${about})`;
}
