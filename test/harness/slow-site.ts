import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { startSite, type Routes, type Site } from "./site.ts";

/** A site that can keep all visitors waiting. */
export interface SlowSite extends Site {
  hold(): void;
  /** Answers the waiting visitors. Answers all later ones immediately. */
  release(): void;
}

/** Answers robots.txt with 404 immediately. */
export const NO_FILES = {
  "/robots.txt": { status: 404 },
};

/** `routes`: the answers that do not wait. */
export async function startSlowSite(routes: Routes = {}): Promise<SlowSite> {
  const waiting = new Set<ServerResponse>();
  let holding = false;
  const write = (response: ServerResponse) =>
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<!doctype html><title>x</title><script></script>");
  const site = await startSite({
    routes: {
      ...routes,
      "*": (_request, response) => {
        if (holding) waiting.add(response);
        else write(response);
      },
    },
  });
  return Object.assign(site, {
    hold() {
      holding = true;
    },
    release() {
      holding = false;
      waiting.forEach(write);
      waiting.clear();
    },
  });
}

/** Waits until a condition holds, and checks it less and less often. Throws after a time that is ample even on a busy machine. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> {
  const began = Date.now();
  while (!(await isTrue())) {
    const waitedMs = Date.now() - began;
    if (waitedMs > limitMs) throw new Error(`Not within ${limitMs} ms: ${what}`);
    await sleep(50 + waitedMs / 10);
  }
}
