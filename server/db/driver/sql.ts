import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient, QueryResult } from "pg";
import { createConnector, type DatabaseAddress } from "./address.ts";
import {
  ConnectionLost,
  describeDatabaseError,
  isCut,
  isOfConnection,
  isUndone,
  isWriteRefused,
  toUnavailable,
} from "./failure.ts";
import { Fragment, writeQuery, type Parameter, type Value } from "./fragment.ts";

/** Converts column names to camelCase. */
type Query = <Row extends object>(
  strings: TemplateStringsArray,
  ...values: readonly Value[]
) => Promise<Row[]>;

export interface Sql extends Query {
  /** Only for queries that never wait for a row lock: on a pool it uses the connections for reads. */
  readonly read: Query;
}

export const toSql = (query: Query, read = query): Sql => Object.assign(query, { read });

export type RunScript = (script: string) => Promise<void>;

interface Lease {
  readonly client: PoolClient;
  isCut: boolean;
  isOver: boolean;
}

/** Every query and transaction ends within `deadlineMs`. */
export interface Database {
  readonly sql: Sql;
  readonly readConnections: number;
  /** Rolls back if `work` throws. Keep it short and safe to repeat: it runs once more after a deadlock. */
  begin<Result>(work: (sql: Sql, run: RunScript) => Promise<Result>): Promise<Result>;
  /** True if the last write was refused, for example because of a full disk. */
  isReadOnly(): boolean;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The embedded database has a single session and needs exactly one connection. */
  connections: number;
  deadlineMs?: number;
  lockTimeoutMs?: number;
  maxWaiting?: number;
  onQuery?: (durationMs: number) => void;
  /** For a lost idle connection, and for queries that become `unavailable`. */
  onTrouble?: (word: string) => void;
}

export const DEADLINE_MS = 2500;
const CLOSE_MS = 2000;
/** Enough for the winner of a deadlock to get its locks; an immediate retry might take them from it. */
const PAUSE_MS = 25;
const CANNOT_WRITE = "free or repair the database's disk, or connect to its primary";
const WRITES = /^(?:INSERT|UPDATE|DELETE)$/;

async function send<Result>(lease: Lease, ask: () => Promise<Result>): Promise<Result> {
  if (lease.isCut || lease.isOver) throw new ConnectionLost("the transaction is over");
  try {
    return await ask();
  } catch (error) {
    lease.isCut ||= isCut(error);
    throw isOfConnection(error) ? new ConnectionLost((error as Error).message) : error;
  }
}

function runQuery(lease: Lease, query: Fragment): Promise<QueryResult<unknown[]>> {
  const values: Parameter[] = [];
  const text = writeQuery(query, values);
  return send(lease, () => lease.client.query<unknown[]>({ text, values, rowMode: "array" }));
}

function toRows<Row>({ fields, rows }: QueryResult<unknown[]>): Row[] {
  const names = fields.map(({ name }) =>
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  );
  return rows.map(
    (cells) => Object.fromEntries(names.map((name, index) => [name, cells[index]])) as Row,
  );
}

async function transact<Result>(
  lease: Lease,
  work: (sql: Sql, run: RunScript) => Promise<Result>,
): Promise<Result> {
  const run: RunScript = async (script) => {
    await send(lease, () => lease.client.query(script));
  };
  const sql = toSql(async (strings, ...values) =>
    toRows(await runQuery(lease, new Fragment(strings, values))),
  );
  const end = async (script: string) => {
    const ending = send(lease, () => lease.client.query(script));
    lease.isOver = true;
    return (await ending).command;
  };
  await run("begin");
  try {
    const result = await work(sql, run);
    if ((await end("commit")) !== "COMMIT")
      throw new Error("The transaction was rolled back: the error of a statement was ignored.");
    return result;
  } catch (error) {
    // Not after a lost connection: the server then rolls back by itself.
    if (!lease.isCut && !lease.isOver) await end("rollback");
    throw error;
  }
}

/** Half of the connections are for reads, so that no read waits for another transaction's lock. */
export function connectDatabase(address: DatabaseAddress, options: DatabaseOptions): Database {
  const { connections, deadlineMs = DEADLINE_MS, maxWaiting = 1000 } = options;
  const { lockTimeoutMs = deadlineMs * 0.8, onTrouble = () => {} } = options;
  let [writtenAt, writeRefusedAt] = [-Infinity, -Infinity];
  const isReadOnly = () => writeRefusedAt > writtenAt;
  const leases = new Set<Lease>();
  const connector = createConnector(address, {
    limits: { deadlineMs, lockTimeoutMs, endsTransactions: true },
    maxWaiting,
    onTrouble,
    onLimitsRefused: (message) => void warnWithoutLimits(message).catch(() => {}),
  });
  const others = connector.openPool(Math.max(1, Math.floor(connections / 2)));
  const reads = connections === 1 ? others : connector.openPool(connections - others.options.max);

  async function warnWithoutLimits(refused: string): Promise<void> {
    const [left] = await sql.read<{ timeout: string }>`
      select current_setting('statement_timeout') as timeout`;
    if (left?.timeout === "0") onTrouble(`${refused}: its timeouts are to be set on the role`);
  }

  function release(lease: Lease, lost: Error | boolean = lease.isCut): void {
    if (!leases.delete(lease)) return;
    lease.client.release(lost);
    lease.isCut = true;
  }

  async function lend<Result>(
    pool: Pool,
    work: (lease: Lease) => Promise<Result>,
  ): Promise<Result> {
    const endsAt = performance.now() + deadlineMs;
    let lease: Lease = { client: await connector.connect(pool), isCut: false, isOver: false };
    leases.add(lease);
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      const giveUp = () => {
        const silence = new ConnectionLost(`no answer within ${deadlineMs} ms`);
        reject(silence);
        release(lease, silence);
      };
      // In a busy process the answer may already be in the socket, unread, at the deadline: read it first.
      timer = setTimeout(() => setImmediate(giveUp), endsAt - performance.now());
    });
    const workAgain = async (error: unknown) => {
      if (!isUndone(error)) throw error;
      await sleep(PAUSE_MS);
      // The first run keeps its old lease, which can send nothing more.
      if (leases.delete(lease)) leases.add((lease = { ...lease, isOver: false }));
      return work(lease);
    };
    try {
      return await Promise.race([work(lease).catch(workAgain), deadline]);
    } finally {
      clearTimeout(timer);
      release(lease);
    }
  }

  async function ask<Result>(pool: Pool, work: (lease: Lease) => Promise<Result>): Promise<Result> {
    const started = performance.now();
    try {
      return await lend(pool, work);
    } catch (error) {
      const failure = toUnavailable(error);
      const why = describeDatabaseError(error as Error);
      if (isWriteRefused(failure)) {
        if (!isReadOnly()) onTrouble(`${why}: ${CANNOT_WRITE}`);
        writeRefusedAt = performance.now();
      } else if (failure !== error) onTrouble(why);
      throw failure;
    } finally {
      options.onQuery?.(performance.now() - started);
    }
  }

  const queryOn =
    (pool: Pool): Query =>
    async (strings, ...values) => {
      const result = await ask(pool, (lease) => runQuery(lease, new Fragment(strings, values)));
      if (WRITES.test(result.command) && result.rowCount) writtenAt = performance.now();
      return toRows(result);
    };

  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    const timer = setTimeout(() => leases.forEach((lease) => release(lease, true)), CLOSE_MS);
    await Promise.all([...new Set([others, reads])].map((pool) => pool.end()));
    clearTimeout(timer);
  }

  const sql = toSql(queryOn(others), queryOn(reads));
  return {
    sql,
    readConnections: reads.options.max,
    begin: (work) => ask(others, (lease) => transact(lease, work)),
    isReadOnly,
    close: () => (closing ??= close()),
  };
}
