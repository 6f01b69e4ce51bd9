import { Parser } from "htmlparser2";

const CUT_BYTES = 65_536;
const MAX_CHARACTER_BYTES = 4;
const MAX_DEPTH = 16;
const STRAY_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});)/i;

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/**
 * Whether the text is a sitemap of the sitemaps.org protocol: one root, `urlset` or `sitemapindex`, in which every
 * element is closed. At 64 KB or more it may have been cut, and what is still open then is no fault.
 */
export function isSitemap(text: string): boolean {
  const isCut = Buffer.byteLength(text) > CUT_BYTES - MAX_CHARACTER_BYTES;
  let rootCount = 0;
  let depth = 0;
  let isWrong = false;
  let hasEnded = false;

  const parser = new Parser(
    {
      onopentagname(name) {
        if (depth === 0) {
          rootCount += 1;
          isWrong ||= !["urlset", "sitemapindex"].includes(localName(name));
        }
        depth += 1;
        if (depth > MAX_DEPTH) isWrong = true;
        if (isWrong || rootCount > 1) parser.pause();
      },
      onclosetag(_name, isImplied) {
        depth -= 1;
        isWrong ||= isImplied && !(hasEnded && isCut);
      },
      ontext(data) {
        isWrong ||= depth === 0 && data.trim() !== "";
      },
    },
    { xmlMode: true, decodeEntities: false },
  );
  parser.write(text.replace(/^\ufeff/, ""));
  if (isWrong || rootCount !== 1) return false;
  hasEnded = true;
  parser.end();
  return !isWrong && !STRAY_AMPERSAND.test(isCut ? text.slice(0, -12) : text);
}
