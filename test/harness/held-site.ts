import type { ServerResponse } from "node:http";
import { type Site, startSite } from "./site.ts";

/** A site whose pages keep their visitors waiting while they are held. */
export interface HeldSite extends Site {
  hold(): void;
  release(): void;
}

export async function startHeldSite(): Promise<HeldSite> {
  let waiting: ServerResponse[] | undefined;
  const answer = (response: ServerResponse) =>
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end("<!doctype html><title>Tea</title><p>Tea, by the leaf.");
  const site = await startSite({
    routes: {
      "/robots.txt": { status: 404 },
      "/.well-known/shipscore.txt": { status: 404 },
      "*": (_request, response) => {
        if (waiting) waiting.push(response);
        else answer(response);
      },
    },
  });
  return Object.assign(site, {
    hold() {
      waiting ??= [];
    },
    release() {
      waiting?.forEach(answer);
      waiting = undefined;
    },
  });
}
