import * as z from "zod";
import { Html, FileFacts, Resource } from "./html.ts";
import { Answer, RedirectChain, RefusalCode, Alpn, LegacyTls, OddAnswer } from "./exchange.ts";
import { Timings } from "../../../shared/check.ts";

/** A default page, directory index, stack trace or dev overlay that was recognized in a body. */
export const Leak = z.object({ signature: z.string(), offset: z.int() });
export type Leak = z.infer<typeof Leak>;

/**
 * Faults of a body that browsers show anyway. `break`: the transfer broke off after the end of the text.
 * `trailer`: its coding has no checksum, or a wrong one. `bytes_after`: more bytes follow the end of its coding.
 * `members`: these are a second member of gzip, which browsers do not read.
 */
export const BodyOddity = z.enum(["break", "trailer", "bytes_after", "members"]);
export type BodyOddity = z.infer<typeof BodyOddity>;

export const Body = z.object({
  wireBytes: z.int(),
  decodedBytes: z.int(),
  encoding: z.string().nullable(),
  /**
   * `cut_short`: the body ended before its declared length, its last chunk or the end of its coding. `late`: the body
   * was incomplete at the deadline. A page that has its end tag is `whole`.
   */
  state: z.enum(["whole", "over_limit", "cut_short", "unsupported", "undecodable", "late"]),
  oddities: z.array(BodyOddity),
  bomEncoding: z.enum(["utf-8", "utf-16be", "utf-16le"]).nullable(),
  /** The decoded bytes are gzip. Browsers show them as they are. */
  isGzip: z.boolean(),
  /**
   * True if the bytes are invalid in the charset that the page declares. A page that declares none must be valid UTF-8, or
   * look like windows-1252, which browsers guess.
   */
  charsetError: z.boolean(),
  start: z.string(),
  looksLikeHtml: z.boolean(),
  leak: Leak.nullable(),
  challenge: z.string().nullable(),
  html: Html.nullable(),
});
export type Body = z.infer<typeof Body>;

export const CardImage = Answer.extend({
  url: z.string(),
  meta: z.enum(["og:image", "twitter:image"]),
  /**
   * Null if the file is not an image or was not read. The sizes are in pixels, and null if the start of the file lacks
   * them.
   */
  image: z
    .object({
      type: z.enum(["png", "jpeg", "gif", "webp", "svg", "other"]),
      width: z.int().nullable(),
      height: z.int().nullable(),
    })
    .nullable(),
});
export type CardImage = z.infer<typeof CardImage>;

export const Asset = Answer.extend({
  url: z.string(),
  kind: Resource.shape.kind,
  tag: z.string(),
  /** A line of the page or, with `in`, of the file that names this one. */
  line: z.int(),
  /** The style sheet or manifest that names the file. Null if the page itself does. */
  in: z.string().nullable(),
  /** `variant`: a further candidate of a srcset, of which browsers load one. */
  load: z.enum(["now", "lazy", "variant"]),
  file: FileFacts.nullable(),
});
export type Asset = z.infer<typeof Asset>;

export const EVIDENCE_VERSION = 3;

const Dns = z.object({
  host: z.string(),
  kind: z.enum(["name", "literal"]),
  /** Null if the check may connect to every address. */
  refusal: RefusalCode.nullable(),
  /** Whether a second name server confirms a dns_failure or dns_timeout. */
  isConfirmed: z.boolean().nullable(),
  addresses: z.array(z.string()),
  durationMs: z.number(),
});

/**
 * Everything that one verification found, as JSON. The rules read nothing else. Secrets are removed before a value is
 * stored here: cookie values, the values of queries and path parameters, fragments, user information. Times are in
 * milliseconds, sizes in bytes. Positions are 1-based lines, or 0-based offsets into the decoded body.
 */
export const Evidence = z.object({
  version: z.literal(EVIDENCE_VERSION),
  url: z.string(),
  preview: z.boolean(),
  checkedAt: z.iso.datetime(),
  durationMs: z.number(),
  /**
   * How long the check's thread stalled during the visit. A stalled thread, not the site, may have caused a failure.
   */
  stalledMs: z.number(),
  dns: Dns,
  /** R1: the page itself. `attempts` includes the retry, if any. `body` is the body of the last hop. */
  page: RedirectChain.extend({
    attempts: z.int(),
    timings: Timings,
    body: Body.nullable(),
    /** The status of a second request after a 406, with the Accept of a browser. Null if none was sent. */
    browserStatus: z.int().nullable(),
    /** Where a refresh or a script of the last hop sends visitors before they read it, if that was not followed. */
    leadsTo: z.string().nullable(),
  }),
  /**
   * R1b: a GET with a foreign Origin to the URL at the end of the redirects. If that URL refused or failed, the first
   * URL is requested. `origin`: null if the request was not sent.
   */
  cors: Answer.extend({ origin: z.string().nullable() }),
  /**
   * `isState`: the cookie's value is readable, so it may contain the session itself. `isRepeated`: R1b received the
   * same value; null if unknown.
   */
  drawnCookies: z.array(
    z.object({ name: z.string(), isState: z.boolean(), isRepeated: z.boolean().nullable() }),
  ),
  /** R2: plain http. Null if the URL's port is not 443, because there is then no http URL to try. */
  plainHttp: RedirectChain.extend({
    /** Nothing is listening, or a firewall drops the packets. */
    closed: z.boolean(),
    skipped: z.boolean(),
    refresh: z.string().nullable(),
  }).nullable(),
  /**
   * R3. `blocks`: the lines that disallow the page for a crawler; null if the page is on an origin whose robots.txt was
   * not read. `failure` in phase `body` can also mean that the text could not be decoded.
   */
  robots: Answer.extend({
    blocks: z.array(z.object({ agent: z.string(), line: z.int(), text: z.string() })).nullable(),
    /** Requested scripts and style sheets of the site that a line disallows for Googlebot or Bingbot. */
    closedFiles: z.array(
      z.object({ url: z.string(), tag: z.string(), line: z.int(), rule: z.string() }),
    ),
    badLine: z.object({ line: z.int(), text: z.string() }).nullable(),
    /** At most the first 3 declared sitemaps. R4 fetches the first one. */
    sitemaps: z.array(z.string()),
    /** The URL of the page to which redirects led instead of to a robots.txt. */
    page: z.string().nullable(),
  }),
  /**
   * R4: the first declared sitemap. `valid`: the file is a plain list, or XML with a closed root. `origins`: the
   * origins of its first URLs.
   */
  sitemap: Answer.extend({
    url: z.string(),
    valid: z.boolean().nullable(),
    origins: z.array(z.string()),
  }).nullable(),
  /**
   * R5: a random path that should not exist. It is on the page's last origin, or where redirects that kept the path
   * led.
   */
  notFound: Answer.extend({
    url: z.string(),
    location: z.string().nullable(),
    leak: Leak.nullable(),
    banner: z.string().nullable(),
    repeatsPage: z.boolean().nullable(),
  }),
  /**
   * R13: a made-up file name beside a hashed file of the page, requested as a script. Null if the page loads no hashed
   * file of its host. `end`: where redirects led, null without one; the answer is that of the end. `isHtml`: by its
   * type or its first bytes.
   */
  missingFile: Answer.extend({
    url: z.string(),
    end: z.string().nullable(),
    isHtml: z.boolean(),
  }).nullable(),
  /** R9: the host with `www.` added or removed; null if the host has no such variant. */
  twin: RedirectChain.extend({
    url: z.string(),
    canonical: z.string().nullable(),
    skipped: z.boolean(),
  }).nullable(),
  /** R10, and R10b (`alpn`), for the URL's own host. */
  legacyTls: LegacyTls,
  alpn: Alpn,
  /** R10 and R10b for the host at the end of the page's redirects. Null if the host is the same as the URL's. */
  lastHost: z.object({ legacyTls: LegacyTls, alpn: Alpn }).nullable(),
  /**
   * R7: scripts and style sheets first, then other files, each in document order; then files that style sheets and the
   * manifest name. `file`: null if the body was not read.
   */
  assets: z.array(Asset),
  /** How many files the page has, including those that were not requested. */
  assetCount: z.int(),
  /**
   * R11: the first og:image, and the first twitter:image if its URL differs. Only absolute https URLs are requested.
   */
  cardImages: z.array(CardImage),
  /** R12: the first source map that a file of the site declares. `file`: the URL of the declaring file. */
  sourceMap: Answer.extend({ url: z.string(), file: z.string() }).nullable(),
  /** Files of the previous production deployment that this page does not load. They cost no points. */
  previousFiles: z.array(Answer.extend({ url: z.string() })),
  /** R8. `method`: GET if HEAD was refused. `isEndless`: it redirects more often than browsers follow. */
  links: z.array(
    Answer.extend({
      url: z.string(),
      line: z.int(),
      method: z.enum(["HEAD", "GET"]),
      isEndless: z.boolean(),
    }),
  ),
  /** At most 10 answers with invalid syntax that browsers show; those of the page come first. */
  oddAnswers: z.array(OddAnswer),
  /** How many links to its own host the page has, including those that were not requested. */
  linkCount: z.int(),
  /** The time from the request to the first byte. It excludes the time to connect. */
  firstBytes: z.array(z.object({ of: z.enum(["page", "robots", "notFound"]), ms: z.number() })),
});
export type Evidence = z.infer<typeof Evidence>;
