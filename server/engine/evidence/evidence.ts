import * as z from "zod";
import { Html, FileFacts, Resource } from "./html.ts";
import { Answer, RedirectChain, RefusalCode, Alpn, LegacyTls } from "./exchange.ts";
import { Timings } from "../../../shared/check.ts";

/** A default page, directory index, stack trace or dev overlay that was recognized in a body. */
export const Leak = z.object({ signature: z.string(), offset: z.int() });
export type Leak = z.infer<typeof Leak>;

export const Body = z.object({
  wireBytes: z.int(),
  decodedBytes: z.int(),
  encoding: z.string().nullable(),
  /** `cut_short`: ended before its length, last chunk or coding said. `late`: incomplete at the check's deadline. */
  state: z.enum(["whole", "over_limit", "cut_short", "unsupported", "undecodable", "late"]),
  bomEncoding: z.enum(["utf-8", "utf-16be", "utf-16le"]).nullable(),
  /** True if the bytes are invalid in the charset that the page declares (UTF-8 if it declares none). */
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
  /** Sizes in pixels, null if the image's beginning lacks them. Null if it is no image or was not read. */
  image: z
    .object({
      type: z.enum(["png", "jpeg", "gif", "webp", "svg", "other"]),
      width: z.int().nullable(),
      height: z.int().nullable(),
    })
    .nullable(),
});
export type CardImage = z.infer<typeof CardImage>;

export const EVIDENCE_VERSION = 2;

const Dns = z.object({
  host: z.string(),
  kind: z.enum(["name", "literal"]),
  /** Null if every address may be dialed. */
  refusal: RefusalCode.nullable(),
  /** For dns_failure and dns_timeout: whether a second name server confirms them. */
  isConfirmed: z.boolean().nullable(),
  addresses: z.array(z.string()),
  durationMs: z.number(),
});

/**
 * Everything that one verification found: all that the rules can know, as JSON. Secrets are removed before a value is
 * stored here: cookie values, the values of queries and path parameters, fragments, user information. Times are in
 * milliseconds, sizes in bytes. Positions are 1-based lines, or 0-based offsets into the decoded body.
 */
export const Evidence = z.object({
  version: z.literal(EVIDENCE_VERSION),
  url: z.string(),
  preview: z.boolean(),
  checkedAt: z.iso.datetime(),
  durationMs: z.number(),
  /** How long the check's thread stalled during the visit. A failure may then not be the site's fault. */
  stalledMs: z.number(),
  dns: Dns,
  /** R1: the page itself. `attempts` includes the retry, if any. `body` is the body of the last hop. */
  page: RedirectChain.extend({ attempts: z.int(), timings: Timings, body: Body.nullable() }),
  /** R1b: the GET with a foreign Origin, to the last URL unless that refused it. `origin`: null if not sent. */
  cors: Answer.extend({ origin: z.string().nullable() }),
  /**
   * `isState`: the readable content may be the session itself. `isRepeated`: R1b received the cookie; null if unknown.
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
   * R3. `blocks`: the lines that disallow the page for a crawler; null for another origin, whose file was not read.
   * `failure` in phase `body` can also mean that the text could not be decoded.
   */
  robots: Answer.extend({
    blocks: z.array(z.object({ agent: z.string(), line: z.int(), text: z.string() })).nullable(),
    /** Requested scripts and style sheets of the site that a line disallows for Googlebot or Bingbot. */
    closedFiles: z.array(
      z.object({ url: z.string(), tag: z.string(), line: z.int(), rule: z.string() }),
    ),
    badLine: z.object({ line: z.int(), text: z.string() }).nullable(),
    /** The first 3; R4 fetches the first. */
    sitemaps: z.array(z.string()),
    /** The page to which redirects led in place of a robots.txt. */
    page: z.string().nullable(),
  }),
  /** R4: the first declared sitemap. `valid`: a list, or closed XML. `origins`: of its first addresses. */
  sitemap: Answer.extend({
    url: z.string(),
    valid: z.boolean().nullable(),
    origins: z.array(z.string()),
  }).nullable(),
  /** R5: a random path that should not exist, on the page's last origin or where redirects kept the path. */
  notFound: Answer.extend({
    url: z.string(),
    location: z.string().nullable(),
    leak: Leak.nullable(),
    banner: z.string().nullable(),
    repeatsPage: z.boolean().nullable(),
  }),
  /** R9: the host with or without www; null if it has no such twin. */
  twin: RedirectChain.extend({
    url: z.string(),
    canonical: z.string().nullable(),
    skipped: z.boolean(),
  }).nullable(),
  /** R10 and R10b (`alpn`), of the URL's own host. */
  legacyTls: LegacyTls,
  alpn: Alpn,
  /** R10 and R10b for the host at the end of the page's redirects; null if that is the URL's own. */
  lastHost: z.object({ legacyTls: LegacyTls, alpn: Alpn }).nullable(),
  /** R7, in document order, scripts and styles first. `file`: null if its body was not read. */
  assets: z.array(
    Answer.extend({
      url: z.string(),
      kind: Resource.shape.kind,
      tag: z.string(),
      line: z.int(),
      file: FileFacts.nullable(),
    }),
  ),
  /** R11: the first og:image, and the first twitter:image if it is another one. Only absolute https URLs. */
  cardImages: z.array(CardImage),
  /** R12: the first source map that a file of the site declares. `file`: that file. */
  sourceMap: Answer.extend({ url: z.string(), file: z.string() }).nullable(),
  /** R8. `method`: GET if HEAD was refused. */
  links: z.array(
    Answer.extend({ url: z.string(), line: z.int(), method: z.enum(["HEAD", "GET"]) }),
  ),
  /** From the request to the first byte, without the time to connect. */
  firstBytes: z.array(z.object({ of: z.enum(["page", "robots", "notFound"]), ms: z.number() })),
});
export type Evidence = z.infer<typeof Evidence>;
