import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import { Client, Pool, types } from "pg";
import type { ClientConfig, CustomTypesConfig, PoolClient } from "pg";
import { AppError, type ErrorParameters } from "../../base/errors.ts";
import { isUrl } from "../../../shared/url.ts";
import { ConnectionLost, describeDatabaseError } from "./failure.ts";

export type DatabaseAddress = { url: string } | { socketPath: string };

const wrong = (fault: ErrorParameters["database_url_invalid"]["fault"]) =>
  new AppError("database_url_invalid", { fault });

/** The path of a Unix socket may be the percent-encoded host, or only a parameter: `user@/db?host=/run`. */
function parseUrl(text: string): URL {
  const whole = isUrl(text) ? text : text.replace("@/", "@localhost/");
  if (!/^postgres(?:ql)?:/i.test(whole) || !isUrl(whole)) throw wrong("protocol");
  return new URL(whole);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong("encoding");
  }
}

function readFileOf(parameter: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw new AppError("database_url_file_unreadable", { parameter });
  }
}

/** Modes have libpq's meanings. `prefer` and `allow` guarantee nothing, so they are refused. */
function readTls(parameters: URLSearchParams): ConnectionOptions | false {
  const given = parameters.get("ssl");
  const mode =
    parameters.get("sslmode") ?? (given === "true" || given === "1" ? "require" : "disable");
  if (mode === "disable") return false;
  const file = (parameter: string) => {
    const path = parameters.get(parameter);
    return path === null || path === "system" ? undefined : readFileOf(parameter, path);
  };
  const [ca, cert, key] = [file("sslrootcert"), file("sslcert"), file("sslkey")];
  const files = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  if (mode === "verify-full") return files;
  if (mode === "verify-ca" || (mode === "require" && ca))
    return { ...files, checkServerIdentity: () => undefined };
  if (mode === "require") return { ...files, rejectUnauthorized: false };
  throw wrong("sslmode");
}

/** Errors never quote the text: it may contain a password. pg's own parser treats `require` as `verify-full`. */
export function parseDatabaseUrl(text: string): ClientConfig {
  const { username, password, hostname, port, pathname, searchParams } = parseUrl(text);
  const host = searchParams.get("host") ?? decode(hostname).replace(/^\[(.*)\]$/, "$1");
  if (host.includes(",")) throw wrong("several_hosts");
  const ssl = readTls(searchParams);
  return {
    host,
    port: Number(searchParams.get("port") ?? port) || undefined,
    user: searchParams.get("user") ?? decode(username),
    password: searchParams.get("password") ?? decode(password),
    database: searchParams.get("dbname") ?? decode(pathname.slice(1)),
    application_name: searchParams.get("application_name") ?? "shipscore",
    options: searchParams.get("options") ?? undefined,
    ssl,
    enableChannelBinding: ssl !== false && searchParams.get("channel_binding") === "require",
  };
}

export interface Limits {
  deadlineMs: number;
  lockTimeoutMs: number;
  /** Needs Postgres 17. Also ends a transaction if the rest of a client's message never arrives. */
  endsTransactions: boolean;
}

/** With these timeouts, the server itself cleans up after a client that vanished. */
function writeLimits({ deadlineMs, lockTimeoutMs, endsTransactions }: Limits): string {
  const settings = {
    statement_timeout: deadlineMs * 2,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: deadlineMs * 2,
    ...(endsTransactions && { transaction_timeout: deadlineMs * 2 }),
    client_connection_check_interval: 1000,
    default_transaction_isolation: "read\\ committed",
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");
}

/** The driver would build a path from host and port. */
class SocketAt extends Socket {
  readonly #path: string;

  constructor(path: string) {
    super();
    this.#path = path;
  }

  override connect(): this {
    return super.connect(this.#path);
  }
}

export function describeConnection(address: DatabaseAddress): ClientConfig {
  if ("url" in address) return parseDatabaseUrl(address.url);
  const { socketPath } = address;
  return {
    user: "postgres",
    database: "postgres",
    ssl: false,
    stream: () => new SocketAt(socketPath),
  };
}

/** Converts the times that a list names (`asList`) to dates. */
const readJson = (text: string): unknown =>
  JSON.parse(text, (_, value) => {
    if (typeof value?.$times !== "string") return value;
    for (const row of value.rows)
      for (const name of value.$times.split(" ")) row[name] &&= new Date(row[name]);
    return value.rows;
  });

const TYPES: CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === types.builtins.JSON ? readJson : types.getTypeParser(type, format),
};

const LONGEST_CONNECT_MS = 12_000;
/** The system's default is two hours. */
const KEEP_ALIVE_MS = 10_000;
/** After a refusal, no connection is attempted for this long. */
const REFUSED_MS = 200;
/** Appears in any language in the message of a server that is too old for this setting. */
const NEWER_SETTING = /\btransaction_timeout\b/;
/** A pooler's message about settings in the start-up packet. */
const REFUSED_SETTINGS = /unsupported startup parameter/;
/** The server or the role has reached its connection limit. */
const TOO_MANY = /^53300 /;
const isAboutLimits = ({ message }: Error) =>
  NEWER_SETTING.test(message) || REFUSED_SETTINGS.test(message);

const END_MS = 1000;

type OnConnect = (error: Error | null) => void;

export interface Connector {
  openPool(max: number): Pool;
  /**
   * A release with a `ConnectionLost` means that the server was silent: all connections that were idle at that time are
   * closed. Throws `ConnectionLost` if none is free in time, or if too many queries wait.
   */
  connect(pool: Pool): Promise<PoolClient>;
}

export function createConnector(
  address: DatabaseAddress,
  options: {
    limits: Limits;
    maxWaiting: number;
    onTrouble: (word: string) => void;
    onLimitsRefused: (message: string) => void;
  },
): Connector {
  let limits: Limits | undefined = options.limits;
  let config = describeConnection(address);
  let refusal = { error: new Error(), until: -Infinity };
  const connectMs = Math.min(options.limits.deadlineMs * 0.8, LONGEST_CONNECT_MS);
  const sizes = new WeakMap<Pool, number>();
  const usedAt = new WeakMap<PoolClient, number>();
  let silentAt = -Infinity;

  function describeAgain(): ClientConfig {
    try {
      config = describeConnection(address);
    } catch {
      // A certificate file may be missing while it is being renewed.
    }
    if ("socketPath" in address) return config;
    // Settings in the connection string come last, so they win.
    const settings = [limits && writeLimits(limits), config.options].filter(Boolean).join(" ");
    return { ...config, options: settings };
  }

  class Connection extends Client {
    constructor() {
      super({
        ...describeAgain(),
        types: TYPES,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      });
      // Without a listener, a lost connection would end the process. The running statement fails by itself.
      this.on("error", () => {});
      const connect = this.connect.bind(this);
      this.connect = ((onConnect: OnConnect) => {
        if (performance.now() < refusal.until) return process.nextTick(onConnect, refusal.error);
        connect((error: Error | null) => {
          if (error && !isAboutLimits(error))
            refusal = { error, until: performance.now() + REFUSED_MS };
          onConnect(error);
        });
      }) as Client["connect"];
      const end = this.end.bind(this);
      this.end = ((onEnd: () => void) => {
        end(onEnd);
        // A silent peer never closes, and its socket would keep the process alive.
        setTimeout(() => this.connection.stream.destroy(), END_MS).unref();
      }) as Client["end"];
    }
  }

  function relaxLimits({ message }: Error): void {
    const isOld = NEWER_SETTING.test(message);
    if (limits && !isOld) options.onLimitsRefused(message);
    limits = limits && isOld ? { ...limits, endsTransactions: false } : undefined;
  }

  return {
    openPool(max) {
      const pool = new Pool({
        Client: Connection,
        max,
        connectionTimeoutMillis: connectMs,
      });
      sizes.set(pool, max);
      pool.on("error", (error) =>
        options.onTrouble(`connection lost: ${describeDatabaseError(error)}`),
      );
      return pool.on("release", (error, client) => {
        usedAt.set(client, performance.now());
        if (error instanceof ConnectionLost) silentAt = performance.now();
      });
    },
    async connect(pool) {
      if (pool.waitingCount >= options.maxWaiting)
        throw new ConnectionLost(`${options.maxWaiting} queries wait already`);
      if (performance.now() > refusal.until) pool.options.max = sizes.get(pool) ?? 1;
      const endsAt = performance.now() + connectMs;
      for (;;) {
        try {
          const client = await pool.connect().catch((error: Error) => {
            if (!isAboutLimits(error)) throw error;
            relaxLimits(error);
            return pool.connect();
          });
          if ((usedAt.get(client) ?? Infinity) > silentAt) return client;
          client.release(true);
        } catch (error) {
          const why = describeDatabaseError(error as Error);
          const waits = TOO_MANY.test(why) && pool.totalCount > 0 && performance.now() < endsAt;
          if (!waits) throw new ConnectionLost(why);
          // Queries of a full pool wait for its existing connections.
          pool.options.max = pool.totalCount;
        }
      }
    },
  };
}
