import { unpack } from "../net/content.ts";
import { fetchOnce, findLocation, type HttpClient, type ReceivedAnswer } from "../net/fetch.ts";
import type { Guard, Refusal } from "../net/guard.ts";
import { Slice } from "../net/slice.ts";
import { SITEMAP_FILES, SITEMAP_REDIRECTS } from "../../base/bounds.ts";
import { findUrl } from "../../base/syntax/url.ts";
import { readLocations } from "./body/sitemap.ts";
import { ACCEPT_ANY } from "./answer.ts";

/** Limits of one import. */
const MAX_BYTES = 1_048_576;
const MAX_PAGES = 1000;

export type SitemapPages =
  | { pages: string[] }
  | { refusal: Pick<Refusal, "code" | "host"> }
  | { failure: "unreachable" | "no_sitemap" }
  | { status: number };

/** Each target is vetted before it is visited. */
async function fetchFile(
  client: HttpClient,
  guard: Guard,
  address: string,
): Promise<ReceivedAnswer | Exclude<SitemapPages, { pages: string[] }>> {
  let next = address;
  for (let left = SITEMAP_REDIRECTS; ; left--) {
    const vetting = await guard.vet(next);
    if (!vetting.ok) return { refusal: vetting.refusal };
    const { received } = await fetchOnce(client, vetting.target, {
      accept: ACCEPT_ANY,
      maxBytes: MAX_BYTES,
    });
    if (received === null) return { failure: "unreachable" };
    const location = findLocation(received);
    const url = location === undefined ? undefined : findUrl(location, vetting.target.url);
    if (url === undefined || left === 0) return received;
    next = url.href;
  }
}

/** Reads the sitemaps of an index on the same host, but not those of a nested index. */
export async function readSitemaps(
  client: HttpClient,
  guard: Guard,
  address: string,
): Promise<SitemapPages> {
  const pages = new Set<string>();
  const host = findUrl(address)?.host;
  const queue = [address];
  for (let read = 0; read < SITEMAP_FILES && pages.size < MAX_PAGES; read++) {
    const next = queue.shift();
    if (next === undefined || client.signal.aborted) break;
    const received = await fetchFile(client, guard, next);
    const isFirst = read === 0;
    if (!("content" in received)) {
      if (isFirst) return received;
      continue;
    }
    const { status, content } = received;
    if (isFirst && (status < 200 || status > 299)) return { status };
    const { bytes, state } = content
      ? await unpack(content.bytes, MAX_BYTES)
      : { bytes: "", state: "whole" };
    const isCut = [content?.state ?? "whole", state].some((one) => one !== "whole");
    const slice = new Slice(client.signal);
    const found = await readLocations(bytes.toString("utf8"), slice, MAX_PAGES, isCut);
    if (isFirst && found === null) return { failure: content ? "no_sitemap" : "unreachable" };
    for (const page of (found?.pages ?? []).slice(0, MAX_PAGES - pages.size)) pages.add(page);
    if (isFirst)
      queue.push(...(found?.sitemaps ?? []).filter((url) => findUrl(url)?.host === host));
  }
  return { pages: [...pages] };
}
