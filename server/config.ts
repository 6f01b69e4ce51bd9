import { availableParallelism, homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { parseDatabaseUrl } from "./db/driver/address.ts";
import { AppError } from "./base/errors.ts";
import { readMailAddress, readRelay, type MailSettings } from "./mail/relay.ts";
import { parseNetworks, type Networks } from "./engine/net/address.ts";
import { areNameServers, splitServers } from "./engine/net/resolve.ts";
import { countEdits } from "../shared/edits.ts";
import { readSecretKey } from "./base/syntax/secret-key.ts";
import { isUrl } from "../shared/url.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const PROBES_PER_PROCESSOR = 64;
const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** Drops the default port of https, as URLs do. */
const splitHosts = (text: string): string[] =>
  text.split(",").map((host) => host.trim().toLowerCase().replace(/:443$/, ""));

const numberLike = (shape: RegExp, words: string) =>
  z.string().regex(shape, words).transform(Number);

const readBy = <Value>(read: (text: string) => Value | undefined, words: string) =>
  z
    .string()
    .transform(read)
    .refine((value) => value !== undefined, words);

const TEXT = z.string();
const FLAG = z.enum(["0", "1"], "0 or 1").transform((text) => text === "1");
const SECONDS = numberLike(/^\d{1,6}$/, "a whole number of seconds, 0 for none");
const TO_100 = numberLike(/^(?:[1-9]\d?|100)$/, "a whole number from 1 to 100");
const TO_10000 = numberLike(/^(?:[1-9]\d{0,3}|10000)$/, "a whole number from 1 to 10000");
const LOG_LEVEL = z.enum(
  ["debug", "info", "warn", "error", "silent"],
  "debug, info, warn, error or silent",
);
const HOST_AND_PORT = readBy(addressOf, "host:port, such as 127.0.0.1:9464");
const HTTP_URL = z
  .string()
  .refine((text) => /^https?:$/.test(protocolOf(text)), "an http or https URL");
const SMTP_URL = readBy(
  readRelay,
  "an smtp or smtps URL, such as smtps://USER:PASSWORD@mail.example.com",
);
const MAIL_ADDRESS = readBy(
  readMailAddress,
  "an e-mail address, such as shipscore@example.com or Shipscore <shipscore@example.com>",
);
const NAME_SERVERS = z
  .string()
  .refine(
    areNameServers,
    "IP addresses of name servers, separated by commas, such as 192.0.2.53,[2001:db8::53]:5353",
  )
  .transform(splitServers);
const HOSTS = z
  .string()
  .transform(splitHosts)
  .refine(
    (hosts) => hosts.every((host) => HOST.test(host)),
    "host names, with ports if need be, separated by commas, such as api.github.com,git.example.com:8443",
  );
const OPEN = z.enum(["open", "closed"], "open or closed").transform((text) => text === "open");
const REQUIRED = z
  .enum(["required", "optional"], "required or optional")
  .transform((text) => text === "required");
const SECRET_KEY = readBy(
  readSecretKey,
  "32 bytes in base64, as `openssl rand -base64 32` prints them",
);
const LOCATION = z
  .string()
  .regex(/^[a-z0-9-]{1,20}$/, "1 to 20 letters a to z, digits and hyphens, such as paris");

const setting = <Form extends z.ZodType, Otherwise = undefined>(
  name: string,
  form: Form,
  otherwise?: Otherwise,
) => ({ name, form, otherwise: otherwise as Otherwise });

const SETTINGS = {
  databaseUrl: setting("DATABASE_URL", TEXT),
  databaseConnections: setting("SHIPSCORE_DATABASE_CONNECTIONS", TO_100, 8),
  dataDir: setting("SHIPSCORE_DATA_DIR", TEXT),
  allowNetworksText: setting("SHIPSCORE_ALLOW_NETWORKS", TEXT, ""),
  scanNetworksText: setting("SHIPSCORE_SCAN_NETWORKS", TEXT, ""),
  alertNetworksText: setting("SHIPSCORE_ALERT_NETWORKS", TEXT, ""),
  /** The name servers for the second attempt. If undefined, the system's other name servers are used. */
  dnsServers: setting("SHIPSCORE_DNS_SERVERS", NAME_SERVERS),
  cycleSeconds: setting("SHIPSCORE_CYCLE_SECONDS", SECONDS, 300),
  /** The shortest interval that a project may choose. */
  leastSeconds: setting("SHIPSCORE_LEAST_SECONDS", SECONDS, 60),
  /** The time between two verifications of a watched URL. With 0, only deployments cause verifications. */
  verifySeconds: setting("SHIPSCORE_VERIFY_SECONDS", SECONDS, 21_600),
  probesAtOnce: setting(
    "SHIPSCORE_LOOKS_AT_ONCE",
    TO_10000,
    PROBES_PER_PROCESSOR * availableParallelism(),
  ),
  location: setting("SHIPSCORE_LOCATION", LOCATION),
  logLevel: setting("SHIPSCORE_LOG_LEVEL", LOG_LEVEL, "info" as const),
  metricsAddress: setting("SHIPSCORE_METRICS_ADDRESS", HOST_AND_PORT),
  publicUrl: setting("SHIPSCORE_PUBLIC_URL", HTTP_URL),
  tlsCert: setting("SHIPSCORE_TLS_CERT", TEXT),
  tlsKey: setting("SHIPSCORE_TLS_KEY", TEXT),
  behindTlsProxy: setting("SHIPSCORE_BEHIND_TLS_PROXY", FLAG, false),
  trustedProxiesText: setting("SHIPSCORE_TRUSTED_PROXIES", TEXT, ""),
  /** True if anyone may start scans. If undefined, the start-up allows scans only on a loopback address. */
  publicScan: setting("SHIPSCORE_PUBLIC_SCAN", FLAG),
  /** The limit across all servers. */
  scansAtOnce: setting("SHIPSCORE_SCANS_AT_ONCE", TO_100, 16),
  /** `HOST` or `HOST:PORT`, as in a URL. */
  statusHosts: setting("SHIPSCORE_STATUS_HOSTS", HOSTS, ["api.github.com", "gitlab.com"]),
  relay: setting("SHIPSCORE_SMTP_URL", SMTP_URL),
  mailFrom: setting("SHIPSCORE_MAIL_FROM", MAIL_ADDRESS),
  /** If true, `mail` is set. */
  hasSignUp: setting("SHIPSCORE_SIGNUP", OPEN, false),
  needsSecondFactor: setting("SHIPSCORE_SECOND_FACTOR", REQUIRED, false),
  secretKey: setting("SHIPSCORE_SECRET_KEY", SECRET_KEY),
  /** This key still decrypts older secrets. */
  secretKeyOld: setting("SHIPSCORE_SECRET_KEY_OLD", SECRET_KEY),
};

type Settings = {
  readonly [Name in keyof typeof SETTINGS]:
    | z.infer<(typeof SETTINGS)[Name]["form"]>
    | (typeof SETTINGS)[Name]["otherwise"];
};

/** Checked once at start-up. Paths are absolute or as given. */
export interface Config extends Omit<
  Settings,
  "tlsCert" | "tlsKey" | "relay" | "mailFrom" | "trustedProxiesText"
> {
  readonly dataDir: string;
  /** Account checks and commit statuses may reach these private networks. */
  readonly allowNetworks: Networks;
  readonly scanNetworks: Networks;
  readonly alertNetworks: Networks;
  readonly trustedProxies: Networks;
  /** Whether the server listens on loopback, without a proxy; known at start-up. */
  readonly isLocal: boolean;
  readonly tls: { certFile: string; keyFile: string } | undefined;
  readonly mail: MailSettings | undefined;
}

const NOT_FOR_SERVER = new Set([
  "SHIPSCORE_TOKEN",
  "SHIPSCORE_URL",
  "SHIPSCORE_TARGET_HEADERS",
  "SHIPSCORE_TARGET_ORIGIN",
  "SHIPSCORE_FORCE_TTY",
  "SHIPSCORE_EXEC",
  // The jobs in docs/ci.md use these.
  "SHIPSCORE_HOOK_URL",
  "SHIPSCORE_HOOK_SECRET",
  // compose.yaml uses this one, and passes all of .env to the server.
  "SHIPSCORE_SUBNET",
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

/** Never returns the current directory. */
function defaultDataDir(env: Environment): string {
  if (env["XDG_DATA_HOME"]) return join(env["XDG_DATA_HOME"], "shipscore");
  if (process.platform === "darwin")
    return join(homedir(), "Library", "Application Support", "shipscore");
  return join(homedir(), ".local", "share", "shipscore");
}

function readSettings(env: Environment): Settings {
  const read = Object.entries(SETTINGS).map(([key, { name, form, otherwise }]) => {
    const text = env[name]?.trim() || undefined;
    if (text === undefined) return [key, otherwise];
    const { data, error } = form.safeParse(text);
    const wanted = error?.issues[0]?.message;
    if (wanted !== undefined) throw new AppError("setting_invalid", { name, wanted });
    return [key, data];
  });
  return Object.fromEntries(read) as Settings;
}

/** Errors name the setting but never repeat its value, which may be secret. */
export function readConfig(env: Environment, dataDir?: string): Config {
  const { tlsCert, tlsKey, relay, mailFrom, trustedProxiesText, ...settings } = readSettings(env);
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new AppError("tls_file_missing", {});
  if (settings.databaseUrl !== undefined) parseDatabaseUrl(settings.databaseUrl);
  if ((relay === undefined) !== (mailFrom === undefined)) throw new AppError("mail_incomplete", {});
  const mail = relay && mailFrom && { relay, from: mailFrom };
  if (settings.hasSignUp && mail === undefined) throw new AppError("sign_up_without_mail", {});
  const isKeyless = settings.databaseUrl !== undefined && settings.secretKey === undefined;
  if (settings.needsSecondFactor && isKeyless) throw new AppError("second_factor_without_key", {});
  return {
    ...settings,
    dataDir: dataDir ?? settings.dataDir ?? defaultDataDir(env),
    allowNetworks: parseNetworks(settings.allowNetworksText, "SHIPSCORE_ALLOW_NETWORKS"),
    scanNetworks: parseNetworks(settings.scanNetworksText, "SHIPSCORE_SCAN_NETWORKS"),
    alertNetworks: parseNetworks(settings.alertNetworksText, "SHIPSCORE_ALERT_NETWORKS"),
    trustedProxies: parseNetworks(trustedProxiesText, "SHIPSCORE_TRUSTED_PROXIES"),
    isLocal: false,
    tls: tlsCert && tlsKey ? { certFile: tlsCert, keyFile: tlsKey } : undefined,
    mail,
  };
}

export function findUnknownSettings(env: Environment): { name: string; nearest: string }[] {
  const known = [...new Set(Object.values(SETTINGS).map(({ name }) => name))];
  return Object.keys(env)
    .filter(
      (name) => name.startsWith("SHIPSCORE_") && !known.includes(name) && !NOT_FOR_SERVER.has(name),
    )
    .map((name) => {
      const byDistance = known.toSorted((a, b) => countEdits(name, a) - countEdits(name, b));
      return { name, nearest: byDistance[0] ?? "" };
    });
}

export function userAgentOf(config: Config): string {
  const about =
    config.publicUrl === undefined ? "" : `; +${new URL("/about/checks", config.publicUrl).href}`;
  return `shipscore/1.0 (URL verification${about})`;
}
