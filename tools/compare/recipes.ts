/**
 * A site of one page, served on loopback. `{nonce}` stands for a nonce, new in each answer, and `{origin}` for the
 * site's origin.
 */
export interface Recipe {
  readonly name: string;
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers added for a request with a foreign origin. */
  readonly cors?: (origin: string) => Readonly<Record<string, string>>;
  readonly page: string;
}

const page = (head = "", body = "<h1>Tea, by the leaf</h1>") => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tea, by the leaf</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Loose-leaf teas from small gardens, packed the week you order them.">
<link rel="canonical" href="{origin}/">${head}</head>
<body>${body}<p>We buy from eleven gardens in Assam, Fujian and Shizuoka, and pack each order in the week it is placed.</p></body></html>`;

const HSTS = { "strict-transport-security": "max-age=31536000; includeSubDomains" };
const BASICS = {
  ...HSTS,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
};
const policy = (value: string) => ({ ...BASICS, "content-security-policy": value });
const STRICT =
  "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Typical sites, each with one thing to see. */
export const RECIPES: readonly Recipe[] = [
  { name: "every header in order", headers: policy(STRICT), page: page() },
  { name: "no header at all", headers: {}, page: page() },
  { name: "all but a policy", headers: BASICS, page: page() },
  {
    name: "what helmet sends",
    headers: {
      ...policy(
        "default-src 'self';base-uri 'self';font-src 'self' https: data:;form-action 'self';frame-ancestors 'self';img-src 'self' data:;object-src 'none';script-src 'self';script-src-attr 'none';style-src 'self' https: 'unsafe-inline';upgrade-insecure-requests",
      ),
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    },
    page: page(),
  },
  {
    name: "a policy with 'unsafe-inline'",
    headers: policy("default-src 'self' 'unsafe-inline'"),
    page: page(),
  },
  {
    name: "a policy with a host that has bypasses",
    headers: policy("default-src 'self'; script-src 'self' https://ajax.googleapis.com"),
    page: page(),
  },
  {
    name: "a nonce without base-uri",
    headers: policy("default-src 'self'; script-src 'nonce-{nonce}' 'strict-dynamic'"),
    page: page(),
  },
  {
    name: "one nonce for all answers",
    headers: policy(STRICT.replace("{nonce}", "c2hpcHNjb3Jl")),
    page: page(),
  },
  {
    name: "a policy that only reports",
    headers: { ...BASICS, "content-security-policy-report-only": STRICT },
    page: page(),
  },
  {
    name: "max-age=abc",
    headers: { ...policy(STRICT), "strict-transport-security": "max-age=abc" },
    page: page(),
  },
  {
    name: "frame-ancestors *",
    headers: policy(STRICT.replace("frame-ancestors 'none'", "frame-ancestors *")),
    page: page(),
  },
  {
    name: "a bare session cookie",
    headers: { ...policy(STRICT), "set-cookie": "PHPSESSID=7; Path=/" },
    page: page(),
  },
  {
    name: "any origin, with credentials",
    headers: policy(STRICT),
    cors: (origin) => ({
      "access-control-allow-origin": origin,
      "access-control-allow-credentials": "true",
    }),
    page: page(),
  },
  {
    name: "every header, and a leftover noindex",
    headers: policy(STRICT),
    page: page('<meta name="robots" content="noindex">'),
  },
  {
    name: "every header, and a script that is missing",
    headers: policy(STRICT),
    page: page('<script nonce="{nonce}" src="/gone.js" defer></script>'),
  },
  { name: "every header, and an empty page", headers: policy(STRICT), page: "" },
  { name: "every header, on an error", status: 500, headers: policy(STRICT), page: page() },
];
