import { ConnectionLost } from "./failure.ts";
import type { Value } from "./fragment.ts";
import type { Connection } from "./connection.ts";
import type { Turn } from "./pool.ts";
import { writeStatement } from "./statement.ts";

/** Runs one query; column names are converted to camelCase. */
export type Query = <Row extends object>(
  strings: TemplateStringsArray,
  ...values: readonly Value[]
) => Promise<Row[]>;

/** Runs queries on a pool or in a transaction. */
export interface Sql extends Query {
  /**
   * Only for a query that never waits for a row that another transaction has locked: on a pool it shares its connection
   * with others, which would wait with it.
   */
  readonly read: Query;
}

export const toSql = (query: Query, read = query): Sql => Object.assign(query, { read });

/** Runs several statements without parameters. */
export type RunScript = (script: string) => Promise<void>;

/**
 * Runs `work` between begin and commit on one connection. A lost connection is not reopened, so no statement can run
 * outside the transaction. After the deadline, statements are refused and nothing is committed.
 */
export async function transact<Result>(
  connection: Connection,
  turn: Turn,
  work: (sql: Sql, runScript: RunScript) => Promise<Result>,
): Promise<Result> {
  let isOpen = true;
  const requireTime = () => {
    if (turn.isOver || !isOpen) throw new ConnectionLost("the transaction is over");
  };
  const sql = toSql(async (strings, ...values) => {
    requireTime();
    return connection.query(writeStatement(strings, values)) as Promise<never[]>;
  });
  const runScript: RunScript = async (script) => {
    requireTime();
    await connection.run(script);
  };
  await connection.run("begin");
  try {
    const result = await work(sql, runScript);
    requireTime();
    isOpen = false;
    if ((await connection.run("commit")) !== "COMMIT")
      throw new Error("The transaction was rolled back: the error of a statement was ignored.");
    return result;
  } catch (error) {
    isOpen = false;
    // The server rolls back once its client is gone; a rollback over a connection that may be dead would take longer.
    if (turn.isOver) connection.drop("lost", "a transaction was past its deadline");
    else await connection.run("rollback").catch(() => connection.drop("lost", "a rollback failed"));
    throw error;
  }
}
