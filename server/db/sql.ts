import postgres from "postgres";
import { AppError } from "../errors.ts";

type Value = postgres.SerializableParameter | postgres.Fragment;

/** Runs one query of a pool or of a transaction; column names arrive in camelCase. */
export type Sql = <Row extends object>(
  strings: TemplateStringsArray,
  ...values: readonly Value[]
) => Promise<Row[]>;

/** Runs several statements that take no values. */
export type RunScript = (script: string) => Promise<void>;

/** A database reached over a few connections. Every query and transaction ends within `deadlineMs`. */
export interface Database {
  readonly sql: Sql;
  /** Runs `work` in one transaction, which is rolled back when it throws. Keep it short. */
  begin<Result>(work: (sql: Sql, runScript: RunScript) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** A connection string, or the socket of an embedded database. */
export type DatabaseAddress = { url: string } | { socketPath: string };

export interface DatabaseOptions {
  /** Connections; the embedded database is one session and takes exactly one. */
  connections: number;
  deadlineMs?: number;
  onQuery?: (durationMs: number) => void;
}

interface Lane {
  client: postgres.Sql;
  pending: number;
}

const EMBEDDED_URL = "postgres://postgres@localhost/postgres";
const DEADLINE_MS = 2500;
const RECONNECT_SECONDS = 0.2;
const CONNECT_TIMEOUT_SECONDS = 2;

const unavailable = (cause?: unknown) =>
  new AppError("unavailable", "La base de données ne répond pas. Réessayez dans un instant.", {
    cause,
  });

/** SQLSTATE classes that speak of the server and not of the query: connection, resources, shutdown. */
const AWAY = /^(?:08|53|57P)/;
const AWAY_CODES =
  /^(?:CONNECTION_|CONNECT_|ECONN|ENOENT$|ENOTFOUND$|EPIPE$|ETIMEDOUT$|EAI_|EHOST|ENET)/;

function translate(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const away = error instanceof postgres.PostgresError ? AWAY.test(code) : AWAY_CODES.test(code);
  return away ? unavailable(error) : error;
}

/**
 * Connects lazily. One postgres.js instance never compacts its queue and slows under steady load, and
 * has no deadline: so there are several of one connection each, the least busy is taken, and one that
 * let a query pass its deadline is replaced.
 */
export function connectDatabase(address: DatabaseAddress, options: DatabaseOptions): Database {
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const connect = () =>
    postgres("url" in address ? address.url : EMBEDDED_URL, {
      ...("socketPath" in address && { path: address.socketPath }),
      max: 1,
      fetch_types: false,
      backoff: () => RECONNECT_SECONDS,
      connect_timeout: CONNECT_TIMEOUT_SECONDS,
      transform: postgres.camel,
      onnotice: () => {},
      connection: { application_name: "shipscore" },
    });
  const lanes: Lane[] = Array.from({ length: options.connections }, () => ({
    client: connect(),
    pending: 0,
  }));

  async function use<Result>(run: (client: postgres.Sql) => Promise<Result>): Promise<Result> {
    const lane = lanes.reduce((least, other) => (other.pending < least.pending ? other : least));
    const { client } = lane;
    const started = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (lane.client === client) lane.client = connect();
        reject(unavailable());
        void client.end({ timeout: 0 });
      }, deadlineMs);
    });
    lane.pending++;
    try {
      return await Promise.race([run(client), deadline]);
    } catch (error) {
      throw translate(error);
    } finally {
      clearTimeout(timer);
      lane.pending--;
      options.onQuery?.(performance.now() - started);
    }
  }

  const queryOn =
    (client: postgres.Sql | postgres.TransactionSql): Sql =>
    // postgres.js types each value by its place; a template that only forwards cannot name them.
    (strings, ...values) =>
      client(strings, ...(values as never[])) as Promise<never[]>;

  return {
    sql: (strings, ...values) => use((client) => queryOn(client)(strings, ...values)),
    begin: (work) =>
      use(
        (client) =>
          client.begin((transaction) =>
            work(queryOn(transaction), async (script) => {
              await transaction.unsafe(script).simple();
            }),
          ) as Promise<never>,
      ),
    async close() {
      await Promise.all(lanes.map((lane) => lane.client.end({ timeout: 5 })));
    },
  };
}

const unconnected = postgres({ max: 1 });

/** A piece of a query, to be put into one; it is never run by itself. */
export function fragment(
  strings: TemplateStringsArray,
  ...values: readonly Value[]
): postgres.Fragment {
  return unconnected(strings, ...(values as never[]));
}
