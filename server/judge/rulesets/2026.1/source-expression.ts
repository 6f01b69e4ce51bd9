/**
 * One member of a source list (CSP 3, 2.3.1). A keyword and a scheme are lower-cased (`'self'`, `https:`); a host may be
 * `*` or begin with `*.`, and its scheme and path are empty where none is given. `text` is the whole of it, otherwise as written.
 */
export type SourceExpression =
  | { readonly kind: "keyword" | "scheme" | "nonce" | "hash"; readonly text: string }
  | {
      readonly kind: "host";
      readonly text: string;
      readonly scheme: string;
      readonly host: string;
      readonly path: string;
    };

const KEYWORDS: ReadonlySet<string> = new Set(
  "self none unsafe-inline unsafe-eval strict-dynamic unsafe-hashes report-sample wasm-unsafe-eval inline-speculation-rules trusted-types-eval unsafe-allow-redirects unsafe-webtransport-hashes report-sha256 report-sha384 report-sha512"
    .split(" ")
    .map((word) => `'${word}'`),
);
const PROOF = /^'(nonce|sha256|sha384|sha512)-[a-z0-9+/_-]+={0,2}'$/i;
const SCHEME = /^[a-z][a-z0-9+.-]*:$/i;
/** Underscores, which the grammar leaves out, are in names that exist, and browsers take them. */
const HOST =
  /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::(?:\d+|\*))?(\/\S*)?$/i;

/** Undefined for what is no source expression, which browsers leave out of the list. */
export function findSource(token: string): SourceExpression | undefined {
  if (token.startsWith("'")) {
    const proof = PROOF.exec(token)?.[1]?.toLowerCase();
    if (proof !== undefined) return { kind: proof === "nonce" ? "nonce" : "hash", text: token };
    const text = token.toLowerCase();
    return KEYWORDS.has(text) ? { kind: "keyword", text } : undefined;
  }
  if (SCHEME.test(token)) return { kind: "scheme", text: token.toLowerCase() };
  const [, scheme = "", host, path = ""] = HOST.exec(token) ?? [];
  if (host === undefined) return undefined;
  return {
    kind: "host",
    text: token,
    scheme: scheme.toLowerCase(),
    host: host.toLowerCase(),
    path,
  };
}

/** Whether the word is a keyword, nonce or hash that was left without its quotes, and so names a host. */
export function lacksQuotes(token: string): boolean {
  return /^[a-z]/i.test(token) && !token.includes(".") && findSource(`'${token}'`) !== undefined;
}

/** Schemes that the URL of a page or script may have; that of a socket lets http in too (CSP 3, 6.7.2.9). */
const WEB_SCHEMES: readonly string[] = ["http:", "https:", "ws:", "wss:"];

/** Whether the source lets in what comes from any host. */
export function isAnyHost(source: SourceExpression): boolean {
  if (source.kind !== "host") return WEB_SCHEMES.includes(source.text);
  return source.host === "*" && (source.scheme === "" || WEB_SCHEMES.includes(source.scheme));
}
