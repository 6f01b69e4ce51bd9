import { chmod, rename, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import * as z from "zod";
import { AppError } from "../../base/errors.ts";

/** `input` and the result are JSON. */
export type Perform = (operation: string, input: unknown) => Promise<unknown>;

/** The holder sends this to each client that connects. */
const Holder = z.object({ command: z.string(), pid: z.int(), since: z.string() });
export type Holder = z.infer<typeof Holder>;

export interface HolderWork {
  perform: Perform;
  describe: (error: unknown) => Failure;
}

/** The holder left before it began the work, so the call can be repeated. */
export class HolderLeft extends Error {}

export interface AdminSocket {
  /** Accepts no more clients, and resolves when all accepted ones have their answers. */
  close(): Promise<void>;
}

const SILENT_MS = 10_000;

/** `usage`: the command line was wrong. `message` is for the operator, whose program may be another version. */
const Failure = z.object({ usage: z.boolean(), message: z.string() });
export type Failure = z.infer<typeof Failure>;

const Call = z.object({ operation: z.string(), input: z.unknown() });
const Reply = z.union([z.object({ result: z.unknown() }), z.object({ error: Failure })]);
type Reply = z.infer<typeof Reply>;

const send = (socket: Socket, message: Holder | Reply | z.infer<typeof Call>) =>
  socket.write(`${JSON.stringify(message)}\n`);

async function* readLines(socket: Socket): AsyncGenerator<string, undefined> {
  let text = "";
  for await (const chunk of socket.setEncoding("utf8")) {
    const lines = (text + (chunk as string)).split("\n");
    text = lines.pop() ?? "";
    yield* lines;
  }
}

const UNACCEPTED = new Set<unknown>(["ECONNREFUSED", "ENOENT", "ECONNRESET", "EPIPE"]);
const isUnaccepted = (error: unknown) =>
  error instanceof Error && "code" in error && UNACCEPTED.has(error.code);

async function connectToHolder(path: string) {
  const socket = connect(path);
  const lines = readLines(socket);
  socket.setTimeout(SILENT_MS, () => socket.destroy(new AppError("holder_silent", {})));
  try {
    const { value } = await lines.next();
    socket.setTimeout(0);
    if (value === undefined) return undefined;
    return { socket, lines, holder: Holder.parse(JSON.parse(value)) };
  } catch (error) {
    if (isUnaccepted(error)) return undefined;
    throw error;
  }
}

/** Throws `holder_silent`. */
export async function findHolder(path: string): Promise<Holder | undefined> {
  const connected = await connectToHolder(path);
  connected?.socket.destroy();
  return connected?.holder;
}

/** Throws `HolderLeft`, `holder_ended` if the holder broke off, `refused_by_holder` and `usage_by_holder`. */
export function performOver(path: string): Perform {
  return async (operation, input) => {
    const connected = await connectToHolder(path);
    if (connected === undefined) throw new HolderLeft();
    const { socket, lines, holder } = connected;
    const { command, pid } = holder;
    const ended = (cause?: unknown) => new AppError("holder_ended", { command, pid }, { cause });
    send(socket, { operation, input });
    const { value } = await lines.next().catch((error: unknown) => {
      throw ended(error);
    });
    socket.destroy();
    if (value === undefined) throw ended();
    const reply = Reply.parse(JSON.parse(value));
    if ("result" in reply) return reply.result;
    const { usage, message: words } = reply.error;
    throw new AppError(usage ? "usage_by_holder" : "refused_by_holder", { words });
  };
}

function readCall(line: string): z.infer<typeof Call> {
  try {
    return Call.parse(JSON.parse(line));
  } catch (error) {
    throw new AppError("call_invalid", {}, { cause: error });
  }
}

/** Only the process that has the lock of the directory may call this. */
export async function openAdminSocket(
  path: string,
  holder: Holder,
  { perform, describe }: HolderWork,
): Promise<AdminSocket> {
  async function answer(line: string): Promise<Reply> {
    try {
      const { operation, input } = readCall(line);
      return { result: (await perform(operation, input)) ?? null };
    } catch (error) {
      return { error: describe(error) };
    }
  }
  async function serve(socket: Socket): Promise<void> {
    socket.setTimeout(SILENT_MS, () => socket.destroy());
    send(socket, holder);
    const { value } = await readLines(socket).next();
    if (value === undefined) return;
    socket.setTimeout(0);
    const reply = await answer(value);
    socket.setTimeout(SILENT_MS);
    send(socket, reply);
    socket.destroySoon();
  }
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    serve(socket).catch(() => socket.destroy());
  });
  // Until chmod, another user could connect, so the socket gets its final name last.
  const unnamed = path.replace(/sock$/, "new");
  await rm(unnamed, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(unnamed, resolve);
  });
  await chmod(unnamed, 0o600);
  await rename(unnamed, path);
  return {
    async close() {
      await rm(path, { force: true });
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
