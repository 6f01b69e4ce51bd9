import { readFile } from "node:fs/promises";
import type { FastifyInstance } from "fastify";

const CARD = new URL("card.png", import.meta.url);

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2f7be0" stroke-width="4"><circle cx="12" cy="12" r="9" opacity=".35"/><path d="M12 3a9 9 0 1 1-8.56 6.22" stroke-linecap="round"/></svg>';

const KEPT = { "cache-control": "public, max-age=86400" };

/** The icon of the pages, and the picture that a preview of a shared link shows. */
export async function serveImages(door: FastifyInstance): Promise<void> {
  const card = await readFile(CARD);
  door.get("/favicon.svg", { exposeHeadRoute: true }, (_request, reply) =>
    reply.headers(KEPT).type("image/svg+xml").send(ICON),
  );
  door.get("/card.png", { exposeHeadRoute: true }, (_request, reply) =>
    reply
      .headers({ ...KEPT, "cross-origin-resource-policy": "cross-origin" })
      .type("image/png")
      .send(card),
  );
}
