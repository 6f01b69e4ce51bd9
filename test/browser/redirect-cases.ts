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
