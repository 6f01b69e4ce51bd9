import type { RefusalCase } from "../harness/refusals.ts";

type Headers = Readonly<Record<string, string>>;

const csp = (policy: string): Headers => ({ "content-security-policy": policy });
const report = (policy: string): Headers => ({ "content-security-policy-report-only": policy });
const PROVEN = "script-src '{sha256:script}' '{sha256:router}' 'strict-dynamic'";
const SCRIPT = "<script>{script}</script>";
const ROUTER = "<script>{router}</script>";
const PDF = '<object data="/any/tea.pdf" type="application/pdf"></object>';
const FOREIGN_PDF = '<embed src="{net}/any/tea.pdf" type="application/pdf">';
const WIDGET = '<iframe src="{net}/any/net.html" allow="camera; geolocation"></iframe>';
const STYLED = [
  '<link rel="stylesheet" href="/any/own.css">',
  '<p style="color: green">Leaf</p>',
  "<style>{style}</style>",
];
const OWN = '<script src="/any/own.js"></script>';

const GITHUB: Headers = { server: "GitHub.com" };
const metaPolicy = (content: string) =>
  `<meta http-equiv="Content-Security-Policy" content="${content}">`;

/** A page, and elements that its findings give to paste. */
interface FixCase extends RefusalCase {
  readonly elements: readonly string[];
}

const page = (
  name: string,
  headers: Headers,
  lines: readonly string[],
  elements: readonly string[] = [],
): FixCase => ({ topic: "pages that work", name, headers, lines, elements });

/** Pages of which everything works, before a fix and after it. */
export const FIX_CASES: readonly FixCase[] = [
  page("a base on another host", csp(`${PROVEN}; object-src 'none'`), [
    '<base href="{net}/any/">',
    SCRIPT,
    '<img src="net.png" alt="Tea">',
  ]),
  page("a router below its base", csp(`${PROVEN}; object-src 'none'`), [
    '<base href="/any/">',
    ROUTER,
  ]),
  page("a router without a policy", {}, ['<base href="/any/">', ROUTER, OWN]),
  page("an own PDF", csp("script-src 'self'"), [OWN, PDF]),
  page("an own PDF, without a policy", {}, [PDF, OWN]),
  page("another's PDF", csp(`${PROVEN}; base-uri 'self'`), [SCRIPT, FOREIGN_PDF]),
  page("a widget in a frame", {}, [WIDGET, OWN]),
  page("a widget, and an ignored Permissions-Policy", { "permissions-policy": "camera 'self'" }, [
    WIDGET,
    OWN,
  ]),
  page(
    "a page on GitHub Pages",
    GITHUB,
    [OWN, '<link rel="stylesheet" href="/any/own.css">', PDF, ...STYLED],
    [metaPolicy("script-src 'self'; object-src 'self'; base-uri 'self'")],
  ),
  page("a page on GitHub Pages with an inline script and a file of another host", GITHUB, [
    SCRIPT,
    '<script src="{net}/any/net.js"></script>',
    FOREIGN_PDF,
  ]),
  page("a page on GitHub Pages with handlers and a base on another host", GITHUB, [
    '<base href="{net}/any/">',
    '<img src="net.png" alt="Tea" onload="self.seen = 1">',
    SCRIPT,
  ]),
  page("a page on GitHub Pages with an inline script", GITHUB, [SCRIPT, OWN]),
  page("a page on GitHub Pages without a script", GITHUB, STYLED, [
    metaPolicy("script-src 'none'; object-src 'none'; base-uri 'self'"),
  ]),
  page("a page on GitHub Pages with its own policy", GITHUB, [
    `<meta http-equiv="Content-Security-Policy" content="script-src 'self'">`,
    OWN,
    FOREIGN_PDF,
  ]),
  page("images over http on GitHub Pages", GITHUB, [
    '<img src="http://example.net/tea.png" alt="Tea">',
    OWN,
  ]),
  page("a font and an image of others", csp("script-src 'self'; object-src 'none'"), [
    '<link rel="stylesheet" href="/any/font.css">',
    '<img src="{net}/any/net.png" alt="Tea">',
    OWN,
  ]),
  page(
    "a nonce that is the same twice",
    csp("script-src 'nonce-abc123'; object-src 'none'; base-uri 'self'"),
    ['<script nonce="abc123">{script}</script>'],
  ),
  page("styles between tags", csp("style-src 'self' 'unsafe-inline'"), STYLED),
  page("a report of what the page does", report("script-src 'self'; object-src 'self'"), [
    OWN,
    PDF,
    ...STYLED,
  ]),
  page("a report of what the page may not do", report("default-src 'self'"), [
    OWN,
    WIDGET,
    ...STYLED,
  ]),
  page("a report that stops forms", report("script-src 'self'; form-action 'none'"), [
    '<form method="post" action="{net}/any/sent.html"><button>Send</button></form>',
    OWN,
  ]),
  page("a report of a sandbox", report("sandbox; script-src 'self'"), [OWN]),
  page("scripts and styles without their types", {}, [
    '<script src="/untyped/own.js"></script>',
    '<script src="{net}/untyped/net.js"></script>',
  ]),
  page("a page without a type", { "content-type": "" }, [OWN]),
  page(
    "doubled headers",
    {
      "cross-origin-embedder-policy": "unsafe-none, unsafe-none",
      "cross-origin-resource-policy": "cross-origin, cross-origin",
      "cross-origin-opener-policy": "same-origin, same-origin",
      "strict-transport-security": "max-age=300, max-age=300",
      "x-frame-options": "ALLOW-FROM https://example.net",
    },
    [OWN, '<img src="{net}/any/net.png" alt="Tea">'],
  ),
  page("a policy that browsers ignore", csp("script 'self'"), [OWN, ...STYLED]),
  page("a frame that everybody may show", csp("frame-ancestors *"), [OWN]),
  page(
    "the whole address to everybody",
    { "referrer-policy": "unsafe-url" },
    ['<meta name="referrer" content="unsafe-url">', '<img src="{net}/any/net.png" alt="Tea">'],
    ['<meta name="referrer" content="strict-origin-when-cross-origin">'],
  ),
  page("images and a search over http", {}, [
    '<img src="http://example.net/tea.png" alt="Tea">',
    OWN,
  ]),
  {
    ...page("the start of an old page", { "content-type": "text/html" }, [
      '<meta name="viewport" content="width=980, user-scalable=no">',
      '<link rel="stylesheet" href="/untyped/own.css">',
      OWN,
    ]),
    start: ["<!-- 1999 -->", '<html lang="en_GB">', "<title>Tea</title>"],
    elements: ['<meta charset="utf-8">', '<html lang="en-GB">'],
  },
];
