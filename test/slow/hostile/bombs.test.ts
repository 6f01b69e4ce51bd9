import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Answer, startHostileSite } from "../../hostile/hostile-site.ts";
import { visitSafely } from "../../hostile/promises.ts";
import { startVisitor, type Visitor } from "../../hostile/visitor.ts";
import { answerOf, head } from "../../hostile/writing.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const FILES = 40;
const TEXT = Buffer.alloc(100 * 1_048_576, "/* tea */\n");
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 24 },
};

let visitor: Visitor;

beforeAll(async () => {
  visitor = await startVisitor();
});
afterAll(() => visitor.close());

function serve(coding: string, bomb: Buffer): Answer {
  const tags = Array.from({ length: FILES }, (_, index) =>
    index % 2 ? `<script src=/${index}.js></script>` : `<link rel=stylesheet href=/${index}.css>`,
  );
  const text = TEXT.subarray(0, 600_000).toString();
  const page = answerOf(
    `<!doctype html><title>Tea</title>${tags.join("")}<p>Tea.<!--${text}-->`,
    "content-type: text/html",
  );
  return (socket, { path }) => {
    const type = path.endsWith(".js") ? "text/javascript" : "text/css";
    if (path === "/") socket.write(page);
    else if (/\.(?:js|css)$/.test(path))
      socket.write(answerOf(bomb, `content-type: ${type}`, `content-encoding: ${coding}`));
    else socket.write(head("404 Not Found", "content-length: 0"));
  };
}

test.each([
  ["gzip", gzipSync(TEXT)],
  ["deflate", deflateSync(TEXT)],
  ["br", brotliCompressSync(TEXT, BROTLI)],
  ["gzip, br", brotliCompressSync(gzipSync(TEXT), BROTLI)],
])("bombs of %s in all files of a page grow memory by at most 50 MB", async (coding, bomb) => {
  const site = await startHostileSite(serve(coding, bomb));
  const { evidence } = await visitSafely(visitor, site);
  await site.close();
  expect(evidence.assets.length).toBeGreaterThan(10);
  expect(evidence.assets.some(({ file }) => file?.isWhole === false)).toBe(true);
});
