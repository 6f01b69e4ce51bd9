import { checksum, isToken } from "../../../../shared/token.ts";
import {
  hasPassword,
  isAwsSecret,
  isPlaceholder,
  isPrivateKey,
  isServiceRole,
} from "./credential-values.ts";
import type { CredentialKind, Html } from "../../evidence/html.ts";

/** `start` and `rest` are sources of regular expressions without capturing groups, with bounded matches. */
interface Format {
  readonly kind: CredentialKind;
  /** The prefix, mostly letters: each text is searched for all of them at once. */
  readonly start: string;
  readonly rest: string;
  /** What must precede it; by default, no part of the same word. */
  readonly before?: string;
  /** Whether a text of this form is a credential; by default, all but placeholders. */
  readonly isReal?: (found: string) => boolean;
}

/** An escape of JSON or of a URL does not belong to the word. */
const WORD_START = String.raw`(?<![\w-](?<!\\u00[0-9a-fA-F]{2}|%[0-9A-F]{2}|\\[bfnrt]))`;
const ANYWHERE = "";
const QUOTE = String.raw`\\?["'\x60]`;
const SLASH = String.raw`\\?\/`;

function hasChecksum(found: string): boolean {
  const random = found.slice(found.indexOf("_") + 1, -6);
  return found.endsWith(checksum(random));
}

const FORMATS: readonly Format[] = [
  { kind: "airtable_token", start: "pat", rest: String.raw`[0-9A-Za-z]{14}\.[0-9a-f]{64}` },
  { kind: "anthropic_key", start: "sk-ant-", rest: String.raw`[a-z]{3,6}\d\d-[\w-]{80,110}` },
  {
    kind: "aws_secret_key",
    start: "A[KS]IA",
    rest: String.raw`[A-Z2-7]{16}(?:${QUOTE})?\s{0,4}[,:|]\s{0,4}(?:${QUOTE})?[0-9A-Za-z/+]{40}(?![\w/+=])`,
    isReal: isAwsSecret,
  },
  {
    kind: "aws_key_id",
    before: String.raw`(?<=["'\x60])(?<!AWSAccessKeyId\\?["'\x60]?\s{0,4}[:=]\s{0,4}\\?["'\x60])`,
    start: "A[KS]IA",
    rest: String.raw`[A-Z2-7]{16}(?=${QUOTE})`,
  },
  {
    kind: "aws_secret_key",
    before: ANYWHERE,
    start: "[sS](?:ecret|ECRET)_?[aA](?:ccess|CCESS)",
    rest: String.raw`_?[kK](?:ey|EY)(?:${QUOTE})?\s{0,4}[:=]\s{0,4}${QUOTE}[0-9A-Za-z/+]{40}(?=${QUOTE})`,
    isReal: isAwsSecret,
  },
  {
    kind: "database_password",
    before: ANYWHERE,
    start: "(?:postgres|mysql|mariadb|mongodb|redis|amqp)",
    rest: String.raw`(?:ql|s|\+srv)?:(?:${SLASH}){2}[\w.%+-]{0,64}:[^\s:@/"'\x60<>{}$\\]{8,128}@[\w.-]{4,253}`,
    isReal: hasPassword,
  },
  { kind: "digitalocean_token", start: "do[opr]_v1_", rest: "[0-9a-f]{64}" },
  {
    kind: "discord_webhook",
    before: String.raw`(?<=discord(?:app)?\.com${SLASH}api${SLASH})`,
    start: "webhooks",
    rest: String.raw`${SLASH}\d{17,20}${SLASH}[\w-]{60,80}`,
  },
  {
    kind: "github_token",
    start: "gh[opsru]_",
    rest: "[0-9A-Za-z]{36}(?![0-9A-Za-z])",
    isReal: hasChecksum,
  },
  { kind: "github_token", start: "github_pat_", rest: "[0-9A-Za-z]{22}_[0-9A-Za-z]{59}" },
  { kind: "gitlab_token", start: "glpat-", rest: String.raw`[\w-]{20,64}` },
  { kind: "google_client_secret", start: "GOCSPX-", rest: String.raw`[\w-]{28}` },
  { kind: "huggingface_token", start: "hf_", rest: "[A-Za-z]{34}(?![0-9A-Za-z])" },
  {
    kind: "mapbox_secret_token",
    start: String.raw`sk\.eyJ`,
    rest: String.raw`[\w-]{20,200}\.[\w-]{20,64}`,
  },
  {
    kind: "npm_token",
    start: "npm_",
    rest: "[0-9A-Za-z]{36}(?![0-9A-Za-z])",
    isReal: hasChecksum,
  },
  { kind: "openai_key", start: "sk-", rest: String.raw`[\w-]{20,88}?T3BlbkFJ[\w-]{20,80}` },
  {
    kind: "private_key",
    before: ANYWHERE,
    start: "-----BEGIN ",
    rest: String.raw`(?:RSA |EC |DSA |OPENSSH )?PRIVATE KEY-----(?:\\[nr]|[\s"'\x60+\\]){1,40}[0-9A-Za-z+/]{40}(?:[0-9A-Za-z+/=\s]|\\[nr]){0,1600}`,
    isReal: isPrivateKey,
  },
  { kind: "pypi_token", start: "pypi-AgEIcHlwaS5vcmc", rest: String.raw`[\w-]{50,200}` },
  { kind: "sendgrid_key", start: String.raw`SG\.`, rest: String.raw`[\w-]{22}\.[\w-]{43}` },
  {
    kind: "shipscore_token",
    start: "psk_",
    rest: "[0-9A-Za-z]{40}(?![0-9A-Za-z])",
    isReal: (found) => isToken(found),
  },
  { kind: "shopify_token", start: "shp(?:at|ca|pa|ss)_", rest: "[0-9a-fA-F]{32}" },
  { kind: "slack_token", start: "xox[abpr]-", rest: String.raw`\d{10,13}-[0-9A-Za-z-]{20,150}` },
  {
    kind: "slack_token",
    start: "xapp-",
    rest: String.raw`\d-A[0-9A-Z]{8,12}-\d{10,15}-[0-9a-f]{64}`,
  },
  {
    kind: "slack_webhook",
    before: String.raw`(?<=hooks\.slack\.com${SLASH})`,
    start: "services",
    rest: String.raw`${SLASH}T[0-9A-Z]{8,12}${SLASH}B[0-9A-Z]{8,12}${SLASH}[0-9A-Za-z]{24}`,
  },
  { kind: "stripe_key", start: "[rs]k_live_", rest: "[0-9A-Za-z]{24,200}" },
  { kind: "stripe_test_key", start: "[rs]k_test_", rest: "[0-9A-Za-z]{24,200}" },
  { kind: "stripe_webhook_secret", start: "whsec_", rest: "[0-9A-Za-z]{32}(?![0-9A-Za-z])" },
  { kind: "supabase_secret_key", start: "sb_secret_", rest: String.raw`[\w-]{22,64}` },
  {
    kind: "supabase_secret_key",
    start: "eyJ",
    rest: String.raw`[\w-]{10,200}\.eyJ[\w-]{10,1200}\.[\w-]{20,600}`,
    isReal: isServiceRole,
  },
  {
    kind: "telegram_bot_token",
    before: String.raw`(?<=telegram\.org${SLASH})`,
    start: "bot",
    rest: String.raw`\d{8,10}:[\w-]{35}`,
  },
];

const STARTS = [...new Set(FORMATS.map(({ start }) => start))];
const ANY_START = new RegExp(STARTS.map((start) => `(${start})`).join("|"), "g");
/** The formats by their prefix. */
const FORMATS_OF = STARTS.map((one) =>
  FORMATS.filter(({ start }) => start === one).map((format) => ({
    ...format,
    whole: new RegExp((format.before ?? WORD_START) + format.start + format.rest, "y"),
  })),
);
/** The longest format, and the furthest that any looks back. */
const LONGEST = 2048;
const LONGEST_LOOK_BACK = 40;

interface Credential {
  readonly kind: CredentialKind;
  readonly start: number;
  readonly end: number;
}

/** The credentials that begin at or after `from`, in order. */
function* findCredentials(text: string, from: number): Generator<Credential> {
  for (let position = from; ;) {
    ANY_START.lastIndex = position;
    const match = ANY_START.exec(text);
    if (!match) return;
    const formats = FORMATS_OF[match.findLastIndex((group) => group !== undefined) - 1] ?? [];
    const found = readCredential(text, match.index, formats);
    position = found?.end ?? ANY_START.lastIndex;
    if (found) yield found;
  }
}

function readCredential(
  text: string,
  start: number,
  formats: (typeof FORMATS_OF)[number],
): Credential | undefined {
  for (const { kind, whole, isReal } of formats) {
    whole.lastIndex = start;
    const [found] = whole.exec(text) ?? [];
    if (found === undefined || !(isReal?.(found) ?? !isPlaceholder(found))) continue;
    return { kind, start, end: start + found.length };
  }
  return undefined;
}

/** The text with every credential that begins at or after `from` masked. */
export function hideCredentials(text: string, from = 0): string {
  let hidden = "";
  let position = 0;
  for (const { start, end } of findCredentials(text, from)) {
    hidden += `${text.slice(position, start)}***`;
    position = end;
  }
  return hidden + text.slice(position);
}

const WINDOW = 4 * LONGEST;
const NEWLINE = 10;

/** Looks for credentials in the parts of a page; keeps only the line of the first one of each kind. */
export class CredentialSearch {
  readonly #page: string;
  readonly #lines = new Map<CredentialKind, number>();
  #start = 0;
  #searched = 0;
  #end = 0;
  #line = 1;
  #counted = 0;

  constructor(page: string) {
    this.#page = page;
  }

  /**
   * Adds a piece of the page, from one offset to another. A piece that begins where the last one ended continues it.
   */
  add(start: number, end: number): void {
    if (start !== this.#end) {
      this.#search(this.#end);
      this.#start = start;
      this.#searched = start;
    }
    this.#end = end;
    if (end - this.#searched >= WINDOW) this.#search(end - LONGEST);
  }

  end(): NonNullable<Html["credentials"]> {
    this.#search(this.#end);
    return [...this.#lines].map(([kind, line]) => ({ kind, line }));
  }

  /** Takes the credentials that begin before `limit`; later ones may continue in the next piece. */
  #search(limit: number): void {
    const offset = Math.max(this.#start, this.#searched - LONGEST_LOOK_BACK);
    const text = this.#page.slice(offset, this.#end);
    let searched = limit;
    for (const { kind, start, end } of findCredentials(text, this.#searched - offset)) {
      if (offset + start >= limit) break;
      searched = Math.max(limit, offset + end);
      if (!this.#lines.has(kind)) this.#lines.set(kind, this.#lineAt(offset + start));
    }
    this.#searched = searched;
  }

  /** Offsets are asked for in the order of the page. */
  #lineAt(offset: number): number {
    for (; this.#counted < offset; this.#counted++)
      if (this.#page.charCodeAt(this.#counted) === NEWLINE) this.#line += 1;
    return this.#line;
  }
}
