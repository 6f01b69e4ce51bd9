import * as z from "zod";
import { Timings } from "../../shared/check.ts";

/**
 * What one verification saw, and all that the rules may know. JSON-serialisable. A field that an earlier version lacks
 * is null when it is read: it was not looked at.
 * Secrets are cut before a value gets here: cookie values, values of queries and path parameters, fragments, user
 * information.
 * Times are milliseconds, sizes are bytes, positions are 1-based lines or 0-based offsets into the decoded body.
 */
export const EVIDENCE_VERSION = 2;

/** Why a URL may not be visited; the guard's words. */
export const RefusalCode = z.enum([
  "unparseable",
  "not_https",
  "userinfo",
  "characters",
  "too_long",
  "port",
  "private",
  "not_found",
  "dns_failure",
  "dns_timeout",
]);
export type RefusalCode = z.infer<typeof RefusalCode>;

/** The code of a connection that this machine had no way to try: to a family of addresses that it is not connected to. */
export const NO_ROUTE = "ERR_NO_ROUTE";

/** Why a visit was given up: the check's thread hung in it, or broke down, or its code threw. */
export const GiveUpCode = z.enum(["hung", "crashed", "failed"]);
export type GiveUpCode = z.infer<typeof GiveUpCode>;

/**
 * Where a request stopped. `code` is Node's or OpenSSL's code, NO_ROUTE, a RefusalCode in phase `guard`, or a GiveUpCode in
 * phase `check`, which says that the visit was given up whole.
 */
export const Failure = z.object({
  phase: z.enum(["guard", "connect", "tls", "response", "body", "deadline", "check"]),
  code: z.string(),
  detail: z.string(),
});
export type Failure = z.infer<typeof Failure>;

/** Response headers that some rule reads, lower-cased, in the order received, duplicates kept. */
export const Headers = z.array(z.tuple([z.string(), z.string()]));
export type Headers = z.infer<typeof Headers>;

/** The TLS connection and the certificate that the server sent; `sans` as `dns:name` or `ip:address`. */
export const Tls = z.object({
  host: z.string(),
  protocol: z.string(),
  cipher: z.string(),
  /**
   * Ephemeral key exchange; null where the exchange is static RSA. `type` as Node tells it: `ECDH`, `DH`, `TLSGroup` for one
   * that joins two (X25519MLKEM768), `unknown` where this Node names none. `bits` is null where it tells no size.
   */
  keyExchange: z
    .object({ type: z.string(), name: z.string().nullable(), bits: z.number().nullable() })
    .nullable(),
  /** Node's chain verdict, host name apart: null when the chain is trusted. */
  chainError: z.object({ code: z.string(), message: z.string() }).nullable(),
  chainLength: z.int(),
  certificate: z.object({
    subject: z.string(),
    issuer: z.string(),
    sans: z.array(z.string()),
    notBefore: z.iso.datetime(),
    notAfter: z.iso.datetime(),
    keyType: z.string(),
    keyBits: z.int().nullable(),
    curve: z.string().nullable(),
    signatureAlgorithm: z.string(),
    /** Whether it says where its issuer's certificate is (AIA, caIssuers), which browsers then get by themselves. */
    namesIssuer: z.boolean().nullable().default(null),
  }),
});
export type Tls = z.infer<typeof Tls>;

/** One answer of a chain of redirects. `tls` is null over http. */
export const Hop = z.object({
  url: z.string(),
  status: z.int(),
  address: z.string(),
  headers: Headers,
  tls: Tls.nullable(),
});
export type Hop = z.infer<typeof Hop>;

/** Why the next URL of a chain was not visited. */
export const Stop = z.object({
  url: z.string(),
  reason: z.enum(["downgrade", "loop", "too_many", "refused"]),
  refusal: RefusalCode.nullable(),
});
export type Stop = z.infer<typeof Stop>;

/**
 * A GET and the redirects it was led through. Ended by the last hop's answer (`failure` and `stop` null),
 * by a failure of the request after the last hop, or by a redirect that was not followed.
 * `tls` is the last handshake's, also when no answer came over it.
 */
export const Chain = z.object({
  hops: z.array(Hop),
  failure: Failure.nullable(),
  stop: Stop.nullable(),
  tls: Tls.nullable(),
});
export type Chain = z.infer<typeof Chain>;

/** Whose ground a URL stands on, by its name or literal alone, without DNS; `allowed`: an allowed network's, for a check that may enter it. */
export const Place = z.enum(["public", "private", "allowed", "invalid"]);
export type Place = z.infer<typeof Place>;

const Located = z.object({ url: z.string(), line: z.int() });

/** Where the tag ends in the text of the page: of two on one line, which comes first. */
const Offset = z.int().nullable().default(null);

export const Resource = Located.extend({
  tag: z.string(),
  /**
   * How the browser uses it; a `module` must be served as JavaScript, a `script` only as nothing else. A script or
   * style that the page can be shown without (nomodule, preload, print, alternate) is `other`.
   */
  kind: z.enum([
    "script",
    "module",
    "style",
    "image",
    "icon",
    "font",
    "manifest",
    "media",
    "frame",
    "other",
  ]),
  place: Place,
  /** True for what delays the first paint: a classic script in head without async or defer, a stylesheet. */
  blocking: z.boolean(),
  offset: Offset,
  /** Of a script or link element: its integrity as written, empty without one, and whether it has a crossorigin. */
  integrity: z.string().nullable().default(null),
  hasCrossorigin: z.boolean().nullable().default(null),
});
export type Resource = z.infer<typeof Resource>;

export const Link = Located.extend({ place: Place });
export type Link = z.infer<typeof Link>;

/** A form, or a button of one that sends it elsewhere. `url`: where it is sent. */
export const Form = Located.extend({
  tag: z.string(),
  /** Null where none is written that there is. */
  method: z.enum(["get", "post", "dialog"]).nullable(),
  /** Whether a password is among what is sent. */
  hasPassword: z.boolean(),
  /** Whether it has an onsubmit, which may send it otherwise. */
  hasHandler: z.boolean(),
  offset: Offset,
});
export type Form = z.infer<typeof Form>;

/** A default page, directory index, stack trace or dev overlay recognised in a body. */
export const Leak = z.object({ signature: z.string(), offset: z.int() });
export type Leak = z.infer<typeof Leak>;

/** What a page must not show its visitors; keys that are made to be published are none of them. */
export const CredentialKind = z.enum([
  "airtable_token",
  "anthropic_key",
  "aws_key_id",
  "aws_secret_key",
  "database_password",
  "digitalocean_token",
  "discord_webhook",
  "github_token",
  "gitlab_token",
  "google_client_secret",
  "huggingface_token",
  "mapbox_secret_token",
  "npm_token",
  "openai_key",
  "private_key",
  "pypi_token",
  "sendgrid_key",
  "shipscore_token",
  "shopify_token",
  "slack_token",
  "slack_webhook",
  "stripe_key",
  "stripe_test_key",
  "stripe_webhook_secret",
  "supabase_secret_key",
  "telegram_bot_token",
]);
export type CredentialKind = z.infer<typeof CredentialKind>;

/** What one streaming pass over the HTML found. Lists are cut to a bound; their counts are whole. */
export const Html = z.object({
  /** The declaration between `<!` and `>`, as sent; null without one before the first tag or word. */
  doctype: z.string().nullable(),
  lang: z.string().nullable(),
  charset: z.object({ label: z.string(), offset: z.int() }).nullable(),
  titleCount: z.int(),
  title: z.string().nullable(),
  /** Whether the root is an html element in the namespace of XHTML, which matters to what is sent as XML. */
  isXhtml: z.boolean().nullable().default(null),
  /**
   * `name`: the lower-cased name, property or http-equiv. Only metas that some rule reads. `isInHead`: the parser makes it
   * a child of head.
   */
  metas: z.array(
    z.object({
      name: z.string(),
      content: z.string(),
      line: z.int(),
      isInHead: z.boolean().nullable().default(null),
      offset: Offset,
    }),
  ),
  canonicals: z.array(Located),
  /** Whether head was read to its end, also of a page that was not: what it lacks is missing then. */
  isHeadWhole: z.boolean().nullable().default(null),
  imageCount: z.int(),
  imagesWithoutAltCount: z.int(),
  imagesWithoutAlt: z.array(z.object({ tag: z.string(), line: z.int() })),
  /** Characters of visible text, white space folded. */
  textLength: z.int(),
  /** Of them, those outside headings, links, buttons, labels, headers, footers and navigation. */
  proseLength: z.int().nullable().default(null),
  /** How the visible text begins, line by line. */
  text: z.string().nullable().default(null),
  /** The first headings outside navigation and footers, and the number of all of them. */
  headings: z.array(z.string()).nullable().default(null),
  headingCount: z.int().nullable().default(null),
  noscriptLength: z.int(),
  /** The id of an empty element that a client-side framework fills, such as `root` or `app`. */
  emptyRootId: z.string().nullable(),
  resources: z.array(Resource),
  blockingCount: z.int(),
  /** Scripts that a browser runs, inline ones too. */
  scriptCount: z.int(),
  /** What tells whether a policy lets them run. */
  scripts: z
    .object({
      inlineCount: z.int(),
      nonceCount: z.int(),
      integrityCount: z.int(),
      /** Where the first one's tag ends; null without any. */
      firstOffset: z.int().nullable(),
      /** Of their files, each once; the scheme where there is no origin, such as `data:`; null for over 50 files. */
      origins: z.array(z.string()).nullable(),
    })
    .nullable()
    .default(null),
  linkCount: z.int(),
  links: z.array(Link),
  /** Those that are sent over http or with a password. */
  forms: z.array(Form).nullable().default(null),
  /**
   * Texts that may be a template's: lorem ipsum outside code, and short texts, each all that a heading, paragraph, link or
   * button holds, that name undefined, [object Object] or a mark such as {{name}}.
   */
  templateTexts: z
    .array(z.object({ text: z.string(), tag: z.string(), line: z.int() }))
    .nullable()
    .default(null),
  /** In the page's inline scripts, data for them included: of each kind, where the first stands. */
  credentials: z
    .array(z.object({ kind: CredentialKind, line: z.int() }))
    .nullable()
    .default(null),
});
export type Html = z.infer<typeof Html>;

export const Body = z.object({
  wireBytes: z.int(),
  decodedBytes: z.int(),
  encoding: z.string().nullable(),
  /** `whole`; `over_limit`: cut at the decoded limit; `cut_short`: ended before its length, last chunk or coding; `unsupported`: an encoding that was not asked for; `undecodable`; `late`: not read to its end before the check's deadline. */
  state: z.enum(["whole", "over_limit", "cut_short", "unsupported", "undecodable", "late"]),
  bom: z.boolean(),
  /** What the byte order mark declares; null without one. */
  bomEncoding: z.enum(["utf-8", "utf-16be", "utf-16le"]).nullable().default(null),
  /** True where the bytes are not valid in the charset that the page declares (UTF-8 without one). */
  charsetError: z.boolean(),
  start: z.string(),
  looksLikeHtml: z.boolean(),
  leak: Leak.nullable(),
  /** The name of the gatekeeper whose challenge page this is. */
  challenge: z.string().nullable(),
  html: Html.nullable(),
});
export type Body = z.infer<typeof Body>;

export const Dns = z.object({
  host: z.string(),
  kind: z.enum(["name", "literal"]),
  /** Null when every answer may be dialled. */
  refusal: RefusalCode.nullable(),
  addresses: z.array(z.string()),
  durationMs: z.number(),
});
export type Dns = z.infer<typeof Dns>;

/** A handshake that offers only TLS 1.0 and 1.1. */
const LegacyTls = z.object({
  outcome: z.enum(["refused", "accepted", "unknown"]),
  protocol: z.string().nullable(),
  code: z.string().nullable(),
});

/** What ALPN chose of h2 and http/1.1. */
const Alpn = z.object({
  outcome: z.enum(["h2", "http/1.1", "none", "unknown"]),
  code: z.string().nullable(),
});

/** The answer to one side request; status null when none came. `skipped`: not sent for lack of time or of requests. */
const Answer = z.object({
  status: z.int().nullable(),
  headers: Headers,
  failure: Failure.nullable(),
  skipped: z.boolean(),
});
export type Answer = z.infer<typeof Answer>;

export const Evidence = z.object({
  version: z.literal([1, EVIDENCE_VERSION]),
  url: z.string(),
  preview: z.boolean(),
  checkedAt: z.iso.datetime(),
  durationMs: z.number(),
  dns: Dns,
  /** R1: the page itself. `attempts` counts the one retry; `body` is the last hop's. */
  page: Chain.extend({ attempts: z.int(), timings: Timings, body: Body.nullable() }),
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
  plainHttp: Chain.extend({
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
  twin: Chain.extend({
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
