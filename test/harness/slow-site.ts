import type { ServerResponse } from "node:http";
import { startSite, type Site } from "./site.ts";

/** A site that can be told to keep every visitor waiting. */
export interface SlowSite extends Site {
  hold(): void;
  /** Lets those who wait and those who come have their page. */
  release(): void;
}

export async function startSlowSite(): Promise<SlowSite> {
  const waiting = new Set<ServerResponse>();
  let holding = false;
  const write = (response: ServerResponse) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>x</title>");
  const site = await startSite({
    routes: {
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

/** Waits until a condition holds, looking every 50 ms; throws when it does not within a time that a loaded machine has. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  limitMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`Not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
