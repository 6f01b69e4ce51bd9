import { decodeEntities } from "../../../../shared/sitemap.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { Slice } from "../../net/slice.ts";

const CUT_BYTES = 65_536;
const LONGEST_CHARACTER_BYTES = 4;
const TOKEN =
  /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<!DOCTYPE[^>]*>|<(?<end>\/?)(?<name>[\w:.-]+)(?![\w:.-])[^<>]*?(?<empty>\/?)>|(?<text>[^<]+)/y;
/** The roots of sitemaps, and of RSS and Atom feeds, which sitemaps.org also allows. */
const ROOT = /^(?:[\w.-]+:)?(?:urlset|sitemapindex|rss|feed|RDF)$/;
const LOCATION = /^(?:[\w.-]+:)?loc$/;
const ADDRESS = /^https?:\/\/\S+$/i;
const STRAY_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-f]{1,6});)/i;
const CUT_ENTITY = /&[#\w]{0,8}$/;

/** `valid`: null if time ran out before the end. `origins`: the first distinct origins of the listed URLs. */
export interface SitemapReading {
  valid: boolean | null;
  origins: string[];
}

const MAX_ORIGINS = 5;

/** Empty if the text is no list (sitemaps.org, "Text file"). A cut text loses its last line. */
function readList(text: string, isCut: boolean): string[] {
  const lines = text.split("\n").slice(0, isCut ? -1 : undefined);
  const filled = lines.map((line) => line.trim()).filter((line) => line !== "");
  return filled.every((line) => ADDRESS.test(line)) ? filled : [];
}

function addOrigin(origins: Set<string>, address: string): void {
  const origin = origins.size < MAX_ORIGINS ? findUrl(address.trim())?.origin : undefined;
  if (origin !== undefined && origin !== "null") origins.add(origin);
}

/** `within`: the open elements; empty for a text list. */
type OnAddress = (address: string, within: readonly string[]) => void;

/** At 64 KiB the text may have been cut, so elements may still be open there. */
export async function readSitemap(text: string, slice = new Slice()): Promise<SitemapReading> {
  const origins = new Set<string>();
  const valid = await walk(text, slice, isCutShort(text), (address) => addOrigin(origins, address));
  return { valid, origins: valid ? [...origins] : [] };
}

export interface Locations {
  pages: string[];
  sitemaps: string[];
}

const isWithin = (within: readonly string[], name: string) =>
  within.at(-2)?.replace(/^[\w.-]+:/, "") === name;

export async function readLocations(
  text: string,
  slice: Slice,
  most: number,
  isCut: boolean,
): Promise<Locations | null> {
  const pages: string[] = [];
  const sitemaps: string[] = [];
  const valid = await walk(text, slice, isCut, (written, within) => {
    const address = decodeEntities(written).trim();
    if (isWithin(within, "sitemap")) sitemaps.push(address);
    else if ((within.length === 0 || isWithin(within, "url")) && pages.length < most)
      pages.push(address);
  });
  return valid || pages.length + sitemaps.length > 0 ? { pages, sitemaps } : null;
}

const isCutShort = (text: string) => Buffer.byteLength(text) > CUT_BYTES - LONGEST_CHARACTER_BYTES;

async function walk(
  text: string,
  slice: Slice,
  isCut: boolean,
  onAddress: OnAddress,
): Promise<boolean | null> {
  const xml = (isCut ? text.replace(CUT_ENTITY, "") : text).replace(/^\ufeff/, "");
  const list = readList(xml, isCut);
  for (const address of list) onAddress(address, []);
  if (list.length > 0) return true;
  const open: string[] = [];
  let rootCount = 0;
  let position = 0;

  function isFault(token: Record<string, string | undefined>): boolean {
    const { name, text: content } = token;
    if (content !== undefined && LOCATION.test(open.at(-1) ?? "")) onAddress(content, open);
    if (content !== undefined)
      return open.length === 0 ? content.trim() !== "" : STRAY_AMPERSAND.test(content);
    if (name === undefined) return false;
    if (token["end"]) return open.pop() !== name;
    if (open.length === 0) rootCount += 1;
    if (open.length === 0 && !ROOT.test(name)) return true;
    if (!token["empty"]) open.push(name);
    return rootCount > 1;
  }

  while (position < xml.length) {
    if (slice.isOver) await slice.end();
    if (slice.isLate) return null;
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(xml);
    if (!match) return isCut && rootCount === 1;
    if (match.groups && isFault(match.groups)) return false;
    position = TOKEN.lastIndex;
  }
  return rootCount === 1 && (isCut || open.length === 0);
}
