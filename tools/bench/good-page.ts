const NONCE = "c2hpcHNjb3Jl";
const PAGE_BYTES = 100_000;

const list = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

export const SCRIPTS = list(4, (index) => `/script-${index}.5f1c09ab.js`);
export const STYLES = list(2, (index) => `/style-${index}.c03d55ab.css`);
export const IMAGES = list(6, (index) => `/image-${index}.4f2a9c1d.svg`);
export const LINKS = list(8, (index) => `/tea-${index}`);

export const SECURE_HEADERS = {
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "content-security-policy": `default-src 'self'; script-src 'nonce-${NONCE}' 'strict-dynamic'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache",
  etag: '"1"',
};

export function writeGoodPage(origin: string): string {
  const head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Tea, by the leaf</title>
<meta name="description" content="Loose-leaf teas from small gardens, packed the week you order them.">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="canonical" href="${origin}/">
<meta property="og:title" content="Tea, by the leaf">
<meta property="og:description" content="Loose-leaf teas from small gardens.">
<meta property="og:image" content="${origin}${IMAGES[0]}">
<link rel="icon" href="data:,">
${STYLES.map((path) => `<link rel="stylesheet" href="${path}">`).join("\n")}
${SCRIPTS.map((path) => `<script nonce="${NONCE}" src="${path}" defer></script>`).join("\n")}
</head>
<body>
<h1>Tea, by the leaf</h1>
${IMAGES.map((path) => `<img src="${path}" alt="A tin of tea" width="320" height="180">`).join("\n")}
<ul>${LINKS.map((path) => `<li><a href="${path}">Of this garden</a></li>`).join("")}</ul>
`;
  const paragraph =
    '<p class="text"><b>We buy</b> from eleven gardens &amp; pack each order in the week it is <em>placed</em>.</p>\n';
  const count = Math.floor((PAGE_BYTES - head.length) / paragraph.length);
  return `${head}${paragraph.repeat(count)}</body></html>`;
}
