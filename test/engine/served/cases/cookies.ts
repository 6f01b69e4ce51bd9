import type { SiteEdit } from "../good-site.ts";
import { type ServedCase, page, to, NOTHING, charged, served } from "../served-case.ts";

const cookie = (...lines: string[]): SiteEdit => page({ "set-cookie": lines });

export const COOKIE_CASES: readonly ServedCase[] = [
  ...charged({
    "cookie.session": {
      "partial one_of_two": {
        "a session that scripts can read": cookie("session=1f0c; Path=/; Secure; SameSite=Lax"),
      },
      fail: {
        "a session that scripts and other sites can use": cookie("session=1f0c; Path=/; Secure"),
      },
    },
    "cors.credentials": {
      fail: {
        "any origin may read the page with its visitor's session": page({
          "access-control-allow-origin": "https://shipscore-probe.example",
          "access-control-allow-credentials": "true",
        }),
        "any origin may read the page that a redirect leads to": {
          url: "{origin}/old",
          routes: { "/old": to("/", 302) },
          ...page({
            "access-control-allow-origin": "https://shipscore-probe.example",
            "access-control-allow-credentials": "true",
          }),
        },
      },
    },
    "cookie.secure cookie.session cookie.shared": {
      not_applicable: {
        "no cookie": page({ "set-cookie": null }),
        "cookies that browsers ignore": cookie("=", "__Host-a", `theme=${"x".repeat(4100)}`),
      },
    },
  }),
  ...served(NOTHING, {
    "one fixed origin may read the page, and it is not the one that asks": page({
      "access-control-allow-origin": "https://app.example",
      "access-control-allow-credentials": "true",
    }),
  }),
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
];
