import type { Route, Routes } from "../harness/site.ts";

/** The page at /start of `example.com`. `end`: the host and path of the page that is shown; null if none is. */
export interface RedirectCase {
  readonly name: string;
  readonly routes: Routes;
  readonly end: string | null;
}

const OWN = "example.com";

/** One character per byte, as Node writes headers. */
function bytesOf(text: string): string {
  return Buffer.from(text).toString("latin1");
}

function leadTo(location: string): Route {
  return ({ headers: { host = "" } }, response) => {
    const port = host.split(":").at(-1) ?? "";
    response.writeHead(302, { location: location.replace("{port}", port) }).end();
  };
}

const LOCATIONS: readonly (readonly [name: string, location: string, end: string | null])[] = [
  ["Cyrillic in UTF-8", bytesOf("/тест"), `${OWN}/%D1%82%D0%B5%D1%81%D1%82`],
  ["Latin letters in UTF-8", bytesOf("/über"), `${OWN}/%C3%BCber`],
  ["a last letter whose last byte is a space in Latin-1", bytesOf("/aà"), `${OWN}/a%C3%A0`],
  ["a byte that is no UTF-8", "/\xfcber", `${OWN}/%FCber`],
  ["such a byte in the query", "/?q=\xfc", `${OWN}/?q=%FC`],
  ["UTF-8 in the path, another byte in the query", `${bytesOf("/é")}?\xfc`, `${OWN}/%C3%A9?%FC`],
  ["UTF-8 in the host", bytesOf("https://café77.com:{port}/"), "xn--caf77-dsa.com/"],
  ["an invisible character in the host", bytesOf("https://exam​ple.com:{port}/b"), `${OWN}/b`],
  ["a byte that is no UTF-8 in the host", "https://caf\xe9.com:{port}/", null],
  ["spaces", "/a b  c ", `${OWN}/a%20b%20%20c`],
  ["a tab", "/a\tb", `${OWN}/ab`],
  ["a tab in the host", "https://exam\tple.com:{port}/b", `${OWN}/b`],
  ["backslashes", "\\a\\b", `${OWN}/a/b`],
  ["a host after backslashes", "\\\\www.example.com:{port}\\b", "www.example.com/b"],
  ["a stray percent sign", "/%zz%", `${OWN}/%zz%`],
  ["steps up", "/a/../%2e%2e/b", `${OWN}/b`],
  ["a byte order mark", bytesOf("\ufeff/b"), `${OWN}/%EF%BB%BF/b`],
  ["a mark that writes from right to left", bytesOf("/a\u202eb"), `${OWN}/a%E2%80%AEb`],
];

function countDown(count: number): Routes {
  const routes = Array.from({ length: count }, (_, left) => [
    left === count - 1 ? "/start" : `/${left + 1}`,
    leadTo(`/${left}`),
  ]);
  return Object.fromEntries(routes) as Routes;
}

export const LOCATION_CASES: readonly RedirectCase[] = LOCATIONS.map(([name, location, end]) => ({
  name: `Location with ${name}`,
  routes: { "/start": leadTo(location) },
  end,
}));

export const COUNT_CASES: readonly RedirectCase[] = [
  { name: "19 redirects", routes: countDown(19), end: `${OWN}/0` },
  { name: "20 redirects", routes: countDown(20), end: null },
];

const SHOWN = `<p>${OWN}/start`;
const TO_EN = `${OWN}/en/`;
const STAYS = `${OWN}/start`;

function showPage(markup: string, headers: Record<string, string> = {}): Route {
  return {
    headers: { "content-type": "text/html; charset=utf-8", ...headers },
    body: `<!doctype html><title>Start</title>${markup}${SHOWN}`,
  };
}

const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`;
const script = (text: string, attributes = "") => `<script${attributes}>${text}</script>`;

const STEPS: readonly (readonly [name: string, start: Route, end: string])[] = [
  ["a refresh after 0 s", showPage(refresh("0; url=/en/")), TO_EN],
  ["a refresh after 1 s", showPage(refresh("1;URL='/en/'")), TO_EN],
  ["a refresh after 5 s, without url=", showPage(refresh("5 /en/")), TO_EN],
  ["a Refresh header", showPage("", { refresh: "0; url=/en/" }), TO_EN],
  ["a meta after a Refresh header", showPage(refresh("1; url=/en/"), { refresh: "1, /b" }), TO_EN],
  ["the last of two refreshes", showPage(refresh("1; url=/b") + refresh("1; url=/en/")), TO_EN],
  ["the shorter of two refreshes", showPage(refresh("0; url=/en/") + refresh("1; url=/b")), TO_EN],
  [
    "a refresh at once after a text",
    showPage(`${SHOWN}<p>${"Tea, by the leaf. ".repeat(40)}${refresh("0; url=/en/")}`),
    TO_EN,
  ],
  ["a refresh in the body", showPage(`<body>${refresh("0; url=en/")}`), TO_EN],
  ["a base", showPage(`<base href="/x/">${refresh("0; url=en/")}`), `${OWN}/x/en/`],
  ["a refresh to a redirect", showPage(refresh("0; url=/moved")), TO_EN],
  ["a refresh in noscript", showPage(`<noscript>${refresh("0; url=/en/")}</noscript>`), STAYS],
  ["a refresh in a template", showPage(`<template>${refresh("0; url=/en/")}</template>`), STAYS],
  ["a refresh in a comment", showPage(`<!-- ${refresh("0; url=/en/")} -->`), STAYS],
  ["a refresh without an address", showPage(refresh("30")), STAYS],
  ["a refresh to the page itself", showPage(refresh("5; url=/start")), STAYS],
  ["a refresh after 30 s", showPage(refresh("30; url=/en/")), STAYS],
  ["a refresh without seconds", showPage(refresh("; url=/en/")), STAYS],
  ["a script", showPage(script("window.location.href = '/en/';")), TO_EN],
  [
    "a script in a function",
    showPage(script("(function () { location.replace('en/') }());")),
    TO_EN,
  ],
  ["a script before a refresh", showPage(script("location='/en/'") + refresh("1; url=/b")), TO_EN],
  [
    "the first of two scripts",
    showPage(script("location='/en/'") + script("location='/b'")),
    TO_EN,
  ],
  ["a module", showPage(script("location.assign('/en/')", ' type="module"')), TO_EN],
  ["a script after the text", showPage(`${SHOWN}${script("top.location = '/en/'")}`), TO_EN],
  ["a script for old browsers", showPage(script("location = '/en/'", " nomodule")), STAYS],
  ["a script of another type", showPage(script("location = '/en/'", ' type="text/x"')), STAYS],
  ["a script with a condition", showPage(script("if (self.none) location = '/en/'")), STAYS],
  ["a script in a handler", showPage(script("self.go = () => { location = '/en/' }")), STAYS],
  [
    "a script that the policy blocks",
    showPage(script("location = '/en/'"), { "content-security-policy": "script-src 'self'" }),
    STAYS,
  ],
  [
    "a script with the nonce of the policy",
    showPage(script("location = '/en/'", ' nonce="3fA9"'), {
      "content-security-policy": "script-src 'nonce-3fA9'",
    }),
    TO_EN,
  ],
];

export const STEP_CASES: readonly RedirectCase[] = STEPS.map(([name, start, end]) => ({
  name,
  routes: { "/start": start, "/moved": leadTo("/en/") },
  end,
}));
