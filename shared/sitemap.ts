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
const MAX_NAME = 40;
/** The roots of sitemaps, and of RSS and Atom feeds, with their prefix. */
const ROOT = /^([\w.-]{1,20}:)?(urlset|sitemapindex|rss|feed|RDF)(?:[\s/]|$)/;
const FEED_ITEM = /^(\/?)(?:item|entry)(?:\s|$)/;
const FEED_LINK = /^link(?:[\s/]|$)/;
const REL = /\srel\s*=\s*["']?([\w-]+)/i;
const HREF = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i;

const textOf = (content: string): string =>
  decodeEntities(content.replaceAll("<![CDATA[", "").replaceAll("]]>", "").trim());

/**
 * sitemaps.org: XML, a feed, or plain text with one URL a line. Reads in one pass, so that no text takes long.
 * @returns undefined for a text that is no sitemap
 */
export function readSitemap(text: string): Sitemap | undefined {
  let root: string | undefined;
  let prefix = "";
  let isInItem = false;
  const addresses: string[] = [];
  const isFeed = () => root !== undefined && !/^(?:urlset|sitemapindex)$/.test(root);

  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const isComment = text.startsWith("<!--", at);
    const end = isComment ? text.indexOf("-->", at) : text.indexOf(">", at);
    if (end < 0) break;
    const tag = isComment ? "" : text.slice(at + 1, Math.min(end, at + MAX_ADDRESS));
    const name = tag.slice(0, MAX_NAME);
    at = end;
    if (root === undefined) [, prefix = "", root] = ROOT.exec(name) ?? [];
    const item = isFeed() ? FEED_ITEM.exec(name) : null;
    if (item) isInItem = item[1] === "";
    const isLink = isFeed() && isInItem && FEED_LINK.test(name);
    if (isLink && /\shref/i.test(tag)) {
      const [, relation = "alternate"] = REL.exec(tag) ?? [];
      const [, quoted, single] = HREF.exec(tag) ?? [];
      if (relation === "alternate") addresses.push(textOf(quoted ?? single ?? ""));
      continue;
    }
    if (!isLink && (isFeed() || root === undefined || name.trim() !== `${prefix}loc`)) continue;
    const close = text.indexOf("</", end);
    if (close < 0) break;
    if (close - end <= MAX_ADDRESS) addresses.push(textOf(text.slice(end + 1, close)));
    at = close;
  }
  if (root !== undefined) return { isIndex: root === "sitemapindex", addresses };
  const lines = text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.length > 0 && lines.every((line) => /^https?:\/\/\S+$/i.test(line))
    ? { isIndex: false, addresses: lines }
    : undefined;
}
