import type { FastifyInstance } from "fastify";
import { isLanguage } from "../../../../shared/language.ts";
import { findFlashCode } from "../../kit/flash-messages.tsx";
import { personalize } from "../../kit/document.tsx";
import type { Reader } from "../../kit/reader.tsx";
import { createTextCache } from "../../kit/pack.ts";
import { parameterOf } from "../../kit/request-parameters.ts";
import { readerOf } from "../../kit/session/page.ts";
import { policyOf } from "../../kit/style.ts";
import { readFile } from "node:fs/promises";

/** `isDone`: a report was just deleted. Nothing else in a request may change the page. */
type Render = (reader: Reader, isDone: boolean) => string | Promise<string>;

/**
 * Anyone may request the page as often as they like, so it is rendered once per language and compressed once per encoding. No
 * request can choose the cache key. `?lang=en` does not change the reader's language.
 */
export function servePublicPage(
  door: FastifyInstance,
  path: string,
  render: Render,
  policy = policyOf(),
): void {
  const texts = createTextCache();
  door.get(path, { exposeHeadRoute: true }, async (request, reply) => {
    const { language: own, person } = readerOf(request);
    const chosen = parameterOf(request, "lang");
    const language = isLanguage(chosen) ? chosen : own;
    reply.header("content-security-policy", policy).type("text/html; charset=utf-8");
    const isDone = findFlashCode(request) === "scan-deleted";
    const visitor = { language, path };
    const key = `${language} ${isDone}`;
    const renderOne = () => render(visitor, isDone);
    if (person !== undefined)
      return reply.send(personalize(person, await texts.find(key, renderOne), visitor));
    reply.header("cache-control", "public, max-age=300");
    return texts.sendPacked(request, reply, key, renderOne);
  });
}

const CARD = new URL("card.png", import.meta.url);

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#2f7be0" stroke-width="4"><circle cx="12" cy="12" r="9" opacity=".35"/><path d="M12 3a9 9 0 1 1-8.56 6.22" stroke-linecap="round"/></svg>';

const KEPT = { "cache-control": "public, max-age=86400" };

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
