import { ConnectionLost } from "./failure.ts";
import type { Value } from "./fragment.ts";
import type { Connection } from "./connection.ts";
import type { Turn } from "./pool.ts";
import { writeStatement } from "./statement.ts";

/** Runs one query, on a pool or in a transaction; column names are converted to camelCase. */
export type Sql = <Row extends object>(
  strings: TemplateStringsArray,
  ...values: readonly Value[]
) => Promise<Row[]>;

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
  const sql: Sql = async (strings, ...values) => {
    requireTime();
    return connection.query(writeStatement(strings, values)) as Promise<never[]>;
  };
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
