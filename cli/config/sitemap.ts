import type { TargetHeaders } from "../../shared/check.ts";
import { matcherOf } from "../../shared/pattern.ts";
import { readSitemap } from "../../shared/sitemap.ts";
import { isUrl } from "../../shared/url.ts";
import { CliError, networkCode } from "../terminal/errors.ts";
import { openSendOpen, readBytes, type OpenResponse } from "../client/http.ts";
import { findHeader, type HttpResponse } from "../client/response.ts";
import { readProxy } from "../client/settings.ts";
import { TimeLimitError, withTimeLimit } from "../client/time-limit.ts";
import type { Context } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import type { Config } from "./schema.ts";

const MAX_BYTES = 10_000_000;
const MAX_ADDRESSES = 50_000;
const MAX_REDIRECTS = 5;

function unreadable(url: URL, why: string): CliError {
  const advice = "Correct the site, or leave sitemap out of the file of settings";
  return new CliError(EXIT.noAnswer, `the sitemap ${url.href} can't be read: ${why}`, advice);
}

/** The text of a response, also of a compressed file. @throws CliError 3 past 10 MB */
async function readText({ body }: OpenResponse, url: URL): Promise<string> {
  const tooLarge = () => unreadable(url, "it has more than 10 MB");
  const bytes = await readBytes(body, MAX_BYTES);
  if (bytes === undefined) throw tooLarge();
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString("utf8");
  const { gunzipSync } = await import("node:zlib");
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES }).toString("utf8");
  } catch (error) {
    throw error instanceof RangeError ? tooLarge() : unreadable(url, "its compression is broken");
  }
}

type Fetched = Pick<HttpResponse, "status" | "text">;

/**
 * Asks the site as `--wait-for-ready` does, from this machine. The headers that open a preview go to the site's own origin
 * alone, and only over a connection whose certificate is good; without them, any certificate will do.
 */
async function openFetch(
  { env }: Pick<Context, "env">,
  site: string,
  headers: TargetHeaders,
  signal: AbortSignal,
) {
  const proxy = readProxy(env, new URL(site));
  const trusting = await openSendOpen(proxy);
  const asking = await openSendOpen(proxy, { rejectUnauthorized: false });

  async function send(url: URL): Promise<OpenResponse> {
    const call = { url, method: "GET" as const, headers: {}, body: null };
    if (url.origin === site && Object.keys(headers).length > 0)
      try {
        return await trusting({ ...call, headers }, signal);
      } catch {
        signal.throwIfAborted();
      }
    return asking(call, signal);
  }

  return async function fetchText(url: URL, redirects = 0): Promise<Fetched> {
    const response = await send(url);
    const location = findHeader(response, "location");
    const text = await readText(response, url);
    const isRedirect = response.status >= 300 && response.status < 400;
    if (!isRedirect || location === undefined) return { status: response.status, text };
    const next = isUrl(location, url.href) ? new URL(location, url) : undefined;
    if (next?.protocol !== "https:") throw unreadable(url, "it redirects to what is not https");
    if (redirects === MAX_REDIRECTS) throw unreadable(url, "it redirects too often");
    return fetchText(next, redirects + 1);
  };
}

/** The path of an address at the site, whatever origin it names; undefined for what is no page. */
function pathAt(site: string, address: string): string | undefined {
  if (!isUrl(address, site)) return undefined;
  const { protocol, pathname, search } = new URL(address, site);
  return /^https?:$/.test(protocol) ? pathname + search : undefined;
}

/** Where the site's sitemaps are, as its robots.txt says. */
async function findSitemaps(site: string, ask: (url: URL) => Promise<Fetched>): Promise<string[]> {
  const { status, text } = await ask(new URL("/robots.txt", site));
  const lines = status === 200 ? text.split("\n") : [];
  const named = lines.flatMap((line) => {
    const [field = "", ...value] = line.split(":");
    return field.trim().toLowerCase() === "sitemap" ? [value.join(":").trim()] : [];
  });
  const paths = named.flatMap((address) => pathAt(site, address) ?? []);
  return paths.length > 0 ? paths : ["/sitemap.xml"];
}

/** What the file says of the sitemap; `known` are the paths of pages that are checked anyway, `headers` open a preview. */
export type SitemapChoice = NonNullable<Config["sitemap"]> & {
  readonly known: ReadonlySet<string>;
  readonly headers: TargetHeaders;
};

type Asking = Pick<Context, "env" | "io" | "signal">;

async function collect(
  context: Asking,
  site: string,
  choice: SitemapChoice,
  signal: AbortSignal,
): Promise<string[]> {
  const { path: asked, limit = Infinity, include = ["*"], exclude = [], known } = choice;
  const fetchText = await openFetch(context, site, choice.headers, signal);
  const found = new Set<string>();
  let readCount = 0;
  const [isIncluded, isExcluded] = [matcherOf(include), matcherOf(exclude)];
  const isFull = () => found.size >= limit || readCount > MAX_ADDRESSES;

  async function ask(url: URL): Promise<Fetched> {
    try {
      return await fetchText(url);
    } catch (error) {
      if (signal.aborted || error instanceof CliError) throw error;
      throw unreadable(url, networkCode(error));
    }
  }

  async function read(path: string, isChild: boolean): Promise<void> {
    const url = new URL(site + path);
    const { status, text } = await ask(url);
    if (status !== 200) throw unreadable(url, `the site responds with ${status}`);
    const sitemap = readSitemap(text);
    if (!sitemap) throw unreadable(url, "it is no sitemap");
    if (sitemap.isIndex && isChild) throw unreadable(url, "it is an index in an index");
    for (const address of sitemap.addresses) {
      if (isFull()) return;
      const listed = pathAt(site, address);
      if (listed === undefined) continue;
      if (sitemap.isIndex) await read(listed, true);
      else {
        readCount += 1;
        if (readCount > MAX_ADDRESSES) return;
        const isWanted = isIncluded(listed) && !isExcluded(listed);
        if (isWanted && !known.has(listed)) found.add(listed);
      }
    }
  }

  if (limit === 0) return [];
  for (const path of asked === undefined ? await findSitemaps(site, ask) : [asked])
    await read(path, false);
  if (readCount > MAX_ADDRESSES)
    await context.io.note(
      `shipscore: the sitemap's first ${MAX_ADDRESSES} addresses were read, and the rest is left out.`,
    );
  return [...found];
}

/**
 * The paths of the pages that a site's sitemap lists, in its order. An index is followed one level; addresses of other
 * origins stand for the same paths at the site.
 * @param site its origin
 * @param limitMs how long reading all of it may take
 * @throws CliError 3 for a sitemap that is too large, too slow or unreadable
 */
export async function listSitemapPaths(
  context: Asking,
  site: string,
  choice: SitemapChoice,
  limitMs = 30_000,
): Promise<string[]> {
  const { io, signal } = context;
  try {
    return await io.showProgress("Reading the sitemap", () =>
      withTimeLimit(signal, limitMs, (limited) => collect(context, site, choice, limited)),
    );
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    throw unreadable(new URL(site), `it takes longer than ${limitMs / 1000} s`);
  }
}
