import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync } from "node:zlib";
import type { Authority, Issued } from "../test/harness/certificates.ts";

export interface Site {
  url: string;
  close(): Promise<void>;
}

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: string | Buffer;
}

type Answers = (path: string, origin: string) => Answer;

const HOSTS = ["127.0.0.1", "::1", "localhost"];
const DAY_MS = 86_400_000;
const COMPRESS_FROM_BYTES = 1400;

const html = (body: string, headers: Record<string, string> = {}, status = 200): Answer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8", ...headers },
  body,
});
const notFound = html(
  "<!doctype html><html lang=en><title>Not here</title><p>There is no such page.</p></html>",
  {},
  404,
);

const secureHeaders = (nonce: string) => ({
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "content-security-policy": `default-src 'self'; script-src 'nonce-${nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "strict-origin-when-cross-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-cache",
  etag: '"1"',
});
const CARD = readFileSync(new URL("../server/web/pages/public/card.png", import.meta.url));
const LASTING = { "cache-control": "public, max-age=31536000, immutable" };

const goodPage = (origin: string, nonce: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Tea, by the leaf</title>
    <meta name="description" content="Loose-leaf teas from small gardens, packed the week you order them.">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="canonical" href="${origin}/">
    <meta property="og:title" content="Tea, by the leaf">
    <meta property="og:description" content="Loose-leaf teas from small gardens.">
    <meta property="og:image" content="${origin}/card.png">
    <link rel="icon" href="/icon.8b1e77f0.svg">
    <link rel="stylesheet" href="/shop.d03c55ab.css">
    <script nonce="${nonce}" src="/shop.91ab20ce.js" defer></script>
  </head>
  <body>
    <h1>Tea, by the leaf</h1>
    <img src="/card.4f2a9c1d.svg" alt="A tin of green tea" width="320" height="180">
    <p>We buy from eleven gardens in Assam, Fujian and Shizuoka, and pack each order in the week it is placed.</p>
    <p><a href="/teas">All teas</a> · <a href="/about">About us</a></p>
  </body>
</html>
`;

const good: Answers = (path, origin) => {
  switch (path) {
    case "/":
    case "/teas":
    case "/about": {
      const nonce = randomBytes(16).toString("base64url");
      return html(goodPage(origin, nonce), secureHeaders(nonce));
    }
    case "/shop.d03c55ab.css":
      return {
        headers: { "content-type": "text/css", ...LASTING },
        body: "body { font: 1rem/1.5 sans-serif }",
      };
    case "/shop.91ab20ce.js":
      return {
        headers: { "content-type": "text/javascript", ...LASTING },
        body: "document.body.dataset.ready = 'yes';",
      };
    case "/icon.8b1e77f0.svg":
    case "/card.4f2a9c1d.svg":
      return {
        headers: { "content-type": "image/svg+xml", ...LASTING },
        body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
      };
    case "/card.png":
      return { headers: { "content-type": "image/png", ...LASTING }, body: CARD };
    case "/robots.txt":
      return {
        headers: { "content-type": "text/plain" },
        body: `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`,
      };
    case "/sitemap.xml":
      return {
        headers: { "content-type": "application/xml" },
        body: `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${origin}/</loc></url></urlset>`,
      };
    default:
      return notFound;
  }
};

const MIDDLING_PAGE = `<!doctype html>
<html>
  <head>
    <meta charset="utf-8">
    <title>Staff canteen: this week</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="/menu.css">
  </head>
  <body>
    <h1>This week</h1>
    <img src="/soup.svg">
    <p>Monday: lentil soup. Tuesday: gratin. Wednesday: fish. Thursday: couscous. Friday: crêpes.</p>
    <p><a href="/allergens">Allergens</a></p>
  </body>
</html>
`;

const middling: Answers = (path) => {
  if (path === "/")
    return html(MIDDLING_PAGE, {
      server: "Apache/2.4.41 (Ubuntu)",
      "set-cookie": "PHPSESSID=7; Path=/",
    });
  if (path === "/menu.css")
    return { headers: { "content-type": "text/css" }, body: "body { margin: 2rem }" };
  if (path === "/soup.svg")
    return {
      headers: { "content-type": "image/svg+xml" },
      body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    };
  return notFound;
};

const failing: Answers = () =>
  html("<!doctype html><title>Error</title><p>Something went wrong.</p>", {}, 500);

async function serve(certificate: Issued, answers: Answers): Promise<Site> {
  let origin = "";
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    respond(
      request as unknown as IncomingMessage,
      response as unknown as ServerResponse,
      answers,
      origin,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answers: Answers,
  origin: string,
): void {
  const { pathname } = new URL(request.url ?? "/", origin);
  const { status = 200, headers = {}, body } = answers(pathname, origin);
  const compresses =
    body.length >= COMPRESS_FROM_BYTES && /\bbr\b/.test(request.headers["accept-encoding"] ?? "");
  const sent = compresses ? brotliCompressSync(body) : Buffer.from(body);
  response.writeHead(status, {
    ...headers,
    "content-length": sent.length,
    ...(compresses && { "content-encoding": "br", vary: "accept-encoding" }),
  });
  response.end(sent);
}

export async function startSites(
  authority: Authority,
): Promise<Record<"good" | "middling" | "expired" | "failing", Site>> {
  const certificate = await authority.issue({ hosts: HOSTS });
  const old = await authority.issue({
    hosts: HOSTS,
    notBefore: new Date(Date.now() - 100 * DAY_MS),
    notAfter: new Date(Date.now() - 3 * DAY_MS),
  });
  return {
    good: await serve(certificate, good),
    middling: await serve(certificate, middling),
    expired: await serve(old, good),
    failing: await serve(certificate, failing),
  };
}
