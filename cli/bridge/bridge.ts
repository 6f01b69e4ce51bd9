/*
 * Replaces the transports of the MCP SDK. Bundled and minified, StreamableHTTPClientTransport and StdioServerTransport of
 * version 2.4.0 take 713 kB (the first alone 456 kB), more than the rest of the command's package. Using them would take
 * as much code as this folder has.
 */
import { once } from "node:events";
import type { Text } from "../../shared/language.ts";
import { describeCount, say } from "../../shared/report/words.ts";
import { addAbortSignal, type Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CliError,
  describeError,
  formatError,
  networkCode,
  usageError,
} from "../terminal/errors.ts";
import { readError } from "../client/api-responses.ts";
import type { Settings } from "../client/settings.ts";
import type { Context } from "../terminal/command.ts";
import { cleanText } from "../terminal/json.ts";
import type { Io } from "../terminal/io.ts";
import { openExchange } from "./exchange.ts";
import { readLines, type Line, readMessage, type Id, type Message } from "./messages.ts";

/** The server takes no more in one message. */
const MAX_MESSAGE_BYTES = 65_536;
const MAX_CALLS = 1000;
/** How long calls may still run after the end of stdin. */
const GRACE_MS = 1200;

/** JSON-RPC error codes. `failed` is the first of the codes for implementations. */
const RPC = { notJson: -32700, invalid: -32600, failed: -32000 } as const;

function formatFault(id: Id, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: cleanText(message) } });
}

const MAX_UNREAD = 100;

/** A client may never read stderr, so further lines are dropped while 100 are unread. */
function openNotes(io: Io): Io["note"] {
  let unread = 0;
  return async (text) => {
    if (unread >= MAX_UNREAD) return;
    unread += 1;
    void io.note(text).finally(() => (unread -= 1));
  };
}

const WAITING: Text = {
  fr: "en attente de JSON-RPC sur stdin, tel que l'envoie un client MCP. Ctrl-D pour terminer.",
  en: "waiting for JSON-RPC on stdin, as an MCP client sends it. Press Ctrl-D to stop.",
};

const stdinError = (code: string): CliError =>
  usageError(
    { fr: `impossible de lire stdin (${code})`, en: `stdin cannot be read (${code})` },
    { fr: "Lancez la commande depuis un client MCP", en: "Run it from an MCP client" },
  );

interface Call {
  readonly id: Id | undefined;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/**
 * JSON-RPC errors are in English; the lines on stderr are in the reader's language.
 * @throws CliError if stdin cannot be read or stdout cannot be written; the signal's reason once the signal aborts
 */
export async function runBridge(settings: Settings, context: Context): Promise<void> {
  const { io, signal } = context;
  const note = openNotes(io);
  const exchange = openExchange(settings, note, context.now);
  const calls = new Set<Call>();
  const end = new AbortController();
  const ended = once(end.signal, "abort");
  let unwritten: unknown;

  async function print(line: string): Promise<void> {
    try {
      if (await io.print(`${line}\n`)) return;
    } catch (error) {
      unwritten = error;
    }
    end.abort();
  }

  async function write(line: string): Promise<void> {
    await Promise.race([print(line), ended]);
  }

  async function refuse(id: Id | undefined, code: number, sentence: Text): Promise<void> {
    await note(`shipscore: ${say(sentence, io.language)}`);
    if (id !== undefined) await write(formatFault(id, code, sentence.en));
  }

  async function forward(message: Message, own: AbortSignal): Promise<void> {
    let isAnswered = false;
    try {
      await exchange(message, own, async ({ line, isAnswer }) => {
        if (own.aborted) return;
        isAnswered ||= isAnswer;
        await write(line);
      });
    } catch (error) {
      if (own.aborted || isAnswered) return;
      if (!(error instanceof CliError)) throw error;
      await note(formatError(error, io.language));
      const said = readError(error.body)?.error ?? describeError(error, "en");
      if (message.id !== undefined) await write(formatFault(message.id, RPC.failed, said));
    }
  }

  function start(message: Message): void {
    const controller = new AbortController();
    const done = forward(message, controller.signal);
    const call = { id: message.id, controller, done };
    calls.add(call);
    void done.finally(() => calls.delete(call));
  }

  function cancel(id: unknown): void {
    if (id === undefined) return;
    for (const call of calls) if (call.id === id) call.controller.abort();
  }

  async function handleLine({ text, sizeBytes }: Line): Promise<void> {
    if (text?.trim() === "") return;
    const message = text === null ? undefined : readMessage(text);
    if (sizeBytes > MAX_MESSAGE_BYTES)
      await refuse(message === undefined ? null : message.id, RPC.invalid, {
        fr: `un message de ${describeCount(sizeBytes, "fr")} octets est trop long. Envoyez au plus ${describeCount(MAX_MESSAGE_BYTES, "fr")} octets, la limite du serveur.`,
        en: `a message of ${describeCount(sizeBytes, "en")} bytes is too long. The server accepts at most ${describeCount(MAX_MESSAGE_BYTES, "en")} bytes.`,
      });
    else if (message === undefined)
      await refuse(null, RPC.notJson, {
        fr: "une ligne de stdin n'est pas du JSON. Envoyez un message par ligne.",
        en: "a line on stdin is not JSON. Send one message per line.",
      });
    else if (message.method === "notifications/cancelled") cancel(message.params.requestId);
    else if (calls.size >= MAX_CALLS)
      await refuse(message.id, RPC.failed, {
        fr: `${describeCount(MAX_CALLS, "fr")} appels sont en cours. Attendez une réponse avant d'en envoyer un autre.`,
        en: `${describeCount(MAX_CALLS, "en")} calls are running. Wait for a response before you send another.`,
      });
    else start(message);
  }

  async function readAll(): Promise<void> {
    const stdin = context.openStdin() as Readable & { readonly isTTY?: boolean };
    if (stdin.isTTY) await note(`shipscore: ${say(WAITING, io.language)}`);
    try {
      for await (const line of readLines(addAbortSignal(end.signal, stdin))) await handleLine(line);
    } catch (error) {
      if (!end.signal.aborted) throw stdinError(networkCode(error));
    }
  }

  signal.throwIfAborted();
  signal.addEventListener("abort", () => end.abort(), { once: true });
  await readAll();
  const running = Promise.all([...calls].map(({ done }) => done));
  if (calls.size > 0 && !end.signal.aborted)
    await Promise.race([running, sleep(GRACE_MS, undefined, end).catch(() => {})]);
  end.abort();
  for (const { controller } of calls) controller.abort();
  await running;
  signal.throwIfAborted();
  if (unwritten !== undefined) throw unwritten;
}
