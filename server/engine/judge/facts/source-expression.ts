/**
 * One member of a source list (CSP 3, 2.3.1). Keywords and schemes are in lower case (`'self'`, `https:`). A host may
 * be `*` or begin with `*.`; its scheme, port and path are empty if not given. Except for keywords and schemes, `text`
 * is the whole expression as written.
 */
export type SourceExpression =
  | { readonly kind: "keyword" | "scheme" | "nonce" | "hash"; readonly text: string }
  | HostSource;

export interface HostSource {
  readonly kind: "host";
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  /** Digits or `*`. */
  readonly port: string;
  /** Ends before a `?` or `#`, because browsers ignore the rest. */
  readonly path: string;
}

const KEYWORDS: ReadonlySet<string> = new Set(
  "self none unsafe-inline unsafe-eval strict-dynamic strict-dynamic-url unsafe-hashes report-sample wasm-unsafe-eval inline-speculation-rules trusted-types-eval unsafe-allow-redirects unsafe-webtransport-hashes report-sha256 report-sha384 report-sha512"
    .split(" ")
    .map((word) => `'${word}'`),
);
const PROOF = /^'(nonce|(?:url-|eval-)?sha(?:256|384|512))-[a-z0-9+/_-]+={0,2}'$/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:$/i;
/** The grammar lacks underscores, but real host names contain them and browsers accept them. */
const HOST =
  /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::(\d+|\*))?(\/\S*)?$/i;

/** Returns undefined for a token that browsers ignore. */
export function findSource(token: string): SourceExpression | undefined {
  if (token.startsWith("'")) {
    const proof = PROOF.exec(token)?.[1]?.toLowerCase();
    if (proof !== undefined) return { kind: proof === "nonce" ? "nonce" : "hash", text: token };
    const text = token.toLowerCase();
    return KEYWORDS.has(text) ? { kind: "keyword", text } : undefined;
  }
  if (SCHEME.test(token)) return { kind: "scheme", text: token.toLowerCase() };
  const [, scheme = "", host, port = "", path = ""] = HOST.exec(token) ?? [];
  if (host === undefined) return undefined;
  return {
    kind: "host",
    text: token,
    scheme: scheme.toLowerCase(),
    host: host.toLowerCase(),
    port,
    path: path.replace(/[?#].*/, ""),
  };
}

const QUOTES = /^['"`´‘’‚‛“”„‟′″]|['"`´‘’‚‛“”„‟′″]$/g;

export function findQuoted(token: string): string | undefined {
  const word = token.replace(QUOTES, "");
  const quoted = `'${word}'`;
  if (quoted === token || !/^[a-z][^.]*$/i.test(word)) return undefined;
  return findSource(quoted) && quoted;
}

/** Schemes that the URL of a page or script may have. A socket's scheme also allows http (CSP 3, 6.7.2.9). */
const WEB_SCHEMES: readonly string[] = ["http:", "https:", "ws:", "wss:"];

export function isAnyHost(source: SourceExpression): boolean {
  if (source.kind !== "host") return WEB_SCHEMES.includes(source.text);
  return source.host === "*" && (source.scheme === "" || WEB_SCHEMES.includes(source.scheme));
}
