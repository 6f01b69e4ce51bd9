import { homedir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { parseDatabaseUrl } from "./db/address.ts";
import { AppError } from "./errors.ts";
import { parseNetworks, type Networks } from "./net/address.ts";

/** Everything that the environment decides, checked once at start-up. Paths are absolute or as given. */
export interface Config {
  readonly databaseUrl: string | undefined;
  readonly databaseConnections: number;
  readonly databasePrepared: boolean;
  readonly dataDir: string;
  readonly allowNetworks: Networks;
  readonly allowNetworksText: string;
  readonly cycleSeconds: number;
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
  readonly metricsAddress: { host: string; port: number } | undefined;
  readonly publicUrl: string | undefined;
  readonly tls: { certFile: string; keyFile: string } | undefined;
  readonly behindTlsProxy: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

const optional = z
  .string()
  .optional()
  .transform((text) => text?.trim() || undefined);

const flag = optional.refine((text) => text === undefined || text === "0" || text === "1", {
  error: "must be 0 or 1",
});

const httpUrl = optional.refine(
  (text) => text === undefined || /^https?:$/.test(protocolOf(text)),
  {
    error: "must be an http or https URL",
  },
);

const Settings = z.object({
  DATABASE_URL: optional,
  SHIPSCORE_DATABASE_CONNECTIONS: optional
    .refine((text) => text === undefined || /^(?:[1-9]\d?|100)$/.test(text), {
      error: "must be a whole number from 1 to 100",
    })
    .transform((text) => Number(text ?? 8)),
  SHIPSCORE_DATABASE_PREPARED: flag.transform((text) => text !== "0"),
  SHIPSCORE_DATA_DIR: optional,
  SHIPSCORE_ALLOW_NETWORKS: optional,
  SHIPSCORE_CYCLE_SECONDS: optional
    .refine((text) => text === undefined || /^\d{1,6}$/.test(text), {
      error: "must be a whole number of seconds, 0 for no background looks",
    })
    .transform((text) => Number(text ?? 300)),
  SHIPSCORE_LOG_LEVEL: optional.pipe(
    z
      .enum(["debug", "info", "warn", "error", "silent"], {
        error: "must be debug, info, warn, error or silent",
      })
      .default("info"),
  ),
  SHIPSCORE_METRICS_ADDRESS: optional.refine(
    (text) => text === undefined || addressOf(text) !== undefined,
    { error: "must be host:port, such as 127.0.0.1:9464" },
  ),
  SHIPSCORE_PUBLIC_URL: httpUrl,
  SHIPSCORE_TLS_CERT: optional,
  SHIPSCORE_TLS_KEY: optional,
  SHIPSCORE_BEHIND_TLS_PROXY: flag.transform((text) => text === "1"),
});

const OF_THE_COMMAND = new Set([
  "SHIPSCORE_TOKEN",
  "SHIPSCORE_URL",
  "SHIPSCORE_TARGET_HEADERS",
  "SHIPSCORE_FORCE_TTY",
]);

function protocolOf(text: string): string {
  return URL.canParse(text) ? new URL(text).protocol : "";
}

function addressOf(text: string): { host: string; port: number } | undefined {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  return host !== undefined && port <= 65_535 ? { host, port } : undefined;
}

/** Where the platform keeps an application's data; never the folder that one stands in. */
function defaultDataDir(env: Environment): string {
  if (env["XDG_DATA_HOME"]) return join(env["XDG_DATA_HOME"], "shipscore");
  if (process.platform === "darwin")
    return join(homedir(), "Library", "Application Support", "shipscore");
  return join(homedir(), ".local", "share", "shipscore");
}

function networksOf(text: string): Networks {
  try {
    return parseNetworks(text);
  } catch (error) {
    throw new AppError("usage", {
      message: `SHIPSCORE_ALLOW_NETWORKS: ${error instanceof Error ? error.message : ""}.`,
    });
  }
}

/** Reads the environment. Throws `usage` with one line that names the setting; never repeats a value, which may be secret. */
export function readConfig(env: Environment, dataDir?: string): Config {
  const parsed = Settings.safeParse(env);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AppError("usage", { message: `${String(issue?.path[0])} ${issue?.message}.` });
  }
  const settings = parsed.data;
  const certFile = settings.SHIPSCORE_TLS_CERT;
  const keyFile = settings.SHIPSCORE_TLS_KEY;
  if ((certFile === undefined) !== (keyFile === undefined)) {
    throw new AppError("usage", {
      message: "SHIPSCORE_TLS_CERT and SHIPSCORE_TLS_KEY go together: set both or neither.",
    });
  }
  if (settings.DATABASE_URL !== undefined) parseDatabaseUrl(settings.DATABASE_URL);
  const allowNetworksText = settings.SHIPSCORE_ALLOW_NETWORKS ?? "";
  const metrics = settings.SHIPSCORE_METRICS_ADDRESS;
  return {
    databaseUrl: settings.DATABASE_URL,
    databaseConnections: settings.SHIPSCORE_DATABASE_CONNECTIONS,
    databasePrepared: settings.SHIPSCORE_DATABASE_PREPARED,
    dataDir: dataDir ?? settings.SHIPSCORE_DATA_DIR ?? defaultDataDir(env),
    allowNetworks: networksOf(allowNetworksText),
    allowNetworksText,
    cycleSeconds: settings.SHIPSCORE_CYCLE_SECONDS,
    logLevel: settings.SHIPSCORE_LOG_LEVEL,
    metricsAddress: metrics === undefined ? undefined : addressOf(metrics),
    publicUrl: settings.SHIPSCORE_PUBLIC_URL,
    tls: certFile !== undefined && keyFile !== undefined ? { certFile, keyFile } : undefined,
    behindTlsProxy: settings.SHIPSCORE_BEHIND_TLS_PROXY,
  };
}

function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const cost = left[i - 1] === right[j - 1] ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** One line for each `SHIPSCORE_*` that is no setting, with the nearest name that is. */
export function warnOfUnknownSettings(env: Environment): string[] {
  const known = Object.keys(Settings.shape);
  return Object.keys(env)
    .filter(
      (name) => name.startsWith("SHIPSCORE_") && !known.includes(name) && !OF_THE_COMMAND.has(name),
    )
    .map((name) => {
      const [nearest] = known.toSorted((a, b) => distance(name, a) - distance(name, b));
      return `${name} is not a setting and is ignored; did you mean ${nearest}?`;
    });
}
