import { randomBytes } from "node:crypto";
import { chmod, rename, rm } from "node:fs/promises";
import { createServer, request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import * as z from "zod";
import { AppError, isAppError } from "../../errors.ts";

/** Does an operator's work in the process that holds the directory; `input` and the result are JSON. */
export type Perform = (operation: string, input: unknown) => Promise<unknown>;

/** A process that wants a data directory, holds it or is about to leave it, as it names itself. */
const Holder = z.object({
  command: z.string(),
  pid: z.int(),
  since: z.string(),
  phase: z.enum(["contending", "holding", "leaving"]),
});
export type Holder = z.infer<typeof Holder>;

/** The holder left before it began the work: whoever asked may ask again. */
export class HolderLeft extends Error {}

/** A socket in the directory by which this process is seen and asked to work. */
export interface Door {
  readonly name: string;
  /** Resolves when no work runs. */
  finishWork(): Promise<void>;
  close(): Promise<void>;
}

export const DOOR_NAME = /^server-[0-9a-f]{8}\.sock$/;
export const DOOR_NAME_LENGTH = 20;
const ANSWER_TIMEOUT_MS = 10_000;

const Call = z.object({ operation: z.string(), input: z.unknown() });
const Reply = z.union([
  z.object({ result: z.unknown() }),
  z.object({ error: z.object({ usage: z.boolean(), message: z.string() }) }),
  z.object({ left: z.literal(true) }),
]);
type Reply = z.infer<typeof Reply>;

const refuse = (message: string, cause?: unknown) =>
  new AppError("refused_operation", { message }, { cause });

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
      const silent = refuse("The process that holds the data directory does not answer.");
      sent.setTimeout(ANSWER_TIMEOUT_MS, () => sent.destroy(silent));
    }
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** True for a socket at which nobody listens any more. */
const isDead = (error: unknown) =>
  error instanceof Error &&
  "code" in error &&
  (error.code === "ECONNREFUSED" || error.code === "ENOENT");
const isCutOff = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ECONNRESET";

/** Who listens at a socket; undefined when its process has died. */
export async function findHolder(socketPath: string): Promise<Holder | undefined> {
  try {
    return Holder.parse(await call(socketPath, "GET"));
  } catch (error) {
    if (isDead(error)) return undefined;
    if (isCutOff(error)) return findHolder(socketPath);
    throw error;
  }
}

/** Has work done by the process behind a socket. Throws `HolderLeft` when it has not begun it. */
export function performOver(socketPath: string, { command, pid }: Holder): Perform {
  return async (operation, input) => {
    const answer = await call(socketPath, "POST", { operation, input }).catch((error: unknown) => {
      if (isDead(error)) throw new HolderLeft();
      throw refuse(
        `\`${command}\` (process ${pid}) ended before it answered; the work may or may not be done.`,
        error,
      );
    });
    const reply = Reply.parse(answer);
    if ("left" in reply) throw new HolderLeft();
    if ("result" in reply) return reply.result;
    throw new AppError(reply.error.usage ? "usage" : "refused_operation", {
      message: reply.error.message,
    });
  };
}

/** Whether a failure's sentence is for whoever gave the command; any other is for the log of the holder. */
export const isForOperator = (error: unknown): error is AppError<"usage" | "refused_operation"> =>
  isAppError(error, "usage", "refused_operation");

function describe(error: unknown): Reply {
  if (isForOperator(error))
    return { error: { usage: error.code === "usage", message: error.message } };
  return { error: { usage: false, message: "The server failed; its log says why." } };
}

async function readCall(message: IncomingMessage): Promise<z.infer<typeof Call>> {
  try {
    return Call.parse(await readJson(message));
  } catch (error) {
    throw refuse("The server that holds the data directory knows no such call.", error);
  }
}

/**
 * Listens in the directory as `self`, whose phase the caller changes, and works while it is `holding`. The socket gets
 * its name last, so that nobody takes one that is not ready for a dead one.
 */
export async function openDoor(dataDir: string, self: Holder, perform: Perform): Promise<Door> {
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
  const server = createServer((message, response) => {
    const answer = (value: Holder | Reply) => void response.end(JSON.stringify(value));
    if (message.method === "GET") answer(self);
    else void work(message).catch(describe).then(answer);
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
