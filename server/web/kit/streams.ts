import { PassThrough } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Deps } from "../../deps.ts";
import { AppError } from "../../base/errors.ts";

/**
 * How many streams a process keeps open: in total, per account or visitor (`perOwner`), and per session (`perKey`). A
 * browser opens six HTTP/1.1 connections to a host, so `perKey` leaves two for other requests. A page without a stream
 * polls.
 */
const STREAMS = { total: 512, perOwner: 16, perKey: 4 };
const HEARTBEAT_MS = 15_000;
/** A browser whose stream ends early opens another. */
const LIFETIME_MS = 300_000;

export type SendEvents = (
  send: (event: string, data?: object) => void,
  signal: AbortSignal,
) => Promise<void>;

/** `owner` is an account or a visitor. */
export interface StreamReader {
  readonly owner: string;
  readonly session?: string;
}

export interface Streams {
  /**
   * Sends the events of `sendEvents`, then `end`. The stream closes without `end` after five minutes, when the server stops,
   * and when the client has left or does not read. With `closesOldest`, a session at its limit may open another stream:
   * its oldest one gets `stop` and is closed.
   * @throws AppError `busy` if too many streams are open
   */
  send(
    reply: FastifyReply,
    reader: StreamReader,
    sendEvents: SendEvents,
    options?: { closesOldest: boolean },
  ): FastifyReply;
}

type Stop = () => void;

export function createStreams(deps: Pick<Deps, "log" | "draining">): Streams {
  const open = new Map<string, Set<Stop>>();
  let count = 0;
  const countOf = (owner: string) =>
    [...open].reduce((sum, [key, own]) => (key.startsWith(`${owner} `) ? sum + own.size : sum), 0);

  function begin(key: string, sendEvents: SendEvents): PassThrough {
    const stream = new PassThrough();
    const ending = new AbortController();
    const { signal } = ending;
    const write = (text: string) => {
      if (stream.writableEnded || stream.write(text)) return;
      ending.abort();
      stream.destroy();
    };
    const send = (event: string, data: object = {}) =>
      write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    const own = open.get(key) ?? new Set();
    const stop = () => {
      send("stop");
      end();
    };
    const end = () => {
      if (!own.delete(stop)) return;
      count--;
      if (own.size === 0) open.delete(key);
      clearTimeout(lifetime);
      clearInterval(heartbeat);
      ending.abort();
      stream.end();
    };
    const lifetime = setTimeout(end, LIFETIME_MS);
    const beat = () => write(": \n\n");
    const heartbeat = setInterval(beat, HEARTBEAT_MS);
    // The response headers are sent with the first bytes.
    beat();
    open.set(key, own.add(stop));
    count++;
    stream.once("close", end);
    signal.addEventListener("abort", end);
    sendEvents(send, signal)
      .then(() => !signal.aborted && !deps.draining.aborted && send("end"))
      .catch((error: unknown) => {
        if (!signal.aborted) deps.log.warn({ err: error }, "events cut short");
      })
      .finally(end);
    return stream;
  }

  return {
    send(reply, { owner, session = "" }, sendEvents, { closesOldest } = { closesOldest: false }) {
      const isHead = reply.request.method === "HEAD";
      const key = `${owner} ${session}`;
      const own = open.get(key) ?? new Set();
      const [oldest] = own;
      if (closesOldest && !isHead && own.size >= STREAMS.perKey) oldest?.();
      const isFull =
        own.size >= STREAMS.perKey || countOf(owner) >= STREAMS.perOwner || count >= STREAMS.total;
      if (isFull) throw new AppError("busy", {});
      return reply
        .headers({ "content-type": "text/event-stream", "x-accel-buffering": "no" })
        .send(isHead ? undefined : begin(key, sendEvents));
    },
  };
}
