import type { Text } from "../../shared/language.ts";
import { describeCount, say } from "../../shared/report/words.ts";
import type { TargetHeaders } from "../../shared/check.ts";
import { matcherOf } from "../../shared/pattern.ts";
import { readSitemap } from "../../shared/sitemap.ts";
import { isUrl } from "../../shared/url.ts";
import { CliError, networkCode, untranslated } from "../terminal/errors.ts";
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
/** A site with more unreadable sitemaps than this has another trouble than one old entry. */
const MAX_SKIPPED = 10;

const unreadableError = ({ href }: URL, why: Text): CliError =>
  new CliError(
    EXIT.noAnswer,
    {
      fr: `impossible de lire le sitemap ${href} : ${why.fr}`,
      en: `the sitemap ${href} cannot be read: ${why.en}`,
    },
    {
      fr: "Corrigez le site, ou retirez sitemap du fichier de configuration",
      en: "Correct the site, or leave sitemap out of the settings file",
    },
  );

/** The file may be compressed with gzip. */
async function readText({ body }: OpenResponse, url: URL): Promise<string> {
  const tooLarge = () => unreadableError(url, { fr: "il dépasse 10 Mo", en: "it is over 10 MB" });
  const bytes = await readBytes(body, MAX_BYTES);
  if (bytes === undefined) throw tooLarge();
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString("utf8");
  const { gunzipSync } = await import("node:zlib");
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES }).toString("utf8");
  } catch (error) {
    throw error instanceof RangeError
      ? tooLarge()
      : unreadableError(url, {
          fr: "sa compression est défectueuse",
          en: "its compression is broken",
        });
  }
}

type Fetched = Pick<HttpResponse, "status" | "text">;

/**
 * The headers that open a preview go only to the site's own origin, over a connection with a valid certificate. Requests
 * without them accept any certificate.
 */
async function openFetch(
  { env }: Pick<Context, "env">,
  site: string,
  headers: TargetHeaders,
  signal: AbortSignal,
) {
  const proxy = readProxy(env, new URL(site));
  const sendVerified = await openSendOpen(proxy);
  const sendUnverified = await openSendOpen(proxy, { rejectUnauthorized: false });

  async function send(url: URL): Promise<OpenResponse> {
    const call = { url, method: "GET" as const, headers: {}, body: null };
    if (url.origin === site && Object.keys(headers).length > 0)
      try {
        return await sendVerified({ ...call, headers }, signal);
      } catch {
        signal.throwIfAborted();
      }
    return sendUnverified(call, signal);
  }

  return async function fetchText(url: URL, redirects = 0): Promise<Fetched> {
    const response = await send(url);
    const location = findHeader(response, "location");
    const text = await readText(response, url);
    const isRedirect = response.status >= 300 && response.status < 400;
    if (!isRedirect || location === undefined) return { status: response.status, text };
    const next = isUrl(location, url.href) ? new URL(location, url) : undefined;
    if (next?.protocol !== "https:")
      throw unreadableError(url, {
        fr: "il redirige vers une URL qui n'est pas en https",
        en: "it redirects to a URL that is not https",
      });
    if (redirects === MAX_REDIRECTS)
      throw unreadableError(url, {
        fr: "il y a trop de redirections",
        en: "it redirects too many times",
      });
    return fetchText(next, redirects + 1);
  };
}

function pathAt(site: string, address: string): string | undefined {
  if (!isUrl(address, site)) return undefined;
  const { protocol, pathname, search } = new URL(address, site);
  return /^https?:$/.test(protocol) ? pathname + search : undefined;
}

async function findSitemaps(
  site: string,
  request: (url: URL) => Promise<Fetched>,
): Promise<string[]> {
  const { status, text } = await request(new URL("/robots.txt", site));
  const lines = status === 200 ? text.split("\n") : [];
  const named = lines.flatMap((line) => {
    const [field = "", ...value] = line.split(":");
    return field.trim().toLowerCase() === "sitemap" ? [value.join(":").trim()] : [];
  });
  const paths = named.flatMap((address) => pathAt(site, address) ?? []);
  return paths.length > 0 ? paths : ["/sitemap.xml"];
}

export type SitemapChoice = NonNullable<Config["sitemap"]> & {
  /** Pages that are checked anyway. */
  readonly known: ReadonlySet<string>;
  readonly headers: TargetHeaders;
};

const READING = { fr: "Lecture du sitemap", en: "Reading the sitemap" };

type SitemapContext = Pick<Context, "env" | "io" | "signal">;

async function noteCut({ io }: SitemapContext): Promise<void> {
  const note = {
    fr: `seules les ${describeCount(MAX_ADDRESSES, "fr")} premières URL du sitemap ont été lues.`,
    en: `only the first ${describeCount(MAX_ADDRESSES, "en")} URLs of the sitemap were read.`,
  };
  await io.note(`shipscore: ${say(note, io.language)}`);
}

async function noteSkipped({ io }: SitemapContext, skipped: readonly CliError[]): Promise<void> {
  for (const { what } of skipped) {
    const note = {
      fr: `${what.fr} : ses pages sont ignorées`,
      en: `${what.en}; its pages are left out`,
    };
    await io.note(`shipscore: ${say(note, io.language)}.`);
  }
}

async function collectPaths(
  context: SitemapContext,
  site: string,
  choice: SitemapChoice,
  signal: AbortSignal,
): Promise<string[]> {
  const { path: asked, limit = Infinity, include = ["*"], exclude = [], known } = choice;
  const fetchText = await openFetch(context, site, choice.headers, signal);
  const found = new Set<string>();
  const skipped: CliError[] = [];
  let readCount = 0;
  const [isIncluded, isExcluded] = [matcherOf(include), matcherOf(exclude)];
  const isFull = () => found.size >= limit || readCount > MAX_ADDRESSES;

  async function request(url: URL): Promise<Fetched> {
    try {
      return await fetchText(url);
    } catch (error) {
      if (signal.aborted || error instanceof CliError) throw error;
      throw unreadableError(url, untranslated(networkCode(error)));
    }
  }

  /** One unreadable sitemap among others is skipped. If all of them are, the first error counts. */
  async function readEach(paths: readonly string[], isChild: boolean): Promise<void> {
    const failures: CliError[] = [];
    for (const path of paths) {
      if (isFull()) break;
      try {
        await read(path, isChild);
      } catch (error) {
        if (signal.aborted || !(error instanceof CliError)) throw error;
        failures.push(error);
        if (failures.length > MAX_SKIPPED) throw error;
      }
    }
    const [first] = failures;
    if (first && failures.length === paths.length) throw first;
    skipped.push(...failures);
  }

  async function read(path: string, isChild: boolean): Promise<void> {
    const url = new URL(site + path);
    const { status, text } = await request(url);
    if (status !== 200)
      throw unreadableError(url, {
        fr: `le site renvoie ${status}`,
        en: `the site responds with ${status}`,
      });
    const sitemap = readSitemap(text);
    if (!sitemap)
      throw unreadableError(url, { fr: "ce n'est pas un sitemap", en: "it is not a sitemap" });
    if (sitemap.isIndex && isChild)
      throw unreadableError(url, {
        fr: "c'est un index dans un index",
        en: "it is an index in an index",
      });
    const listed = sitemap.addresses.flatMap((address) => pathAt(site, address) ?? []);
    if (sitemap.isIndex) return readEach(listed, true);
    for (const page of listed) {
      if (isFull()) return;
      readCount += 1;
      if (readCount > MAX_ADDRESSES) return;
      const isWanted = isIncluded(page) && !isExcluded(page);
      if (isWanted && !known.has(page)) found.add(page);
    }
  }

  if (limit === 0) return [];
  await readEach(asked === undefined ? await findSitemaps(site, request) : [asked], false);
  await noteSkipped(context, skipped);
  if (readCount > MAX_ADDRESSES) await noteCut(context);
  return [...found];
}

/**
 * An index is followed one level, and an unreadable sitemap in it is skipped. URLs of other origins count as the same
 * paths at the site.
 * @param limitMs the limit for reading all of it
 * @throws CliError 3 if each sitemap is too large, too slow or unreadable
 */
export async function listSitemapPaths(
  context: SitemapContext,
  site: string,
  choice: SitemapChoice,
  limitMs = 30_000,
): Promise<string[]> {
  const { io, signal } = context;
  try {
    return await io.showProgress(say(READING, io.language), () =>
      withTimeLimit(signal, limitMs, (limited) => collectPaths(context, site, choice, limited)),
    );
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error;
    throw unreadableError(new URL(site), {
      fr: `sa lecture dure plus de ${limitMs / 1000} s`,
      en: `it takes longer than ${limitMs / 1000} s`,
    });
  }
}
