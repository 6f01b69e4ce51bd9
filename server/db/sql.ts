import postgres from "postgres";
import { AppError } from "../errors.ts";
import { openConnection, type Connection, type DatabaseAddress } from "./connection.ts";
import { Fragment, writeQuery, type Value } from "./fragment.ts";

export type { DatabaseAddress } from "./connection.ts";

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

export interface DatabaseOptions {
  /** Connections; the embedded database is one session and takes exactly one. */
  connections: number;
  deadlineMs?: number;
  onQuery?: (durationMs: number) => void;
}

interface Lane {
  connection: Connection;
  pending: number;
}

const DEADLINE_MS = 2500;

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
 * Connects lazily. One postgres.js instance never compacts its queue and slows under steady load, and has no
 * deadline: so there are several of one connection each, and the least busy is taken. One that let a query pass its
 * deadline is replaced, and so are those that do nothing, since they may be as dead.
 */
export function connectDatabase(address: DatabaseAddress, options: DatabaseOptions): Database {
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const lanes: Lane[] = Array.from({ length: options.connections }, () => ({
    connection: openConnection(address),
    pending: 0,
  }));

  function giveUp(connection: Connection): void {
    for (const lane of lanes.filter(
      (each) => each.connection === connection || each.pending === 0,
    )) {
      lane.connection.drop();
      lane.connection = openConnection(address);
    }
  }

  async function use<Result>(run: (client: postgres.Sql) => Promise<Result>): Promise<Result> {
    const lane = lanes.reduce((least, other) => (other.pending < least.pending ? other : least));
    const { connection } = lane;
    const started = performance.now();
    let timer: NodeJS.Timeout | undefined;
    let lastLook: NodeJS.Immediate | undefined;
    const deadline = new Promise<never>((_, reject) => {
      // On a busy process the answer may lie unread in the socket when the time is over: it is read first.
      timer = setTimeout(() => {
        lastLook = setImmediate(() => {
          reject(unavailable());
          giveUp(connection);
        });
      }, deadlineMs);
    });
    lane.pending++;
    try {
      return await Promise.race([run(connection.client), deadline]);
    } catch (error) {
      throw translate(error);
    } finally {
      clearTimeout(timer);
      clearImmediate(lastLook);
      lane.pending--;
      options.onQuery?.(performance.now() - started);
    }
  }

  const queryOn =
    (client: postgres.Sql | postgres.TransactionSql): Sql =>
    (strings, ...values) => {
      const parameters: postgres.SerializableParameter[] = [];
      const text = writeQuery(new Fragment(strings, values), parameters);
      // Safe, whatever its name: the text comes from templates alone, and every value is a parameter.
      return client.unsafe(text, parameters, { prepare: true }) as Promise<never[]>;
    };

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
      await Promise.all(lanes.map((lane) => lane.connection.close()));
    },
  };
}
