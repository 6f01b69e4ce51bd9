import { Client, DatabaseError, type ClientConfig } from "pg";
import { ConnectionLost, isReadOnlyError } from "./failure.ts";
import { TYPES } from "./json.ts";
import type { Statement } from "./statement.ts";

export interface ConnectionOptions {
  /** A connection with pending queries is given up after this much silence; undefined: never. */
  readonly silenceMs: number | undefined;
  readonly connectMs: number;
  readonly arePrepared: boolean;
  /** Other options to try, once, after a connection was refused. */
  findOtherWay: (refusal: Error) => ClientConfig | undefined;
  onOpen(): void;
  /** Called when a statement outside a transaction has written, and with the error of any that could not. */
  onWrite(refusal?: DatabaseError): void;
  /** Called once, when the connection can no longer be used. */
  onEnd(connection: Connection, end: End): void;
}

/** How a connection ended, with the message of the driver or the server. */
export interface End {
  readonly how: "refused" | "lost" | "silent" | "closed";
  readonly why: string;
}

const CLOSE_MS = 2000;
const KEEP_ALIVE_MS = 10_000;
const WRITES = /^(?:INSERT|UPDATE|DELETE)$/;

const camelCase = new Map<string, string>();

function nameOf(column: string): string {
  let name = camelCase.get(column);
  if (name === undefined) {
    name = column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    camelCase.set(column, name);
  }
  return name;
}

/** One connection, from opening to end. Queries are sent at once (pipelined) and answered in order. */
export class Connection {
  isOpen = false;
  /** True while one statement or transaction has the connection to itself. */
  isTaken = false;
  /** Queries sent and not yet answered. */
  pending = 0;
  /** When it last received something. */
  quietSince = performance.now();
  #client: Client;
  readonly #options: ConnectionOptions;
  #watch: NodeJS.Timeout | undefined;
  #isCorked = false;
  #isClosing = false;
  #ended: string | undefined;

  constructor(config: ClientConfig, options: ConnectionOptions) {
    this.#options = options;
    this.#client = this.#connect(config, options.findOtherWay);
  }

  #connect(config: ClientConfig, findOtherWay?: ConnectionOptions["findOtherWay"]): Client {
    const client = new Client({
      ...config,
      types: TYPES,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: this.#options.connectMs,
    });
    const unlessReplaced = (handle: () => void) => {
      if (client === this.#client) handle();
    };
    client.on("error", (error) => unlessReplaced(() => this.#fail(error)));
    client.on("end", () => unlessReplaced(() => this.drop("lost", "Connection terminated")));
    client.connect((error: Error | null) => {
      const otherWay = error && findOtherWay?.(error);
      if (otherWay) {
        client.connection.stream.destroy();
        this.#client = this.#connect(otherWay);
      } else if (error) {
        this.#fail(error);
      } else {
        this.#begin();
      }
    });
    return client;
  }

  #begin(): void {
    this.#client.connection.stream.on("data", () => {
      this.quietSince = performance.now();
    });
    this.isOpen = true;
    this.#options.onOpen();
  }

  #fail(error: Error): void {
    const code = error instanceof DatabaseError ? `${error.code} ` : "";
    this.drop(this.isOpen ? "lost" : "refused", `${code}${error.message}`);
  }

  /** Runs a query; column names are converted to camelCase. */
  async query({ name, text, values }: Statement): Promise<object[]> {
    const { rows, fields, command, rowCount } = await this.#ask(() =>
      this.#client.query<unknown[]>({
        text,
        values,
        rowMode: "array",
        name: this.#options.arePrepared ? name : undefined,
      }),
    );
    if (WRITES.test(command) && rowCount !== 0 && this.#client.getTransactionStatus() === "I")
      this.#options.onWrite();
    const names = fields.map((field) => nameOf(field.name));
    return rows.map((cells) => {
      const row: Record<string, unknown> = {};
      for (let index = 0; index < names.length; index++) row[names[index] ?? ""] = cells[index];
      return row;
    });
  }

  /** Runs statements without parameters and returns the command tag of the last one, such as COMMIT or ROLLBACK. */
  async run(script: string): Promise<string> {
    // The driver's types do not cover several statements, which have several results.
    const result: { command: string } | { command: string }[] = await this.#ask(() =>
      this.#client.query(script),
    );
    return [result].flat().at(-1)?.command ?? "";
  }

  async #ask<Result>(send: () => Promise<Result>): Promise<Result> {
    if (this.#ended !== undefined) throw new ConnectionLost(this.#ended);
    if (this.pending++ === 0) this.quietSince = performance.now();
    const { silenceMs } = this.#options;
    if (silenceMs !== undefined && this.#watch === undefined) this.#watchSilence(silenceMs);
    this.#writeTogether();
    try {
      return await send();
    } catch (error) {
      if (isReadOnlyError(error)) this.#options.onWrite(error);
      if (this.#ended === undefined || error instanceof DatabaseError) throw error;
      throw new ConnectionLost(this.#ended);
    } finally {
      this.pending--;
    }
  }

  /** Writes the queries of one turn of the event loop together; a write for each took a fifth of the loop's time. */
  #writeTogether(): void {
    if (this.#isCorked) return;
    const { stream } = this.#client.connection;
    stream.cork();
    this.#isCorked = true;
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  #watchSilence(silenceMs: number, inMs = silenceMs): void {
    const check = () => {
      this.#watch = undefined;
      if (this.pending === 0) return;
      const leftMs = this.quietSince + silenceMs - performance.now();
      if (leftMs > 0) this.#watchSilence(silenceMs, leftMs);
      else this.drop("silent", `nothing answered for ${silenceMs} ms`);
    };
    // In a busy process the answer may already be in the socket, unread, when the time is up: read first.
    this.#watch = setTimeout(() => setImmediate(check), inMs).unref();
  }

  /** Ends the connection at once, even if the server is silent; pending queries fail with `ConnectionLost`. */
  drop(how: End["how"], why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.isOpen = false;
    clearTimeout(this.#watch);
    this.#client.connection.stream.destroy();
    this.#options.onEnd(this, { how: this.#isClosing ? "closed" : how, why });
  }

  /** Waits up to 2 s for pending queries, then closes. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const timer = setTimeout(() => this.drop("closed", "closed"), CLOSE_MS);
    if (this.isOpen) await this.#client.end();
    clearTimeout(timer);
    this.drop("closed", "closed");
  }
}
