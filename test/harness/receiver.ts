import { EventEmitter, once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text as readText } from "node:stream/consumers";
import { startSite, type Site } from "./site.ts";

export interface Posted {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A status, or a function that answers or never answers. */
export type Reply = number | ((response: ServerResponse) => void);

/** A server that receives messages. Each path is one target, and returns 204 by default. */
export interface Receiver extends Site {
  at(path: string): string;
  /** Sets the next answers of a target. Later requests get 204 again. */
  reply(path: string, ...replies: Reply[]): void;
  posted(path: string): readonly Posted[];
  /** Waits until a target has received this many requests, and returns the last of them. */
  waitForRequest(path: string, count: number): Promise<Posted>;
}

export async function startReceiver(): Promise<Receiver> {
  const targets = new Map<string, { posted: Posted[]; replies: Reply[] }>();
  const arrivals = new EventEmitter().setMaxListeners(0);
  const find = (path: string) => {
    const target = targets.get(path) ?? { posted: [], replies: [] };
    targets.set(path, target);
    return target;
  };
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { posted, replies } = find(request.url?.slice(1) ?? "");
    posted.push({ headers: request.headers, body: await readText(request) });
    arrivals.emit("posted");
    const reply = replies.shift() ?? 204;
    if (typeof reply === "number") response.writeHead(reply).end();
    else reply(response);
  }
  const site = await startSite({
    routes: {
      "*": (request, response) => void take(request, response),
    },
  });
  return Object.assign(site, {
    at: (path: string) => `${site.url}${path}`,
    reply: (path: string, ...replies: Reply[]) => void find(path).replies.push(...replies),
    posted: (path: string) => find(path).posted,
    async waitForRequest(path: string, count: number) {
      for (;;) {
        const last = find(path).posted[count - 1];
        if (last !== undefined) return last;
        await once(arrivals, "posted");
      }
    },
  });
}
