import type { Settlement, Topic } from "../topic.ts";

const LAX: Settlement = {
  why: "A session without SameSite, or with None, goes along with other sites' requests wherever Lax is not the default: one of the two guards is missing.",
  section: "RFC 6265bis, 8.8",
  url: "https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-22#section-8.8",
};
const SESSION: Settlement = {
  why: 'The Observatory takes a cookie for a session by "login" and "sess" alone; a token kept in it can be read by any script without HttpOnly.',
  section: "RFC 6265bis, 4.1.2.6",
  url: "https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-22#section-4.1.2.6",
};
const TOKEN: Settlement = {
  why: "A forgery token is read by the page's script and sent back, and lets nobody in by itself: HttpOnly would break it, and SameSite guards sessions.",
  section: "RFC 6265bis, 8.8.1",
  url: "https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-22#section-8.8.1",
};
const UNKNOWN: Settlement = {
  why: "A SameSite that is unknown counts as none, which costs a session its point and another cookie nothing.",
  section: "RFC 6265bis, 5.6.7",
  url: "https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-22#section-5.6.7",
};
const PREFIX: Settlement = {
  why: "A cookie that breaks its prefix, whatever its case, is refused by browsers; the Observatory's jar drops it in silence, or knows nothing of it where the path is missing or the prefix in small letters.",
  section: "RFC 6265bis, 4.1.3",
  url: "https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-22#section-4.1.3",
};
const DELETED: Settlement = {
  why: "A cookie whose time is over is deleted, and never sent; the Observatory reads its jar before what is over is dropped.",
  section: "RFC 6265bis, 5.7",
  url: "https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-22#section-5.7",
};
const SIZE: Settlement = {
  why: "A cookie whose name and value take more than 4,096 octets is ignored by browsers; the Observatory's jar keeps it.",
  section: "RFC 6265bis, 5.6",
  url: "https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-22#section-5.6",
};
const HEROKU: Settlement = {
  why: "The Observatory passes this name over, since the platform sets it; it travels over http all the same.",
  section: "RFC 6265bis, 4.1.2.5",
  url: "https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis-22#section-4.1.2.5",
};

const HSTS = "Strict-Transport-Security: max-age=31536000";

export const COOKIES: Topic = {
  title: "Set-Cookie",
  rules: ["cookie.secure", "cookie.session"],
  peers: ["MDN HTTP Observatory"],
  rows: [
    ["none"],
    ["an empty line", "Set-Cookie: "],
    ["an equals sign", "Set-Cookie: =; Path=/"],
    ["a cookie of 4,097 octets", `Set-Cookie: theme=${"x".repeat(4092)}`],
    ["a value that feigns a prefix", "Set-Cookie: __Host-theme; Path=/"],
    [
      "Secure after sixteen other attributes",
      `Set-Cookie: theme=dark${"; Path=/".repeat(16)}; Secure`,
    ],
    ["a plain cookie, Secure", "Set-Cookie: theme=dark; Path=/; Secure"],
    ["a plain cookie, bare", "Set-Cookie: theme=dark"],
    ["a plain cookie, bare, under HSTS", HSTS, "Set-Cookie: theme=dark"],
    ["a session, all three", "Set-Cookie: session=1; Path=/; Secure; HttpOnly; SameSite=Lax"],
    ["a session, Strict", "Set-Cookie: session=1; Secure; HttpOnly; SameSite=Strict"],
    ["a session, bare", "Set-Cookie: PHPSESSID=1; path=/"],
    ["a session without HttpOnly", "Set-Cookie: session=1; Secure; SameSite=Lax"],
    ["a session without Secure", "Set-Cookie: session=1; HttpOnly; SameSite=Lax"],
    ["a session without Secure, under HSTS", HSTS, "Set-Cookie: session=1; HttpOnly; SameSite=Lax"],
    ["a session without SameSite", "Set-Cookie: session=1; Secure; HttpOnly"],
    ["a session, SameSite=None", "Set-Cookie: session=1; Secure; HttpOnly; SameSite=None"],
    ["a token without HttpOnly", "Set-Cookie: auth_token=1; Secure; SameSite=Lax"],
    ["connect.sid without HttpOnly", "Set-Cookie: connect.sid=1; Secure; SameSite=Lax"],
    ["remember_me without HttpOnly", "Set-Cookie: remember_me=1; Secure; SameSite=Lax"],
    ["a login cookie without HttpOnly", "Set-Cookie: login=1; Secure; SameSite=Lax"],
    ["a forgery token that scripts read", "Set-Cookie: XSRF-TOKEN=1; Secure; SameSite=Lax"],
    ["a forgery token without SameSite", "Set-Cookie: csrftoken=1; Secure"],
    ["a forgery token named session", "Set-Cookie: csrf_session=1; Secure; SameSite=Lax"],
    ["attributes in capitals", "SET-COOKIE: session=1; SECURE; HTTPONLY; SAMESITE=LAX"],
    ["Secure with a value", "Set-Cookie: a=1; Secure=false"],
    ["SameSite=None, Secure", "Set-Cookie: a=1; SameSite=None; Secure"],
    ["SameSite=None without Secure", "Set-Cookie: a=1; SameSite=None"],
    ["SameSite that nobody knows", "Set-Cookie: a=1; Secure; SameSite=Laxx"],
    ["SameSite empty", "Set-Cookie: a=1; Secure; SameSite"],
    [
      "a session, SameSite that nobody knows",
      "Set-Cookie: session=1; Secure; HttpOnly; SameSite=yes",
    ],
    [
      "the last SameSite of two",
      "Set-Cookie: session=1; Secure; HttpOnly; SameSite=None; SameSite=Lax",
    ],
    ["__Host- in order", "Set-Cookie: __Host-a=1; Secure; Path=/"],
    ["__Host- with a domain", "Set-Cookie: __Host-a=1; Secure; Path=/; Domain=www.example.com"],
    ["__Host- without a path", "Set-Cookie: __Host-a=1; Secure"],
    ["__Host- on another path", "Set-Cookie: __Host-a=1; Secure; Path=/a"],
    ["__host- in small letters, no path", "Set-Cookie: __host-a=1; Secure"],
    ["__Secure- in order", "Set-Cookie: __Secure-a=1; Secure"],
    ["__Secure- without Secure", "Set-Cookie: __Secure-a=1"],
    ["deleted by Max-Age", "Set-Cookie: a=; Max-Age=0"],
    ["deleted by Expires", "Set-Cookie: a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
    ["deleted by an Expires with dashes", "Set-Cookie: a=; expires=Thu, 01-Jan-70 00:00:01 GMT"],
    ["Max-Age over Expires", "Set-Cookie: a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
    ["Max-Age that is no number", "Set-Cookie: a=1; Max-Age=0s"],
    ["Expires that is no date", "Set-Cookie: a=1; Expires=0"],
    ["set, then deleted", "Set-Cookie: a=1; Path=/", "Set-Cookie: a=; Path=/; Max-Age=0"],
    ["deleted, then set", "Set-Cookie: a=; Path=/; Max-Age=0", "Set-Cookie: a=1; Path=/"],
    ["the last of two", "Set-Cookie: a=1; Path=/", "Set-Cookie: a=2; Path=/; Secure"],
    ["two paths", "Set-Cookie: a=1; Path=/x", "Set-Cookie: a=2; Path=/; Secure"],
    ["one of two is bare", "Set-Cookie: a=1; Secure", "Set-Cookie: b=1"],
    ["for another domain", "Set-Cookie: a=1; Domain=example.org"],
    ["for the whole domain", "Set-Cookie: a=1; Secure; Domain=example.com"],
    ["Heroku's affinity cookie, bare", "Set-Cookie: heroku-session-affinity=1; path=/"],
    ["Partitioned", "Set-Cookie: __Host-a=1; Secure; Path=/; SameSite=None; Partitioned"],
  ],
  settled: {
    "MDN HTTP Observatory": {
      "a cookie of 4,097 octets": SIZE,
      "a session without SameSite": LAX,
      "a session, SameSite=None": LAX,
      "a token without HttpOnly": SESSION,
      "connect.sid without HttpOnly": SESSION,
      "remember_me without HttpOnly": SESSION,
      "a forgery token without SameSite": TOKEN,
      "a forgery token named session": TOKEN,
      "SameSite that nobody knows": UNKNOWN,
      "SameSite empty": UNKNOWN,
      "__Host- with a domain": PREFIX,
      "__Host- without a path": PREFIX,
      "__Host- on another path": PREFIX,
      "__host- in small letters, no path": PREFIX,
      "__Secure- without Secure": PREFIX,
      "deleted by Max-Age": DELETED,
      "deleted by Expires": DELETED,
      "deleted by an Expires with dashes": DELETED,
      "set, then deleted": DELETED,
      "Heroku's affinity cookie, bare": HEROKU,
    },
  },
};
