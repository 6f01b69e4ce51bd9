import { brotliCompressSync, constants } from "node:zlib";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Issued } from "../../harness/certificates.ts";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import type { Resolution } from "../../../server/engine/net/resolve.ts";
import { noise } from "../../harness/noise.ts";
import { probeUrl, type Probing } from "../../harness/probing.ts";
import { findClosedPort, type Site, type SiteOptions, startSite } from "../../harness/site.ts";

export const HOST = "example.com";
export const TWIN = "www.example.com";
export const HOSTS: readonly string[] = [HOST, TWIN];

/**
 * In headers and bodies `{origin}`, `{twin}` and `{plain}` stand for the site's own https, www and http origins, and
 * `{nonce}` for one of the answer's own.
 */
export interface Answer {
  status?: number;
  /** Null takes one of the good page's headers away. */
  headers?: Record<string, string | string[] | null>;
  body?: string;
}

/** `page` is the good page; `hang-up` closes the connection without an answer. */
export type Route = Answer | Wire | "page" | "hang-up";

type Wire = (request: IncomingMessage, response: ServerResponse) => void;

/** What differs from the good site, and how it is visited. */
export interface SiteEdit
  extends
    Pick<SiteOptions, "hosts" | "order" | "tls" | "staple">,
    Pick<Probing, "preview" | "isUnmasked"> {
  /** The page's status, headers or whole body. */
  page?: Answer;
  /** Words of the good page, each with what stands in its place. */
  words?: Readonly<Record<string, string>>;
  /** Answers by path; `*` for paths that do not exist. */
  routes?: Readonly<Record<string, Route>>;
  /** All that the www host answers. */
  twin?: Route;
  /** All that plain http answers; `closed`: nobody listens; `none`: the URL's port is not 443. */
  plain?: Route | "closed" | "none";
  /** How long every answer over https keeps its visitor waiting. */
  delayMs?: number;
  certificate?: () => Promise<Issued>;
  /** Browsers have the site's root. */
  isPublic?: boolean;
  /** The URL asked for; `{origin}/` without one. */
  url?: string;
  /** Names that do not lead to 127.0.0.1. */
  names?: Readonly<Record<string, Resolution>>;
  /** The header without which every path answers 401. */
  lock?: string;
  /** Headers sent along with requests to the site. */
  sends?: Probing["headers"];
}

/** What the good page has a dozen of. */
export const SENTENCE = "We buy from eleven gardens, and pack each order in the week it is placed.";
export const PARAGRAPH = `<p>${SENTENCE}</p>`;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Tea, by the leaf</title>
    <meta name="description" content="Loose-leaf teas from small gardens.">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="canonical" href="{origin}/">
    <meta property="og:title" content="Tea, by the leaf">
    <meta property="og:description" content="Loose-leaf teas from small gardens.">
    <meta property="og:image" content="{origin}/shelf.png">
    <link rel="stylesheet" href="/shop.css">
    <script nonce="{nonce}" src="/shop.3f9c2b1a.js" defer></script>
  </head>
  <body>
    <h1>Tea, by the leaf</h1>
    <img src="/tin.png" alt="A tin of green tea">
    ${`${PARAGRAPH}\n`.repeat(12)}
    <p><a href="/about">About us</a></p>
  </body>
</html>
`;

const GOOD_PAGE = {
  status: 200,
  headers: {
    "content-type": "text/html; charset=utf-8",
    "content-encoding": "br",
    "cache-control": "no-cache",
    etag: '"5f3a"',
    "strict-transport-security": "max-age=31536000; includeSubDomains",
    "content-security-policy":
      "script-src 'nonce-{nonce}' 'strict-dynamic'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), microphone=()",
    "cross-origin-opener-policy": "same-origin",
    server: "nginx",
    "set-cookie": "session={nonce}; Path=/; Secure; HttpOnly; SameSite=Lax",
  },
};

const file = (type: string, body: string, cacheControl = "no-cache"): Answer => ({
  headers: { "content-type": type, "cache-control": cacheControl },
  body,
});

const GOOD_ROUTES: Readonly<Record<string, Route>> = {
  "/shop.css": file("text/css", "body { margin: 2rem }"),
  "/shop.3f9c2b1a.js": file("text/javascript", "void 0;", "public, max-age=31536000, immutable"),
  "/tin.png": file("image/png", "png"),
  "/shelf.png": file("image/png", "png"),
  "/about": file("text/html", "<!doctype html><title>About us</title><p>About us"),
  "/robots.txt": file("text/plain", "User-agent: *\nAllow: /\n\nSitemap: {origin}/sitemap.xml\n"),
  "/sitemap.xml": file(
    "application/xml",
    '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>{origin}/</loc></url></urlset>',
  ),
  "*": {
    status: 404,
    headers: { "content-type": "text/html" },
    body: "<title>No such page</title>",
  },
};

const MOVED: Answer = { status: 301, headers: { location: "{origin}/" } };

/** Serves the good site with one edit, visits it through the real probe, and gives what was seen. */
export async function visitSite(edit: SiteEdit): Promise<Evidence> {
  const { hosts = [...HOSTS, "127.0.0.1"], order = {}, tls, plain = MOVED } = edit;
  const page = pageOf(edit);
  const routes: Readonly<Record<string, Route>> = { ...GOOD_ROUTES, "/": page, ...edit.routes };
  const answer = (route: Route | undefined, request: IncomingMessage, response: ServerResponse) => {
    const found = route ?? routes["*"] ?? MOVED;
    send(found === "page" ? page : found, site, request, response);
  };
  const certificate = await edit.certificate?.();
  const site: Site = await startSite({
    hosts,
    order,
    ...(certificate && { certificate }),
    tls: { ALPNProtocols: ["h2", "http/1.1"], ...tls },
    ...(edit.staple && { staple: edit.staple }),
    routes: {
      "*": (request, response) => {
        const { host = "", [edit.lock ?? "host"]: key } = request.headers;
        const own = key === undefined ? { status: 401 } : routes[request.url ?? ""];
        const route = host.startsWith(TWIN) ? (edit.twin ?? MOVED) : own;
        setTimeout(() => answer(route, request, response), edit.delayMs ?? 0);
      },
    },
    plainRoutes: {
      "*": (request, response) =>
        answer(plain === "closed" || plain === "none" ? undefined : plain, request, response),
    },
  });
  try {
    const httpPort = plain === "closed" ? await findClosedPort() : (site.plainPort ?? 0);
    return await probeUrl(fill(edit.url ?? "{origin}/", site), {
      ...(plain !== "none" && { httpPort }),
      preview: edit.preview ?? false,
      isUnmasked: edit.isUnmasked ?? false,
      ...(edit.isPublic && { publicRoots: [site.authority.certificate] }),
      headers: edit.sends ?? {},
      resolve: (name) => edit.names?.[name] ?? { outcome: "found", addresses: ["127.0.0.1"] },
    });
  } finally {
    await site.close();
  }
}

function pageOf({ page = {}, words = {} }: SiteEdit): Answer {
  let body = page.body ?? PAGE;
  for (const [old, put] of Object.entries(words)) {
    if (!body.includes(old)) throw new Error(`the good page does not say ${old}`);
    body = body.replaceAll(old, put);
  }
  return { ...GOOD_PAGE, ...page, headers: { ...GOOD_PAGE.headers, ...page.headers }, body };
}

/** How many were given so far: each has a nonce of its own. */
let answers = 0;

function send(
  route: Answer | Wire | "hang-up",
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (route === "hang-up") return void request.socket.destroy();
  if (typeof route === "function") return route(request, response);
  const nonce = noise(16, String(++answers)).toString("hex");
  const write = (template: string): string => fill(template, site).replaceAll("{nonce}", nonce);
  for (const [name, value] of Object.entries(route.headers ?? {}))
    if (value) response.setHeader(name, typeof value === "string" ? write(value) : value);
  response.statusCode = route.status ?? 200;
  const body = write(route.body ?? "");
  response.end(response.getHeader("content-encoding") === "br" ? compress(body) : body);
}

function fill(template: string, { port, plainPort }: Site): string {
  return template
    .replaceAll("{origin}", `https://${HOST}:${port}`)
    .replaceAll("{twin}", `https://${TWIN}:${port}`)
    .replaceAll("{plain}", `http://${HOST}:${plainPort}`)
    .replaceAll("{port}", String(port));
}

function compress(body: string): Buffer {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
}
