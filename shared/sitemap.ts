const CHARACTERS: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};
const ENTITY = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;

/** Decodes XML's predefined and numeric entities. A document would have to declare others, so they stay unchanged. */
export function decodeEntities(xml: string): string {
  return xml.replace(ENTITY, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return CHARACTERS[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** A sitemap lists pages; an index lists sitemaps. */
export interface Sitemap {
  readonly isIndex: boolean;
  readonly addresses: readonly string[];
}

const MAX_ADDRESS = 8192;

const textOf = (content: string): string =>
  decodeEntities(content.replaceAll("<![CDATA[", "").replaceAll("]]>", "").trim());

/**
 * sitemaps.org: XML, or plain text with one URL a line. Reads in one pass, so that no text takes long.
 * @returns undefined for a text that is no sitemap
 */
export function readSitemap(text: string): Sitemap | undefined {
  let isIndex: boolean | undefined;
  const addresses: string[] = [];
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const isComment = text.startsWith("<!--", at);
    const end = isComment ? text.indexOf("-->", at) : text.indexOf(">", at);
    if (end < 0) break;
    const name = isComment ? "" : text.slice(at + 1, Math.min(end, at + 20));
    at = end;
    if (/^sitemapindex(?:\s|$)/.test(name)) isIndex ??= true;
    else if (/^urlset(?:\s|$)/.test(name)) isIndex ??= false;
    if (name.trim() !== "loc" || isIndex === undefined) continue;
    const close = text.indexOf("</loc", end);
    if (close < 0) break;
    if (close - end <= MAX_ADDRESS) addresses.push(textOf(text.slice(end + 1, close)));
    at = close;
  }
  if (isIndex !== undefined) return { isIndex, addresses };
  const lines = text
    .trim()
    .split("\n")
    .map((line) => line.trim());
  return lines.every((line) => /^https?:\/\/\S+$/.test(line))
    ? { isIndex: false, addresses: lines }
    : undefined;
}
