import type { FastifyInstance } from "fastify";
import type { Language } from "../../../base/language.ts";
import { languageOf } from "../../kit/asked.ts";
import { chooseEncoding, pack } from "../../kit/pack.ts";
import { policyOf } from "../../kit/style.ts";

/** Renders a page for a host: a preview of its link needs whole addresses. */
export type Render = (language: Language, host: string | undefined) => string | Promise<string>;

/** A host is what a request says it is, so that only so many have pages of their own. */
const MAX_KEPT = 32;

/**
 * Serves a public, cacheable page. It is rendered and packed only once per language and host, since anybody may request
 * it as often as they like; hosts beyond the first ones share a page that names none.
 */
export function servePublicPage(
  door: FastifyInstance,
  path: string,
  render: Render,
  policy = policyOf(),
): void {
  const pages = new Map<string, string>();
  const packed = new Map<string, Buffer | undefined>();
  door.get(path, { exposeHeadRoute: true }, async (request, reply) => {
    const language = languageOf(request);
    const encoding = chooseEncoding(request.headers["accept-encoding"]);
    const named = request.headers.host;
    const isKept = pages.size < MAX_KEPT || pages.has(`${language} ${named}`);
    const host = isKept ? named : undefined;
    const key = `${language} ${host}`;
    const page = pages.get(key) ?? (await render(language, host));
    pages.set(key, page);
    reply.headers({
      "cache-control": "public, max-age=300",
      "content-security-policy": policy,
      vary: "Accept-Language",
    });
    reply.type("text/html; charset=utf-8");
    if (encoding === undefined) return reply.send(page);
    const packedKey = `${encoding} ${key}`;
    const body = packed.has(packedKey) ? packed.get(packedKey) : await pack(page, encoding);
    packed.set(packedKey, body);
    return body ? reply.header("content-encoding", encoding).send(body) : reply.send(page);
  });
}
