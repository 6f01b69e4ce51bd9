import * as z from "zod";

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
