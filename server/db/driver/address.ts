import { readFileSync } from "node:fs";
import { Socket } from "node:net";
import type { ConnectionOptions } from "node:tls";
import type { ClientConfig } from "pg";
import { AppError, type ErrorParameters } from "../../base/errors.ts";
import { isUrl } from "../../../shared/url.ts";

/** A connection string, or the socket of an embedded database. */
export type DatabaseAddress = { url: string } | { socketPath: string };

const wrong = (fault: ErrorParameters["database_url_invalid"]["fault"]) =>
  new AppError("database_url_invalid", { fault });

/**
 * Parses a connection URL. The host of a Unix socket may be percent-encoded in the usual place, or given only as a
 * parameter: `user@/db?host=/run`.
 */
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

/** Modes have libpq's meanings, except `prefer` and `allow`, which guarantee nothing and are refused. */
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

/**
 * Parses a connection string. Errors repeat nothing of it, since it may contain a password. pg's own parser takes `require`
 * for `verify-full`.
 */
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
  /** How long the client waits for a query. */
  deadlineMs: number;
  lockTimeoutMs: number;
  /**
   * Postgres 17 or newer: the server also ends a transaction whose statement has run, although the last bytes of the
   * client's message never arrived.
   */
  endsTransactions: boolean;
}

/**
 * Timeouts after which the server itself ends what a vanished client has left behind, in the form of the start-up
 * packet.
 */
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

/** Connects to exactly this path; the driver would build its own from host and port. */
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

/** Driver options for an address. Settings in the connection string itself come last, so they win. */
export function describeConnection(
  address: DatabaseAddress,
  limits: Limits | undefined,
): ClientConfig {
  if ("url" in address) {
    const config = parseDatabaseUrl(address.url);
    const options = [limits && writeLimits(limits), config.options].filter(Boolean).join(" ");
    return { ...config, options };
  }
  const { socketPath } = address;
  return {
    user: "postgres",
    database: "postgres",
    ssl: false,
    stream: () => new SocketAt(socketPath),
  };
}
