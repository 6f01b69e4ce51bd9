import type { FastifyInstance } from "fastify";
import type { Language } from "../../../base/language.ts";
import { parameterOf } from "../../kit/asked.ts";
import { showTo } from "../../kit/document.tsx";
import type { Reader } from "../../kit/reader.tsx";
import { chooseEncoding, pack, type Encoding } from "../../kit/pack.ts";
import { readerOf } from "../../kit/session/page.ts";
import { policyOf } from "../../kit/style.ts";

/** Renders a page for a visitor, which says with `?done` what led to it: nothing else of a request may change it. */
export type Render = (reader: Reader, isDone: boolean) => string | Promise<string>;

/** Keeps it from the moment on when it begins to be made, since others ask meanwhile. What fails is made again. */
function makeOnce<Key, Made>(
  kept: Map<Key, Promise<Made>>,
  key: Key,
  make: () => Promise<Made>,
): Promise<Made> {
  const known = kept.get(key);
  if (known) return known;
  const made = make();
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
}

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
  const pages = new Map<`${Language} ${boolean}`, Promise<string>>();
  const packed = new Map<`${Language} ${boolean} ${Encoding}`, Promise<Buffer | undefined>>();
  door.get(path, { exposeHeadRoute: true }, async (request, reply) => {
    const { language, person } = readerOf(request);
    reply.header("content-security-policy", policy).type("text/html; charset=utf-8");
    const isDone = parameterOf(request, "done") !== undefined;
    const visitor = { language, path };
    const page = await makeOnce(pages, `${language} ${isDone}`, async () =>
      render(visitor, isDone),
    );
    if (person !== undefined) return reply.send(showTo(person, page, visitor));
    const encoding = chooseEncoding(request.headers["accept-encoding"]);
    reply.header("cache-control", "public, max-age=300");
    if (encoding === undefined) return reply.send(page);
    const body = await makeOnce(packed, `${language} ${isDone} ${encoding}`, () =>
      pack(page, encoding),
    );
    return body ? reply.header("content-encoding", encoding).send(body) : reply.send(page);
  });
}
