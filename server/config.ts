import { availableParallelism, homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { parseDatabaseUrl } from "./db/driver/address.ts";
import { AppError } from "./base/errors.ts";
import { readMailAddress, readRelay, type MailSettings } from "./mail/relay.ts";
import { parseNetworks, type Networks } from "./engine/net/address.ts";
import { areNameServers, splitServers } from "./engine/net/resolve.ts";
import type { SettingForm } from "./base/program-errors.ts";
import { countEdits } from "../shared/edits.ts";
import { readSecretKey } from "./base/syntax/secret-key.ts";
import { isUrl } from "../shared/url.ts";

/** All settings from the environment, checked once at start-up. Paths are absolute or as given. */
export interface Config {
  readonly databaseUrl: string | undefined;
  readonly databaseConnections: number;
  readonly databasePrepared: boolean;
  readonly dataDir: string;
  readonly allowNetworks: Networks;
  readonly allowNetworksText: string;
  /** The name servers that are asked second; undefined: the system's others. */
  readonly dnsServers: readonly string[] | undefined;
  readonly cycleSeconds: number;
  /** The shortest interval that a project may choose. */
  readonly leastSeconds: number;
  /** Between two verifications of a watched URL; 0: none but after deployments. */
  readonly verifySeconds: number;
  readonly looksAtOnce: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  readonly metricsAddress: { host: string; port: number } | undefined;
  readonly publicUrl: string | undefined;
  /** Whether it listens on loopback, behind no proxy, as the server decides when it starts. */
  readonly isLocal: boolean;
  readonly tls: { certFile: string; keyFile: string } | undefined;
  readonly behindTlsProxy: boolean;
  /** Whether anyone may start scans; undefined: on a loopback host only, as the server decides when it starts. */
  readonly publicScan: boolean | undefined;
  /** How many scans run at the same time, over all servers. */
  readonly scansAtOnce: number;
  /** The proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: Networks;
  /** Where statuses of commits may be sent: `HOST` or `HOST:PORT`, as URLs have it. */
  readonly statusHosts: readonly string[];
  readonly mail: MailSettings | undefined;
  /** Whether anyone may make an account of their own; then there is `mail`. */
  readonly hasSignUp: boolean;
  /** A file of hashes of passwords that nobody may choose. */
  readonly breachedPasswords: string | undefined;
  /** Where this server stands, such as `paris`. */
  readonly place: string | undefined;
  /** Whether every account needs a second factor, or a passkey. */
  readonly needsSecondFactor: boolean;
  /** What secrets in the database are sealed with. */
  readonly secretKey: Buffer | undefined;
  /** The key before it, which still opens what it sealed. */
  readonly secretKeyOld: Buffer | undefined;
}

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

const optional = z
  .string()
  .optional()
  .transform((text) => text?.trim() || undefined);

/** Parses a setting; the error for an invalid value names the form it must have. */
const setting = (form: SettingForm) =>
  optional.refine((text) => text === undefined || FORMS[form](text), { error: form });

/** Without the port of https, as in a URL. */
const splitHosts = (text: string): string[] =>
  text.split(",").map((host) => host.trim().toLowerCase().replace(/:443$/, ""));

const secretKey = setting("secret_key").transform((text) =>
  text === undefined ? undefined : readSecretKey(text),
);

const Settings = z.object({
  DATABASE_URL: optional,
  SHIPSCORE_DATABASE_CONNECTIONS: setting("up_to_a_hundred").transform((text) => Number(text ?? 8)),
  SHIPSCORE_DATABASE_PREPARED: setting("flag").transform((text) => text !== "0"),
  SHIPSCORE_DATA_DIR: optional,
  SHIPSCORE_ALLOW_NETWORKS: optional,
  SHIPSCORE_DNS_SERVERS: setting("name_servers").transform((text) => text && splitServers(text)),
  SHIPSCORE_CYCLE_SECONDS: setting("seconds").transform((text) => Number(text ?? 300)),
  SHIPSCORE_LEAST_SECONDS: setting("seconds").transform((text) => Number(text ?? 60)),
  SHIPSCORE_VERIFY_SECONDS: setting("seconds").transform((text) => Number(text ?? 21_600)),
  SHIPSCORE_LOOKS_AT_ONCE: setting("up_to_ten_thousand").transform((text) =>
    Number(text ?? LOOKS_OF_A_PROCESSOR * availableParallelism()),
  ),
  SHIPSCORE_PLACE: setting("place"),
  SHIPSCORE_LOG_LEVEL: setting("log_level").pipe(z.enum(LOG_LEVELS).default("info")),
  SHIPSCORE_METRICS_ADDRESS: setting("host_and_port"),
  SHIPSCORE_PUBLIC_URL: setting("http_url"),
  SHIPSCORE_TLS_CERT: optional,
  SHIPSCORE_TLS_KEY: optional,
  SHIPSCORE_BEHIND_TLS_PROXY: setting("flag").transform((text) => text === "1"),
  SHIPSCORE_TRUSTED_PROXIES: optional,
  SHIPSCORE_PUBLIC_SCAN: setting("flag").transform((text) =>
    text === undefined ? undefined : text === "1",
  ),
  SHIPSCORE_SCANS_AT_ONCE: setting("up_to_a_hundred").transform((text) => Number(text ?? 16)),
  SHIPSCORE_STATUS_HOSTS: setting("hosts").transform((text) =>
    splitHosts(text ?? "api.github.com,gitlab.com"),
  ),
  SHIPSCORE_SMTP_URL: setting("smtp_url"),
  SHIPSCORE_MAIL_FROM: setting("mail_address"),
  SHIPSCORE_SIGNUP: setting("open_or_closed").transform((text) => text === "open"),
  SHIPSCORE_BREACHED_PASSWORDS: optional,
  SHIPSCORE_SECOND_FACTOR: setting("required_or_optional").transform((text) => text === "required"),
  SHIPSCORE_SECRET_KEY: secretKey,
  SHIPSCORE_SECRET_KEY_OLD: secretKey,
});

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

/** Reads the environment. Errors name the setting but never repeat its value, which may be secret. */
export function readConfig(env: Environment, dataDir?: string): Config {
  const parsed = Settings.safeParse(env);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const form = issue?.message as SettingForm;
    throw new AppError("setting_invalid", { name: String(issue?.path[0]), form });
  }
  const settings = parsed.data;
  const certFile = settings.SHIPSCORE_TLS_CERT;
  const keyFile = settings.SHIPSCORE_TLS_KEY;
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new AppError("tls_file_missing", {});
  if (settings.DATABASE_URL !== undefined) parseDatabaseUrl(settings.DATABASE_URL);
  const mail = readMail(settings.SHIPSCORE_SMTP_URL, settings.SHIPSCORE_MAIL_FROM);
  const hasSignUp = settings.SHIPSCORE_SIGNUP;
  if (hasSignUp && mail === undefined) throw new AppError("sign_up_without_mail", {});
  if (
    settings.SHIPSCORE_SECOND_FACTOR &&
    settings.DATABASE_URL !== undefined &&
    settings.SHIPSCORE_SECRET_KEY === undefined
  )
    throw new AppError("second_factor_without_key", {});
  const allowNetworksText = settings.SHIPSCORE_ALLOW_NETWORKS ?? "";
  const metrics = settings.SHIPSCORE_METRICS_ADDRESS;
  return {
    databaseUrl: settings.DATABASE_URL,
    databaseConnections: settings.SHIPSCORE_DATABASE_CONNECTIONS,
    databasePrepared: settings.SHIPSCORE_DATABASE_PREPARED,
    dataDir: dataDir ?? settings.SHIPSCORE_DATA_DIR ?? defaultDataDir(env),
    allowNetworks: parseNetworks(allowNetworksText),
    allowNetworksText,
    dnsServers: settings.SHIPSCORE_DNS_SERVERS || undefined,
    cycleSeconds: settings.SHIPSCORE_CYCLE_SECONDS,
    leastSeconds: settings.SHIPSCORE_LEAST_SECONDS,
    verifySeconds: settings.SHIPSCORE_VERIFY_SECONDS,
    looksAtOnce: settings.SHIPSCORE_LOOKS_AT_ONCE,
    logLevel: settings.SHIPSCORE_LOG_LEVEL,
    metricsAddress: metrics === undefined ? undefined : addressOf(metrics),
    publicUrl: settings.SHIPSCORE_PUBLIC_URL,
    isLocal: false,
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined,
    behindTlsProxy: settings.SHIPSCORE_BEHIND_TLS_PROXY,
    publicScan: settings.SHIPSCORE_PUBLIC_SCAN,
    scansAtOnce: settings.SHIPSCORE_SCANS_AT_ONCE,
    trustedProxies: parseNetworks(
      settings.SHIPSCORE_TRUSTED_PROXIES ?? "",
      "SHIPSCORE_TRUSTED_PROXIES",
    ),
    statusHosts: settings.SHIPSCORE_STATUS_HOSTS,
    mail,
    hasSignUp,
    breachedPasswords: settings.SHIPSCORE_BREACHED_PASSWORDS,
    place: settings.SHIPSCORE_PLACE,
    needsSecondFactor: settings.SHIPSCORE_SECOND_FACTOR,
    secretKey: settings.SHIPSCORE_SECRET_KEY,
    secretKeyOld: settings.SHIPSCORE_SECRET_KEY_OLD,
  };
}

/** Each unknown `SHIPSCORE_*` variable, with the closest name of a known one. */
export function findUnknownSettings(env: Environment): { name: string; nearest: string }[] {
  const known = Object.keys(Settings.shape);
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
