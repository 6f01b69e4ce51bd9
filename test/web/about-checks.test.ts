import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, expect, test, vi } from "vitest";
import { MAX_REQUESTS } from "../../server/base/bounds.ts";
import { renderAboutPage } from "../../server/web/pages/public/about-page.tsx";
import { requireOwnerPermission } from "../../server/scan/scan-request.ts";
import { probeUrl } from "../harness/probing.ts";
import { startTestServer } from "../harness/server.ts";
import { type Received, type Site, startSite } from "../harness/site.ts";

const about = renderAboutPage(
  { publicUrl: undefined, userAgent: "x", cycleSeconds: 0 },
  { language: "fr" },
);

const wordsOf = (markup: string) => markup.replaceAll(/<[^>]*>/g, "").replaceAll("\u00a0", " ");

/** The most requests of one kind that the page about checks names, by words of their row. */
function findMost(words: string): number {
  const rows = [...about.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) => wordsOf(row));
  return Number(/–(\d+)$/.exec(rows.find((row) => row.includes(words)) ?? "")?.[1]);
}

/** The answer to a request: a place to redirect to, a page, or a status. */
type Answer = (asked: { path: string; host: string; isPlain: boolean }) => string | number;

const SITE_HOST = "shop.test";
const TWIN = "www.shop.test";
const hostOf = ({ headers }: Pick<Received, "headers">) => headers.host?.replace(/:.*/, "") ?? "";
const htmlOf = (write: (n: number) => string) =>
  `<!doctype html><title>t</title>${Array.from({ length: 40 }, (_, n) => write(n)).join("")}`;
const typeOf = (body: string) => (body.startsWith("<") ? "text/html" : "text/plain");
const PAGE = htmlOf(() => "");

let site: Site;
afterEach(() => site.close());

async function listRequests(answer: Answer): Promise<Received[]> {
  const route = (isPlain: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = "", headers } = request;
    const answered = answer({ path, host: hostOf({ headers }), isPlain });
    if (typeof answered === "number") response.writeHead(answered).end();
    else if (/^(?:\/|https:)/.test(answered)) response.writeHead(308, { location: answered }).end();
    else response.writeHead(200, { "content-type": typeOf(answered) }).end(answered);
  };
  site = await startSite({
    routes: { "*": route(false) },
    plainRoutes: { "*": route(true) },
    hosts: [SITE_HOST, TWIN],
  });
  const httpPort = site.plainPort ?? 0;
  await probeUrl(`https://${SITE_HOST}:${site.port}/`, { httpPort });
  await vi.waitFor(() => expect(site.open.size).toBe(0));
  return site.requests;
}

/** A page behind 19 redirects, whose server fails once. It leads on to five more, and to nothing acceptable. */
function answerLate(): Answer {
  let fails = true;
  return ({ path, host, isPlain }) => {
    if (isPlain || host === TWIN || !/^\/n*$/.test(path)) return 404;
    if (path.length <= 19) return `${path}n`;
    if (path.length > 20) return path.length <= 25 ? `${path}n` : 406;
    const answered = fails ? 503 : `<meta http-equiv="refresh" content="0; url=${path}n">`;
    fails = false;
    return answered;
  };
}

const toTwin = (path: string) => `https://${TWIN}:${site.port}${path}`;
/** A home page on the other host, and random paths that redirects go on prefixing. */
const answerPrefixed: Answer = ({ path, host }) => {
  if (!path.includes("shipscore-")) return host === TWIN ? PAGE : toTwin(path);
  return `/en${path}`;
};
/** A robots.txt behind two redirects, which names a sitemap. */
const answerRobots: Answer = ({ path }) => {
  if (path === "/robots.txt") return "/robots-1";
  if (path === "/robots-1") return "/robots-2";
  const host = `https://${SITE_HOST}:${site.port}`;
  if (path === "/robots-2") return `User-agent: *\nSitemap: ${host}/sitemap-robots.xml\n`;
  return path === "/" ? PAGE : 404;
};
/** Each link leads on and on. */
const answerLinks: Answer = ({ path }) =>
  path === "/" ? htmlOf((n) => `<a href="/link-${n}">Link</a>`) : `${path}n`;
/** Scripts, and a style sheet that names images. */
const answerAssets: Answer = ({ path }) => {
  const style = Array.from({ length: 40 }, (_, n) => `body{background:url(/file-image-${n})}`);
  if (path === "/file-style") return style.join("");
  const scripts = htmlOf((n) => `<script src="/file-${n}"></script>`);
  return path === "/" ? `${scripts}<link rel="stylesheet" href="/file-style"><body>` : 404;
};
/** A page with a versioned file, beside which other names lead on and on. */
const answerMissing: Answer = ({ path }) =>
  path === "/" ? '<!doctype html><script src="/app.3f9c2b1a.js"></script>' : `${path}n`;
/** The address over http, and the other host, lead on and on. */
const answerPlain: Answer = ({ path, isPlain }) => (isPlain ? `${path}n` : PAGE);
const answerTwin: Answer = ({ path, host }) => (host === TWIN ? `${path}n` : PAGE);

/** They count as requests, but ask for nothing. */
const HANDSHAKES = 2;

const isOwnOrigin = ({ headers }: Received) => headers["origin"] === undefined;
const isPage = (request: Received) =>
  request.encrypted &&
  hostOf(request) === SITE_HOST &&
  isOwnOrigin(request) &&
  /^\/n*$/.test(request.url);

test.each<[words: string, answer: Answer, isOfKind: (request: Received) => boolean]>([
  ["La page demandée", answerLate(), isPage],
  ["un en-tête Origin étranger", answerPrefixed, (request) => !isOwnOrigin(request)],
  ["en http, sur le port 80", answerPlain, ({ encrypted }) => !encrypted],
  ["le premier sitemap", answerRobots, ({ url }) => url.includes("robots")],
  ["Un chemin aléatoire", answerPrefixed, ({ url }) => url.includes("shipscore-")],
  ["Un nom de fichier aléatoire", answerMissing, ({ url }) => /shipscore-.*[.]js/.test(url)],
  ["avec ou sans www.", answerTwin, (request) => hostOf(request) === TWIN],
  ["Des fichiers que la page charge", answerAssets, ({ url }) => url.includes("file-")],
])("%s: the page lists as many requests as a site can make a check send", async (...row) => {
  const [words, answer, isOfKind] = row;
  const requests = await listRequests(answer);
  expect(requests.filter(isOfKind).length).toBe(findMost(words));
  expect(requests.length).toBeLessThanOrEqual(MAX_REQUESTS);
});

test("links that lead on and on get what the other requests leave", async () => {
  const requests = await listRequests(answerLinks);
  expect(findMost("liens de la page")).toBe(MAX_REQUESTS);
  expect(requests.length + HANDSHAKES).toBe(MAX_REQUESTS);
});

test("a scan requests robots.txt once, within the requests that the page lists", async () => {
  const route = ({ url }: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(308, { location: `${url}n` }).end();
  site = await startSite({ routes: { "*": route } });
  const server = await startTestServer({ roots: [site.authority.certificate] });
  const visit = await server.deps.probe.vetScan(site.url, server.deps.stopping);
  await requireOwnerPermission(server.deps, visit, "192.0.2.1");
  await requireOwnerPermission(server.deps, visit, "192.0.2.1");
  visit.close();
  await server.close();
  const said = Number(/au plus (\d+) requêtes, redirections comprises/.exec(wordsOf(about))?.[1]);
  expect(site.requests.length).toBeGreaterThanOrEqual(2);
  expect(site.requests.length).toBeLessThanOrEqual(said);
});
