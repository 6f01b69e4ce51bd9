import { readdirSync, readFileSync } from "node:fs";
import * as fc from "fast-check";
import { mutationOf, repeated, textOf } from "./noise.ts";
import { secretUrl, urlText } from "./urls.ts";

const PAGES = new URL("./pages/", import.meta.url);

/** Pages as generators and people write them. */
const REAL_PAGES = readdirSync(PAGES).map((name) => readFileSync(new URL(name, PAGES), "utf8"));

const TAGS = (
  "html head body title meta link base script style noscript template svg math img source video audio " +
  "track embed object iframe frame input image a area div main section app-root p table textarea plaintext " +
  "xmp noembed noframes select option foreignObject x-tag"
).split(" ");
const ATTRIBUTES = (
  "lang charset name property http-equiv content rel href src srcset imagesrcset as media disabled async " +
  "defer nomodule type alt id poster data xlink:href shadowrootmode onclick x"
).split(" ");
const VALUES = [
  ..."en utf-8 utf-16 stylesheet icon preload canonical manifest module text/javascript image root app".split(
    " ",
  ),
  ..."description viewport robots refresh referrer content-security-policy og:image open all print".split(
    " ",
  ),
  ..."text/html; charset=utf-8|width=device-width|0; url=https://x.example/|noindex".split("|"),
  ..."a.png 1x, b.png 2x|data:image/png;base64,AAAA 1x,|(max-width: 1px) 1px|javascript:0".split(
    "|",
  ),
];
const ENTITIES = [
  "&amp;",
  "&amp",
  "&#0;",
  "&#x110000;",
  "&#xD800;",
  "&#9",
  "&notit;",
  "&",
  "&#",
  "&#x",
];
const FRAGMENTS = [
  ...TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`, `<${tag} `, `<${tag}/>`]),
  ..."<!-- --> --!> <!doctype <!DOCTYPE html> <![CDATA[ ]]> <?xml ?> </ < > /> = ' \"".split(" "),
  ...ATTRIBUTES.flatMap((name) => [` ${name}=`, ` ${name}="`, ` ${name}`]),
  ...VALUES,
  ...ENTITIES,
  ..."<title>Index of /|Traceback (most recent call last):|<pre>|\n    at f (/a.js:1:2)".split("|"),
  ..."<title>Just a moment...|_cf_chl_opt|\n\tat a.b(C.java:1)|Stack trace:\n#0 |<b>Warning</b>: ".split(
    "|",
  ),
];

const quoted = fc.tuple(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...VALUES) },
    urlText,
    textOf(VALUES, { maxPieces: 3 }),
  ),
  fc.constantFrom('"', "'", ""),
);
const attribute = fc
  .tuple(fc.constantFrom(...ATTRIBUTES), fc.option(quoted))
  .map(([name, value]) => ` ${name}${value === null ? "" : `=${value[1]}${value[0]}${value[1]}`}`);
const words = textOf([...ENTITIES, "word", " ", "é", "你好"], { maxPieces: 6, maxLength: 2000 });

const { element } = fc.letrec<{ element: string; child: string }>((tie) => ({
  element: fc
    .tuple(
      fc.constantFrom(...TAGS),
      fc.array(attribute, { maxLength: 4 }),
      fc.array(tie("child"), { maxLength: 4 }),
      fc.constantFrom("closed", "open", "self"),
    )
    .map(([tag, attributes, children, end]) =>
      end === "self"
        ? `<${tag}${attributes.join("")}/>`
        : `<${tag}${attributes.join("")}>${children.join("")}${end === "open" ? "" : `</${tag}>`}`,
    ),
  child: fc.oneof({ depthSize: "small", withCrossShrink: true }, words, tie("element")),
}));

const nested = repeated(fc.constantFrom(...FRAGMENTS), 100_000);

/** Markup: whole trees, soups of fragments, deep or long repeats, and real pages with stretches changed. */
export const markup: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.array(element, { maxLength: 4 }).map((parts) => parts.join("")) },
  { weight: 12, arbitrary: textOf(FRAGMENTS, { maxPieces: 40, maxLength: 100_000 }) },
  { weight: 12, arbitrary: mutationOf(REAL_PAGES, FRAGMENTS) },
  { weight: 1, arbitrary: nested },
);

/** Well-formed pages in which every URL holds URL_SECRET. */
export const secretPage: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.nat({ max: 9 }), secretUrl), { minLength: 1, maxLength: 8 })
  .map((references) => {
    const elements = references.map(
      ([form, url]) =>
        [
          `<a href="${url}">link</a>`,
          `<img src="${url}">`,
          `<script src='${url}'></script>`,
          `<link rel="canonical" href="${url}">`,
          `<link rel=stylesheet href="${url}">`,
          `<meta http-equiv="refresh" content="5; url=${url}">`,
          `<meta property="og:image" content="${url}">`,
          `<iframe src="${url}"></iframe>`,
          `<img srcset="${url} 1x, ${url} 2x" alt="">`,
          `<base href="${url}"><a href="?a=b">x</a>`,
        ][form],
    );
    return `<!doctype html><title>A page</title>${elements.join("\n")}`;
  });
