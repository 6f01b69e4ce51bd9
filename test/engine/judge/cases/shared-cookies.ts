import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import { setHeader } from "../evidence-fixtures.ts";
import { cases } from "./rule-case.ts";

type DrawnCookie = Evidence["drawnCookies"][number];

/** The page's session cookie, and how old the answer is that sets it. */
function session(edit: Partial<DrawnCookie>, age?: string, cacheControl?: string) {
  return (e: Evidence): void => {
    const drawn = { name: "session", isState: false, isRepeated: false };
    e.drawnCookies = [{ ...drawn, ...edit }];
    if (edit.name) setHeader(e, "set-cookie", `session=***`, `${edit.name}=***`);
    if (age !== undefined) setHeader(e, "age", age);
    if (cacheControl !== undefined) setHeader(e, "cache-control", cacheControl);
  };
}

export const SHARED_COOKIE_CASES = cases({
  "cookie.shared": {
    fail: {
      "the same session twice, whatever is said of caches": session(
        { isRepeated: true },
        "0",
        "private, no-store",
      ),
      "the session of ASP.NET Core twice": session({
        name: ".AspNetCore.Identity.Application",
        isRepeated: true,
      }),
      "the session of TYPO3 twice": session({ name: "fe_typo_user", isRepeated: true }),
      "the session of a proxy twice": session({ name: "_oauth2_proxy", isRepeated: true }),
      "a sign-in to WordPress twice": session({ name: "wordpress_sec_0f1e2d3c", isRepeated: true }),
    },
    partial: {
      "what may be the session of Phoenix": session({ name: "_shop_key", isRepeated: true }),
      "a name that may be something else": session({ name: "auth_flow", isRepeated: true }, "0"),
    },
    not_applicable: {
      "no session": (e) => {
        e.drawnCookies = [];
        setHeader(e, "set-cookie", "theme=***");
      },
    },
    unknown: {
      "nothing to compare it with, from no shared cache": session(
        { isRepeated: null },
        "30",
        "private",
      ),
    },
    pass: {
      "two sessions": session({}),
      "two sessions, added after a shared cache": session({}, "30", "max-age=600"),
      "an answer that has just come": session({}, "0"),
      "a session that the cookie holds, with nothing in it yet": session({
        isRepeated: true,
        isState: true,
      }),
      "another cookie twice": session({ name: "country", isRepeated: true }, "30"),
    },
  },
});
