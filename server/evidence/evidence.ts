import * as z from "zod";
import { Timings } from "../../shared/check.ts";
import { Body, Leak } from "./body.ts";
import { Answer, RedirectChain } from "./exchange.ts";
import { RefusalCode } from "./failure.ts";
import { Resource } from "./html.ts";
import { Alpn, LegacyTls } from "./tls.ts";

/**
 * What one verification saw, and all that the rules may know. JSON-serialisable. A field that an earlier version lacks
 * is null when it is read: it was not looked at.
 * Secrets are cut before a value gets here: cookie values, values of queries and path parameters, fragments, user
 * information.
 * Times are milliseconds, sizes are bytes, positions are 1-based lines or 0-based offsets into the decoded body.
 */
export const EVIDENCE_VERSION = 2;

export const Dns = z.object({
  host: z.string(),
  kind: z.enum(["name", "literal"]),
  /** Null when every answer may be dialled. */
  refusal: RefusalCode.nullable(),
  addresses: z.array(z.string()),
  durationMs: z.number(),
});
export type Dns = z.infer<typeof Dns>;

export const Evidence = z.object({
  version: z.literal([1, EVIDENCE_VERSION]),
  url: z.string(),
  preview: z.boolean(),
  checkedAt: z.iso.datetime(),
  durationMs: z.number(),
  dns: Dns,
  /** R1: the page itself. `attempts` counts the one retry; `body` is the last hop's. */
  page: RedirectChain.extend({ attempts: z.int(), timings: Timings, body: Body.nullable() }),
  /**
   * R1b: the same GET with a foreign Origin; of the last URL where redirects led to an answer that is no refusal.
   * `origin`: the one that was sent.
   */
  cors: Answer.extend({ origin: z.string().nullable().default(null) }),
  /**
   * Cookies of the page's answer whose value looks drawn at random. `isState`: what it holds can be read, as of a session
   * kept in the cookie itself. `isRepeated`: R1b was given the same; null where that could not be told.
   */
  drawnCookies: z
    .array(z.object({ name: z.string(), isState: z.boolean(), isRepeated: z.boolean().nullable() }))
    .nullable()
    .default(null),
  /** R2: plain http; null where there is none to try (the URL's port is not 443). */
  plainHttp: RedirectChain.extend({
    /** Nobody listens, or a firewall drops what comes. */
    closed: z.boolean(),
    skipped: z.boolean(),
    /** The meta refresh of the page that it ended in over http. */
    refresh: z.string().nullable().default(null),
  }).nullable(),
  /**
   * R3; `blocks`: the lines that close the page's last URL to a crawler. Null where that URL is of another origin than
   * this robots.txt: what that origin's own says was not asked. `failure` in phase `body`: also a text that could not be decoded.
   */
  robots: Answer.extend({
    blocks: z.array(z.object({ agent: z.string(), line: z.int(), text: z.string() })).nullable(),
    badLine: z.object({ line: z.int(), text: z.string() }).nullable(),
    /** Sitemaps that it names, first 3; the first is fetched (R4). */
    sitemaps: z.array(z.string()),
    /** The page that redirects led to in place of a robots.txt, of which there is none then. */
    page: z.string().nullable().default(null),
  }),
  /** R4: the first sitemap that robots.txt names; null when it names none. `valid`: an XML urlset or sitemapindex. */
  sitemap: Answer.extend({ url: z.string(), valid: z.boolean().nullable() }).nullable(),
  /**
   * R5: a random path, which should not exist, on the origin of the page's last URL, or where redirects led that kept
   * the path. `location`: where a 3xx leads.
   */
  notFound: Answer.extend({
    url: z.string(),
    location: z.string().nullable(),
    leak: Leak.nullable(),
    /** Whether it shows the title and the words of the page itself. */
    repeatsPage: z.boolean().nullable().default(null),
  }),
  /** R9: the www or apex twin; null for a host that has none. */
  twin: RedirectChain.extend({
    url: z.string(),
    /** The canonical of its page, when it answers 200. */
    canonical: z.string().nullable(),
    skipped: z.boolean(),
  }).nullable(),
  /** R10, of the URL's own host. */
  legacyTls: LegacyTls,
  /** R10b, of the URL's own host. */
  alpn: Alpn,
  /** R10 and R10b of the host that the page's redirects led to; null where that is the URL's own. */
  lastHost: z.object({ legacyTls: LegacyTls, alpn: Alpn }).nullable().default(null),
  /** R7, in document order, scripts and styles first. */
  assets: z.array(
    Answer.extend({ url: z.string(), kind: Resource.shape.kind, tag: z.string(), line: z.int() }),
  ),
  /** R8; `method`: GET where HEAD was refused. */
  links: z.array(
    Answer.extend({ url: z.string(), line: z.int(), method: z.enum(["HEAD", "GET"]) }),
  ),
  /** From request sent to first byte, connection apart. */
  firstBytes: z.array(z.object({ of: z.enum(["page", "robots", "notFound"]), ms: z.number() })),
});
export type Evidence = z.infer<typeof Evidence>;
