import type { FastifyInstance } from "fastify";
import { findDoneCode } from "../../kit/done.tsx";
import { showTo } from "../../kit/document.tsx";
import type { Reader } from "../../kit/reader.tsx";
import { keepTexts } from "../../kit/pack.ts";
import { readerOf } from "../../kit/session/page.ts";
import { policyOf } from "../../kit/style.ts";

/** Renders a page for a visitor. `isDone`: a deleted report led to it. Nothing else of a request may change the page. */
export type Render = (reader: Reader, isDone: boolean) => string | Promise<string>;

/**
 * Serves a public page, which is cacheable for visitors. Anyone may request it as often as they like, so it is rendered once
 * per language and, for visitors, packed once per encoding, and kept by no name that a request chooses.
 */
export function servePublicPage(
  door: FastifyInstance,
  path: string,
  render: Render,
  policy = policyOf(),
): void {
  const texts = keepTexts();
  door.get(path, { exposeHeadRoute: true }, async (request, reply) => {
    const { language, person } = readerOf(request);
    reply.header("content-security-policy", policy).type("text/html; charset=utf-8");
    const isDone = findDoneCode(request) === "scan-deleted";
    const visitor = { language, path };
    const key = `${language} ${isDone}`;
    const renderOne = () => render(visitor, isDone);
    if (person !== undefined)
      return reply.send(showTo(person, await texts.find(key, renderOne), visitor));
    reply.header("cache-control", "public, max-age=300");
    return texts.sendPacked(request, reply, key, renderOne);
  });
}
