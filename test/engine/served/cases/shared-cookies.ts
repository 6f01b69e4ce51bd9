import { type ServedCase, page, NOTHING, charged, served } from "../served-case.ts";

const ATTRIBUTES = "Path=/; Secure; HttpOnly; SameSite=Lax";
const DRAWN = "7c1e9a04f83b6d25";
/** What a cookie-session without anything in it looks like. */
const STATE = Buffer.from('{"views":1,"at":"2026"}').toString("base64");
/** What a Laravel session looks like. */
const ENCRYPTED = Buffer.from('{"iv":"q2Zr5Tn8","value":"Wx7Lk4Jh1Gf9","mac":"0f3a"}').toString(
  "base64",
);

const session = (value: string, headers: Record<string, string> = {}) =>
  page({ "set-cookie": [`session=${value}; ${ATTRIBUTES}`], ...headers });

export const SHARED_COOKIE_CASES: readonly ServedCase[] = [
  ...charged({
    "cookie.shared": {
      fail: {
        "one session for everybody": session(DRAWN),
        "one encrypted session for everybody": session(ENCRYPTED),
        "a session from a shared cache": session(STATE, {
          age: "30",
          "cache-control": "max-age=600",
        }),
      },
      "partial loose_name": {
        "one value for everybody, by a name that may be something else": page({
          "set-cookie": [`auth_flow=${DRAWN}; ${ATTRIBUTES}`],
        }),
      },
      unknown: {
        "a session that is the caller's own": {
          ...session(DRAWN),
          sends: { "x-vercel-protection-bypass": "let-me-in-please" },
        },
      },
    },
    "cookie.shared cookie.session": {
      not_applicable: { "no session": page({ "set-cookie": [`theme=dark; ${ATTRIBUTES}`] }) },
    },
  }),
  ...served(NOTHING, {
    "a session that is kept in its cookie, with nothing in it yet": session(STATE),
    "a session whose value anybody may know": session("started-1"),
  }),
];
