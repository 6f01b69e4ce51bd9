import { setTimeout as sleep } from "node:timers/promises";
import type { ClientConfig, DatabaseError } from "pg";
import { AppError } from "../../base/errors.ts";
import { describeConnection, type DatabaseAddress, type Limits } from "./address.ts";
import {
  ConnectionLost,
  isReadOnlyError,
  isWorthAnotherTry,
  toAppError,
  unavailable,
} from "./failure.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { createPool, type Pool, type Turn, type Use } from "./pool.ts";
import { writeStatement } from "./statement.ts";
import { toSql, transact, type Query, type RunScript, type Sql } from "./transaction.ts";

export type { DatabaseAddress } from "./address.ts";
export { toSql, type RunScript, type Sql } from "./transaction.ts";

/** A database with a few connections. Every query and transaction ends within `deadlineMs`. */
export interface Database {
  readonly sql: Sql;
  /** How many connections reads share. */
  readonly readConnections: number;
  /**
   * Runs `work` in one transaction, which is rolled back if it throws. Keep it short and safe to repeat: after a
   * deadlock it is run once more.
   */
  begin<Result>(work: (sql: Sql, runScript: RunScript) => Promise<Result>): Promise<Result>;
  /** True while the last statement that could not write, as on a full disk, is newer than the last that did. */
  isReadOnly(): boolean;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Number of connections; the embedded database has a single session and takes exactly one. */
  connections: number;
  deadlineMs?: number;
  /** How long a statement waits for a lock; by default a little less than the deadline. */
  lockTimeoutMs?: number;
  /** False if a pooler that does not support named statements shares the connections. */
  arePrepared?: boolean;
  /** Most pending queries; any more are refused at once. */
  maxPending?: number;
  onQuery?: (durationMs: number) => void;
  /** Called with a message when a connection ends, and when a query becomes `unavailable`. */
  onTrouble?: (word: string) => void;
}

type Run<Result> = (connection: Connection, turn: Turn) => Promise<Result>;

export const DEADLINE_MS = 2500;
const LONGEST_CONNECT_MS = 12_000;
const MAX_PENDING = 1000;
/** By then the winner of a deadlock has its locks; an immediate second try might take them from it. */
const PAUSE_MS = 25;
/** The log names a refusal to write again after this time without one. */
const EPISODE_MS = 60_000;
/** Appears in the message of a server too old for this setting, in any language. */
const NEWER_SETTING = /\btransaction_timeout\b/;
/** A pooler's message about settings in the start-up packet. */
const REFUSED_SETTINGS = /unsupported startup parameter/;

/**
 * Connects to a database. Reads (`sql.read`) share half of the connections; the others take one statement or transaction at a time,
 * so that no read waits behind somebody else's lock. A single connection serves both in turn.
 */
export function connectDatabase(address: DatabaseAddress, options: DatabaseOptions): Database {
  const { connections, deadlineMs = DEADLINE_MS, maxPending = MAX_PENDING } = options;
  const patienceMs = deadlineMs * 0.8;
  const { lockTimeoutMs = patienceMs } = options;
  let limits: Limits | undefined = { deadlineMs, lockTimeoutMs, endsTransactions: true };
  const forLocks = Math.max(1, Math.floor(connections / 2));
  const exclusive = createPool(forLocks, openConnection);
  const readConnections = Math.max(1, connections - forLocks);
  const shared = connections === 1 ? exclusive : createPool(readConnections, openConnection);
  const poolFor: Record<Use, Pool> = { exclusive, shared };
  let pending = 0;
  let refusedWrite: { at: number; code: string | undefined } = { at: -Infinity, code: "" };
  let writtenAt = -Infinity;

  function onWrite(error?: DatabaseError): void {
    const now = performance.now();
    if (error === undefined) {
      writtenAt = now;
      return;
    }
    const { code, message } = error;
    if (code !== refusedWrite.code || now - refusedWrite.at > EPISODE_MS)
      options.onTrouble?.(
        `${code} ${message}: free or repair the database's disk, or connect to its primary`,
      );
    refusedWrite = { at: now, code };
  }

  function openConnection({
    onOpen,
    onEnd,
  }: Pick<ConnectionOptions, "onOpen" | "onEnd">): Connection {
    return new Connection(describeConnection(address, limits), {
      // The embedded one is a thread of this process: silent, it is busy, and it has no second session to turn to.
      silenceMs: "url" in address ? deadlineMs : undefined,
      connectMs: Math.min(patienceMs, LONGEST_CONNECT_MS),
      arePrepared: options.arePrepared ?? true,
      findOtherWay,
      onOpen,
      onWrite,
      onEnd(connection, end) {
        onEnd(connection, end);
        if (end.how !== "closed") options.onTrouble?.(`connection ${end.how}: ${end.why}`);
        if (end.how !== "silent") return;
        shared.dropIdle(connection.quietSince);
        exclusive.dropIdle(connection.quietSince);
      },
    });
  }

  function findOtherWay({ message }: Error): ClientConfig | undefined {
    if (limits && NEWER_SETTING.test(message)) {
      limits = { ...limits, endsTransactions: false };
      return describeConnection(address, limits);
    }
    if (!REFUSED_SETTINGS.test(message)) return undefined;
    if (limits) void warnWithoutLimits(message).catch(() => {});
    limits = undefined;
    return describeConnection(address, limits);
  }

  async function warnWithoutLimits(refusal: string): Promise<void> {
    const [left] = await sql.read<{ timeout: string }>`
      select current_setting('statement_timeout') as timeout`;
    if (left?.timeout === "0")
      options.onTrouble?.(`${refusal}: its timeouts are to be set on the role`);
  }

  async function attempt<Result>(use: Use, turn: Turn, run: Run<Result>): Promise<Result> {
    const taken = poolFor[use].take(use, turn);
    const connection = taken instanceof Promise ? await taken : taken;
    turn.leave = undefined;
    try {
      return await run(connection, turn);
    } finally {
      poolFor[use].release(connection, use);
    }
  }

  /** A query stays pending until the server has answered, even past its deadline. */
  async function attemptTwice<Result>(use: Use, turn: Turn, run: Run<Result>): Promise<Result> {
    pending++;
    try {
      return await attempt(use, turn, run);
    } catch (error) {
      if (!isWorthAnotherTry(error)) throw error;
      await sleep(PAUSE_MS);
      if (turn.isOver) throw error;
      return await attempt(use, turn, run);
    } finally {
      pending--;
    }
  }

  async function answer<Result>(use: Use, run: Run<Result>): Promise<Result> {
    if (pending >= maxPending) throw unavailable(`${pending} queries wait already`);
    const turn: Turn = { isOver: false };
    let timer: NodeJS.Timeout | undefined;
    let lastRead: NodeJS.Immediate | undefined;
    const deadline = new Promise<never>((_, reject) => {
      // In a busy process the answer may already be in the socket, unread, when the time is up: read first.
      timer = setTimeout(() => {
        lastRead = setImmediate(() => {
          reject(unavailable(`no answer within ${deadlineMs} ms`));
          turn.isOver = true;
          turn.leave?.();
        });
      }, deadlineMs);
    });
    try {
      return await Promise.race([attemptTwice(use, turn, run), deadline]);
    } finally {
      clearTimeout(timer);
      clearImmediate(lastRead);
    }
  }

  async function ask<Result>(use: Use, run: Run<Result>): Promise<Result> {
    const started = performance.now();
    try {
      return await answer(use, run);
    } catch (error) {
      const failure = toAppError(error);
      const why =
        failure instanceof AppError && failure.cause instanceof Error && failure.cause.message;
      if (why && !(error instanceof ConnectionLost) && !isReadOnlyError(error))
        options.onTrouble?.(why);
      throw failure;
    } finally {
      options.onQuery?.(performance.now() - started);
    }
  }

  const queryOn =
    (use: Use): Query =>
    (strings, ...values) => {
      const statement = writeStatement(strings, values);
      return ask(use, (connection) => connection.query(statement)) as Promise<never[]>;
    };

  const sql = toSql(queryOn("exclusive"), queryOn("shared"));
  return {
    sql,
    readConnections,
    begin: (work) => ask("exclusive", (connection, turn) => transact(connection, turn, work)),
    isReadOnly: () => refusedWrite.at > writtenAt,
    async close() {
      await Promise.all([exclusive.close(), shared.close()]);
    },
  };
}
