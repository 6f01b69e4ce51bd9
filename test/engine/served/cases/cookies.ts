import type { Answer, SiteEdit } from "../good-site.ts";
import type { ServedCase } from "../served-case.ts";

const page = (headers: NonNullable<Answer["headers"]>): SiteEdit => ({ page: { headers } });
const cookie = (...lines: string[]): SiteEdit => page({ "set-cookie": lines });

export const COOKIE_CASES: readonly ServedCase[] = [
  [
    "no cookie",
    page({ "set-cookie": null }),
    {
      "cookie.secure": "not_applicable",
      "cookie.session": "not_applicable",
      "cookie.shared": "not_applicable",
    },
  ],
  [
    "cookies that browsers ignore",
    cookie("=", "__Host-a", `theme=${"x".repeat(4100)}`),
    {
      "cookie.secure": "not_applicable",
      "cookie.session": "not_applicable",
      "cookie.shared": "not_applicable",
    },
  ],
  [
    "a cookie that also travels over http",
    cookie("theme=dark; Path=/"),
    {
      "cookie.secure": "fail",
      "cookie.session": "not_applicable",
      "cookie.shared": "not_applicable",
    },
  ],
  [
    "a session that scripts can read",
    cookie("session=1f0c; Path=/; Secure; SameSite=Lax"),
    { "cookie.session": "partial one_of_two" },
  ],
  [
    "a session that scripts and other sites can use",
    cookie("session=1f0c; Path=/; Secure"),
    { "cookie.session": "fail" },
  ],
  [
    "any origin may read the page with its visitor's session",
    page({
      "access-control-allow-origin": "https://shipscore-probe.example",
      "access-control-allow-credentials": "true",
    }),
    { "cors.credentials": "fail" },
  ],
  [
    "any origin may read the page that a redirect leads to",
    {
      url: "{origin}/old",
      routes: { "/old": { status: 302, headers: { location: "/" } } },
      ...page({
        "access-control-allow-origin": "https://shipscore-probe.example",
        "access-control-allow-credentials": "true",
      }),
    },
    { "cors.credentials": "fail" },
  ],
  [
    "any origin may read a page without a session",
    page({
      "set-cookie": null,
      "access-control-allow-origin": "null",
      "access-control-allow-credentials": "true",
    }),
    {
      "cors.credentials": "partial no_session",
      "cookie.secure": "not_applicable",
      "cookie.session": "not_applicable",
      "cookie.shared": "not_applicable",
    },
  ],
  [
    "one fixed origin may read the page, and it is not the one that asks",
    page({
      "access-control-allow-origin": "https://app.example",
      "access-control-allow-credentials": "true",
    }),
    {},
  ],
];
