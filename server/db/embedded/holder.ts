import { randomBytes } from "node:crypto";
import { chmod, rename, rm } from "node:fs/promises";
import { createServer, request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import * as z from "zod";
import { AppError } from "../../base/errors.ts";

/** Performs an operator command in the process that holds the directory; `input` and the result are JSON. */
export type Perform = (operation: string, input: unknown) => Promise<unknown>;

/** How a process that wants, holds or is leaving a data directory introduces itself. */
const Holder = z.object({
  command: z.string(),
  pid: z.int(),
  since: z.string(),
  phase: z.enum(["contending", "holding", "leaving"]),
});
export type Holder = z.infer<typeof Holder>;

/** What the holder of the directory does for other processes, and how it describes errors to them. */
export interface Work {
  perform: Perform;
  describe: (error: unknown) => Failure;
}

/** The holder left before it began the work, so the request can be repeated. */
export class HolderLeft extends Error {}

/** A socket in the directory through which other processes find this one and send it work. */
export interface Door {
  readonly name: string;
  /** Resolves when no work is running. */
  finishWork(): Promise<void>;
  close(): Promise<void>;
}

export const DOOR_NAME = /^server-[0-9a-f]{8}\.sock$/;
export const DOOR_NAME_LENGTH = 20;
const ANSWER_TIMEOUT_MS = 10_000;

/** `usage`: the command was given wrongly. `message` is for the operator, whose program may be another version. */
const Failure = z.object({ usage: z.boolean(), message: z.string() });
export type Failure = z.infer<typeof Failure>;

const Call = z.object({ operation: z.string(), input: z.unknown() });
const Reply = z.union([
  z.object({ result: z.unknown() }),
  z.object({ error: Failure }),
  z.object({ left: z.literal(true) }),
]);
type Reply = z.infer<typeof Reply>;

async function readJson(message: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

function call(socketPath: string, method: "GET" | "POST", body?: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path: "/", agent: false }, (message) => {
      readJson(message).then(resolve, reject);
    });
    sent.on("error", reject);
    if (method === "GET") {
      const silent = new AppError("holder_silent", {});
      sent.setTimeout(ANSWER_TIMEOUT_MS, () => sent.destroy(silent));
    }
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** True if nobody is listening at the socket any more. */
const isDead = (error: unknown) =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ECONNREFUSED" || error.code === "ENOENT");
const isCutOff = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ECONNRESET";

/** Asks who is listening at a socket; undefined if that process has died. */
export async function findHolder(socketPath: string): Promise<Holder | undefined> {
  try {
    return Holder.parse(await call(socketPath, "GET"));
  } catch (error) {
    if (isDead(error)) return undefined;
    if (isCutOff(error)) return findHolder(socketPath);
    throw error;
  }
}

/**
 * Performs operator commands in the process behind a socket. Throws `HolderLeft` if it did not begin the work,
 * `holder_ended` if it broke off, and `refused_by_holder` or `usage_by_holder` with its message.
 */
export function performOver(socketPath: string, { command, pid }: Holder): Perform {
  return async (operation, input) => {
    const answer = await call(socketPath, "POST", { operation, input }).catch((error: unknown) => {
      if (isDead(error)) throw new HolderLeft();
      throw new AppError("holder_ended", { command, pid }, { cause: error });
    });
    const reply = Reply.parse(answer);
    if ("left" in reply) throw new HolderLeft();
    if ("result" in reply) return reply.result;
    const { usage, message: words } = reply.error;
    throw new AppError(usage ? "usage_by_holder" : "refused_by_holder", { words });
  };
}

async function readCall(message: IncomingMessage): Promise<z.infer<typeof Call>> {
  try {
    return Call.parse(await readJson(message));
  } catch (error) {
    throw new AppError("call_invalid", {}, { cause: error });
  }
}

/**
 * Listens in the directory as `self`, whose phase the caller changes, and works while that is `holding`. The socket
 * gets its final name last, so that one that is not ready yet is never mistaken for a dead one.
 */
export async function openDoor(
  dataDir: string,
  self: Holder,
  { perform, describe }: Work,
): Promise<Door> {
  const id = randomBytes(4).toString("hex");
  const name = `server-${id}.sock`;
  const working = new Set<Promise<unknown>>();
  const work = async (message: IncomingMessage): Promise<Reply> => {
    const { operation, input } = await readCall(message);
    if (self.phase !== "holding") return { left: true };
    const performing = perform(operation, input);
    working.add(performing);
    return { result: (await performing.finally(() => working.delete(performing))) ?? null };
  };
  const toReply = (error: unknown): Reply => ({ error: describe(error) });
  const server = createServer((message, response) => {
    const answer = (value: Holder | Reply) => void response.end(JSON.stringify(value));
    if (message.method === "GET") answer(self);
    else void work(message).catch(toReply).then(answer);
  });
  server.requestTimeout = 0;
  const unready = join(dataDir, `server-${id}.new`);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(unready, resolve);
  });
  await chmod(unready, 0o600);
  await rename(unready, join(dataDir, name));
  return {
    name,
    async finishWork() {
      await Promise.allSettled(working);
    },
    async close() {
      await rm(join(dataDir, name), { force: true });
      await new Promise((closed) => server.close(closed));
    },
  };
}
