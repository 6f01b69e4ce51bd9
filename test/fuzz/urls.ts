import * as fc from "fast-check";
import { addressText, v4Spellings } from "./addresses.ts";
import { textOf } from "./noise.ts";

/** Stands in query values, fragments and user information; must never be kept. */
export const URL_SECRET = "s3cr3tUr1";

const NAMES = (
  "example.com www.example.com EXAMPLE.COM xn--exmple-cua.com exämple.com example.com. a.b.example.org " +
  "localhost printer.local wiki.corp x.internal intranet com 1.0.10.in-addr.arpa _dmarc.example.com " +
  "a..b.com -.com mixed.example.com inside.example.com me.example.com ex%61mple.com %6c%6fcalhost " +
  `ｅxample.com ${"a".repeat(64)}.com ${"a.".repeat(130)}com`
).split(" ");

const URL_WORDS = [
  ..."https:// http:// HTTPS:// https: https:/ // / \\ : @ :@ ? # % %2f %40 %00 . .. ; &".split(
    " ",
  ),
  ..."file: data: javascript: blob: ftp:// wss:// 443 8443 80 22 0 65535 65536 [::1] [".split(" "),
  ...NAMES,
];

const host = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 3, arbitrary: addressText.map((text) => (text.includes(":") ? `[${text}]` : text)) },
  { weight: 2, arbitrary: v4Spellings.chain((spellings) => fc.constantFrom(...spellings)) },
  { weight: 1, arbitrary: textOf(URL_WORDS, { maxPieces: 3, maxLength: 300 }) },
);

const rest = fc.oneof(
  fc.constantFrom("", "/", "/a/b", "/?a=b", "/#x", "/%2e%2e/", "/\u202e", "/a b"),
  textOf(["/", "a", "?", "=", "&", "#", "%", ...URL_WORDS], { maxPieces: 6, maxLength: 4000 }),
);

/** What people and servers write for a URL: whole ones, broken ones, and what only a parser tells apart. */
export const urlText: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        scheme: fc.oneof(
          { weight: 8, arbitrary: fc.constant("https://") },
          fc.constantFrom("http://", "HTTPS://", "https:", "https:///", "//", "", "ftp://", "x:"),
        ),
        user: fc.oneof(
          { weight: 8, arbitrary: fc.constant("") },
          fc.constantFrom("@", ":@", "u:p@"),
        ),
        host,
        port: fc.oneof(
          { weight: 8, arbitrary: fc.constant("") },
          fc.constantFrom(":443", ":8443", ":0443", ":80", ":444", ":", ":99999", ":٤٤٣"),
        ),
        rest,
      })
      .map((parts) => parts.scheme + parts.user + parts.host + parts.port + parts.rest),
  },
  { weight: 1, arbitrary: textOf(URL_WORDS, { maxPieces: 8, maxLength: 4000 }) },
);

/** Absolute https URLs whose authority, query and fragment hold URL_SECRET where nothing may be kept of it. */
export const secretUrl: fc.Arbitrary<string> = fc
  .record({
    scheme: fc.constantFrom("https://", "http://", "//", "HTTPS://", "ftp://"),
    user: fc.constantFrom("", `${URL_SECRET}@`, `${URL_SECRET}:${URL_SECRET}@`, `:${URL_SECRET}@`),
    host: fc.constantFrom("example.com", "example.com:8443", "[2606:4700::1]", "www.example.com."),
    path: fc.constantFrom("", "/", "/a;b", "/%3f", "/a/../b"),
    query: fc.array(
      fc.tuple(fc.constantFrom("a", "token", "", "a%3d"), fc.constantFrom("", "x", "%20", "=")),
      { maxLength: 4 },
    ),
    fragment: fc.constantFrom("", `#${URL_SECRET}`, `#?a=${URL_SECRET}`),
  })
  .map(({ scheme, user, host: name, path, query, fragment }) => {
    const pairs = query.map(([key, value]) => `${key}=${value}${URL_SECRET}`).join("&");
    return scheme + user + name + path + (pairs && `?${pairs}`) + fragment;
  });
