import { randomBytes } from "node:crypto";
import { chmod, mkdir, readdir, rm } from "node:fs/promises";
import { createServer, request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { AppError } from "../errors.ts";

/** Does an operator's work in the process that holds the directory; `input` and the result are JSON. */
export type Perform = (operation: string, input: unknown) => Promise<unknown>;

/** The process that holds a data directory, as it names itself. */
const Holder = z.object({ command: z.string(), pid: z.int(), since: z.string() });
export type Holder = z.infer<typeof Holder>;

export type Occupancy =
  | { held: true; release: () => Promise<void> }
  | { held: false; holder: Holder; perform: Perform };

const SOCKET = /^server-[0-9a-f]{8}\.sock$/;
/** The longest path that a Unix socket can have everywhere (sun_path is 104 bytes on macOS). */
const MAX_SOCKET_PATH_BYTES = 100;
const LOOKS = 5;
const LOOK_INTERVAL_MS = 100;
const ANSWER_TIMEOUT_MS = 10_000;

const Reply = z.union([
  z.object({ result: z.unknown() }),
  z.object({ error: z.object({ usage: z.boolean(), message: z.string() }) }),
]);

async function readJson(message: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

function call(socketPath: string, method: "GET" | "POST", body?: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path: "/" }, (message) => {
      readJson(message).then(resolve, reject);
    });
    sent.on("error", reject);
    if (method === "GET") {
      sent.setTimeout(ANSWER_TIMEOUT_MS, () =>
        sent.destroy(new Error("its holder does not answer")),
      );
    }
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** The holder behind a socket; undefined when nobody listens there any more. */
async function findHolder(socketPath: string): Promise<Holder | undefined> {
  try {
    return Holder.parse(await call(socketPath, "GET"));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ECONNREFUSED" || code === "ENOENT" || code === "ECONNRESET") return undefined;
    throw error;
  }
}

function performOver(socketPath: string): Perform {
  return async (operation, input) => {
    const reply = Reply.parse(await call(socketPath, "POST", { operation, input }));
    if ("result" in reply) return reply.result;
    throw new AppError(reply.error.usage ? "usage" : "refused_operation", reply.error.message);
  };
}

function listen(socketPath: string, self: Holder, perform: Perform): Promise<() => Promise<void>> {
  const Call = z.object({ operation: z.string(), input: z.unknown() });
  const server = createServer((message, response) => {
    const answer = (value: unknown) => response.end(JSON.stringify(value));
    if (message.method === "GET") {
      answer(self);
      return;
    }
    readJson(message)
      .then((body) => Call.parse(body))
      .then(({ operation, input }) => perform(operation, input))
      .then(
        (result) => answer({ result: result ?? null }),
        (error: unknown) => answer({ error: describe(error) }),
      );
  });
  server.requestTimeout = 0;
  server.keepAliveTimeout = 1;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(socketPath, () =>
      resolve(() => new Promise((closed) => server.close(() => closed()))),
    );
  });
}

function describe(error: unknown): { usage: boolean; message: string } {
  if (error instanceof AppError) return { usage: error.code === "usage", message: error.message };
  return { usage: false, message: "The server failed; its log says why." };
}

/**
 * Takes the data directory for this process, or finds who has it. The lock is a listening Unix socket of a name
 * never used twice: whoever listens holds, and a socket that refuses is left over from a process that died.
 * Each listens first and looks at the others afterwards, so that of two at least one sees the other; the younger
 * gives way, and the older waits a little for that.
 */
export async function occupyDataDir(
  dataDir: string,
  command: string,
  perform: Perform,
): Promise<Occupancy> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const self: Holder = { command, pid: process.pid, since: new Date().toISOString() };
  const name = `server-${randomBytes(4).toString("hex")}.sock`;
  const socketPath = join(dataDir, name);
  if (Buffer.byteLength(socketPath) > MAX_SOCKET_PATH_BYTES) {
    throw new AppError(
      "refused_operation",
      `The path ${dataDir} is too long for a Unix socket in it (${MAX_SOCKET_PATH_BYTES} bytes in all). Choose a shorter one with --data-dir or SHIPSCORE_DATA_DIR.`,
    );
  }
  const release = await listen(socketPath, self, perform);
  await chmod(socketPath, 0o600);
  for (let look = 1; ; look++) {
    const other = await findOther(dataDir, name);
    if (other === undefined) return { held: true, release };
    if (look === LOOKS || other.holder.since <= self.since) {
      await release();
      return { held: false, holder: other.holder, perform: performOver(other.socketPath) };
    }
    await sleep(LOOK_INTERVAL_MS);
  }
}

async function findOther(dataDir: string, own: string) {
  const names = (await readdir(dataDir)).filter((name) => SOCKET.test(name) && name !== own);
  for (const name of names) {
    const socketPath = join(dataDir, name);
    const holder = await findHolder(socketPath);
    if (holder !== undefined) return { socketPath, holder };
    await rm(socketPath, { force: true });
  }
  return undefined;
}
