import type { Evidence } from "../../../../server/engine/evidence/evidence.ts";
import { all, cutHead, cutPage, header, html, lastHop, meta } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";

const preview: Edit = (e) => void (e.preview = true);
const canonical = (...urls: string[]): Edit =>
  html({ canonicals: urls.map((url) => ({ url, line: 3 })) });

const placePage: Edit = ({ robots }) => {
  robots.headers = [["content-type", "text/html; charset=utf-8"]];
  robots.badLine = { line: 1, text: "<!doctype html>" };
};
const disallow =
  (...agents: string[]): Edit =>
  ({ robots }) =>
    (robots.blocks = agents.map((agent) => ({ agent, line: 2, text: "Disallow: /" })));
const robots =
  (edit: Partial<Evidence["robots"]>): Edit =>
  (evidence) =>
    Object.assign(evidence.robots, structuredClone(edit));
const OWN = "https://www.example.com";
const close =
  (url: string, tag = "script"): Edit =>
  (e) =>
    e.robots.closedFiles.push({ url, tag, line: 12, rule: "Disallow: /assets/" });
const sitemap =
  (edit: Partial<NonNullable<Evidence["sitemap"]>>): Edit =>
  (evidence) =>
    Object.assign(evidence.sitemap ?? {}, edit);
const noSitemap: Edit = (e) => (e.sitemap = null);

const emptyHead = all(cutPage, html({ canonicals: [], metas: [] }));
const EMPTY_HEAD = "nothing in a head that was read whole, of a page that was not";
const ALL_AGENTS = ["*", "Googlebot", "Bingbot"];

type CardImage = Evidence["cardImages"][number];
const card =
  (edit: Partial<CardImage>): Edit =>
  ({ cardImages }) =>
    Object.assign(cardImages[0] ?? {}, structuredClone(edit));
const sizedCard = (image: CardImage["image"]) => card({ image });
const refusedCard = (code: string): Partial<CardImage> => ({
  status: null,
  failure: { phase: "guard", code, detail: "" },
  image: null,
});

const AMP = all(lastHop({ url: "https://www.example.com/tea/amp" }), html({ isAmp: true }));

export const SEARCH_CASES = cases({
  "seo.indexable": {
    fail: {
      "noindex in a meta": meta("robots", "follow, NOINDEX"),
      "none in a meta": meta("robots", "none"),
      "noindex after a dated directive": header(
        "x-robots-tag",
        "unavailable_after: 25 Jun 2030, noindex",
      ),
      "robots.txt, though the page is kept": all(lastHop({ status: 403 }), disallow(...ALL_AGENTS)),
      "noindex, though robots.txt is down": all(meta("robots", "noindex"), robots({ status: 503 })),
      "a date after which the page is dropped, gone by": header(
        "x-robots-tag",
        "unavailable_after: Thu, 25 Jun 2026 15:00:00 PST",
      ),
      "such a date in a meta": meta("robots", "unavailable_after: 2026-01-31"),
    },
    not_applicable: { "a noindex on a preview": all(meta("robots", "noindex"), preview) },
    partial: {
      "a header for two engines, of which one is closed out": header(
        "x-robots-tag",
        "otherbot: nofollow, bingbot: noindex",
      ),
      "robots.txt closed to one engine": disallow("Bingbot"),
      "robots.txt closed to all but one engine": disallow("*", "Bingbot"),
      "a header for one engine": header("x-robots-tag", "Googlebot: noindex, nofollow"),
      ...each(
        [
          ["/assets/app.js", "script"],
          ["/assets/app.css", "link"],
          ["/stats/site.css", "link"],
          ["/account/app.js", "script"],
        ],
        ([path, tag]) => [`a file closed to engines: ${path}`, close(`${OWN}${path}`, tag)],
      ),
      "a meta for one engine": meta("googlebot", "noindex"),
    },
    pass: {
      [EMPTY_HEAD]: emptyHead,
      "directives that close nothing": header(
        "x-robots-tag",
        "max-snippet: -1, noarchive",
        "otherbot: noindex",
      ),
      ...each(
        [
          "/cdn-cgi/scripts/email-decode.min.js",
          "/matomo/matomo.js",
          "/js/plausible.js",
          "/stats/script.js",
        ],
        (path) => [`a script closed that shows nothing: ${path}`, close(`${OWN}${path}`)],
      ),
      "pictures and news alone": header(
        "x-robots-tag",
        "googlebot-image: noindex, googlebot-news: noindex",
      ),
      "a date to come": header(
        "x-robots-tag",
        "unavailable_after: Wednesday, 03-Aug-2033 15:00:00 PST",
      ),
    },
  },
  "seo.canonical": {
    fail: {
      two: canonical("https://www.example.com/", "https://www.example.com/b"),
      relative: canonical("/"),
      "relative, to the home page from another page": all(
        lastHop({ url: "https://www.example.com/blog/tea" }),
        canonical("/"),
      ),
      "an AMP page's, over http": all(AMP, canonical("http://www.example.com/")),
      "an AMP page's, on staging": all(AMP, canonical("https://staging.example.com/")),
      empty: canonical(""),
      http: canonical("http://www.example.com/"),
      "a private address": canonical("https://192.168.1.4/"),
      "a preview host": canonical("https://site-git-main-team.vercel.app/"),
      "the home page from a page with more links than are kept": all(
        lastHop({ url: "https://www.example.com/launch" }),
        html({ links: [], linkCount: 300 }),
      ),
      "an intranet's name": canonical("https://intranet/"),
      "a documentation's address": canonical("https://203.0.113.9/"),
    },
    pass: {
      ...each(["/home", "/Home/", "/index.php", "/accueil.html", "/en", "/pt-br/"], (path) => [
        `the home page from another address of it: ${path}`,
        lastHop({ url: `https://www.example.com${path}` }),
      ]),
      "the home page from the one page that there is": all(
        lastHop({ url: "https://www.example.com/launch" }),
        html({
          links: [
            { url: "https://www.example.com/", line: 20, hostClass: "public", isMenu: false },
            { url: "https://www.example.com/launch", line: 21, hostClass: "public", isMenu: false },
            { url: "https://example.org/about", line: 22, hostClass: "public", isMenu: false },
          ],
          linkCount: 3,
        }),
      ),
      "the home page from its AMP page": AMP,
      "the same one twice": canonical("https://www.example.com/", "https://www.example.com/"),
      "the page's own host, local as it is": all(
        lastHop({ url: "https://127.0.0.1:8443/" }),
        canonical("https://127.0.0.1:8443/"),
      ),
    },
    not_applicable: { [EMPTY_HEAD]: emptyHead },
    unknown: { "none in what was read": all(cutHead, html({ canonicals: [] })) },
  },
  "seo.social": {
    fail: {
      [EMPTY_HEAD]: emptyHead,
      "an image that is not there, and no description": all(
        meta("og:description"),
        card({ status: 404, image: null }),
      ),
      "one of three": all(meta("og:title"), meta("og:description", "")),
    },
    partial: {
      "a relative image": meta("og:image", "/card.png"),
      "an image without its scheme": meta("og:image", "//cdn.example.net/card.png"),
      "an image of the developer's machine": meta("og:image", "http://localhost:3000/card.png"),
      "an intranet's image": meta("og:image", "https://files/card.png"),
      "an image of a preview": meta("og:image", "https://site-git-main-team.vercel.app/card.png"),
      "an image that is not there": card({ status: 404, image: null }),
      "an image of a host that does not exist": card(refusedCard("not_found")),
      "an image that its bucket lacks": card({
        status: 403,
        headers: [["server", "AmazonS3"]],
        image: null,
      }),
      "a page in place of the image": card({
        headers: [["content-type", "text/html"]],
        image: null,
      }),
      "an image too small": sizedCard({ type: "png", width: 1200, height: 199 }),
      "an SVG": sizedCard({ type: "svg", width: null, height: null }),
      "an image too heavy": card({ headers: [["content-length", "8000001"]] }),
      "an image of twitter:image alone that is missing": (e) => {
        const [first] = e.cardImages;
        if (first) e.cardImages.push({ ...first, meta: "twitter:image", status: 410, image: null });
      },
    },
    pass: {
      "an image on the page's own host, a preview as it is": all(
        lastHop({ url: "https://site.vercel.app/" }),
        meta("og:image", "https://site.vercel.app/card.png"),
      ),
      "the image by its longer name": all(
        meta("og:image"),
        meta("og:image:url", "https://www.example.com/card.png"),
      ),
      "all three": () => {},
      "an image as large as is needed": sizedCard({ type: "webp", width: 200, height: 200 }),
      "an image of a kind whose size is not read": sizedCard({
        type: "other",
        width: null,
        height: null,
      }),
      "an image whose beginning is unknown": card({
        headers: [["content-type", "image/jxl"]],
        image: null,
      }),
      "an image behind a redirect": card({ status: 302, image: null }),
      "an image that was not asked for": card({ status: null, skipped: true, image: null }),
      "an image of which nothing is known": (e) => (e.cardImages = []),
    },
    unknown: {
      "an image that robots are refused": card({ status: 403, image: null }),
      "an image under a limit": card({ status: 429, image: null }),
      "an image that came too late": card({
        status: null,
        failure: { phase: "deadline", code: "ETIMEDOUT", detail: "" },
        image: null,
      }),
      "an image whose name could not be looked up": card(refusedCard("dns_timeout")),
      "not in what was read": all(cutHead, meta("og:title")),
    },
  },
  "seo.robots": {
    fail: {
      "a line that is no directive": robots({ badLine: { line: 1, text: "<!doctype html>" } }),
      "a sitemap on a preview host": robots({ sitemaps: ["https://site.vercel.app/sitemap.xml"] }),
      "a sitemap of the developer's machine": (e) =>
        e.robots.sitemaps.push("https://localhost:3000/sitemap.xml"),
      "an intranet's sitemap": (e) => e.robots.sitemaps.push("https://files/sitemap.xml"),
      "a sitemap over http, which leads nowhere": all(
        robots({ sitemaps: ["http://www.example.com/sitemap.xml"] }),
        (e) => Object.assign(e.plainHttp ?? {}, { hops: [], closed: true }),
      ),
      "a sitemap over http on another host": robots({
        sitemaps: ["http://cdn.example.net/sitemap.xml"],
      }),
      "a page in its place": placePage,
      "a sitemap that is no sitemap": sitemap({ valid: false }),
    },
    pass: {
      "a page that it is redirected to": all(
        robots({ page: "https://shop.example.com/", sitemaps: [] }),
        noSitemap,
      ),
      "a sitemap on another host, which robots.txt may name": robots({
        sitemaps: ["https://cdn.example.net/sitemap.xml"],
      }),
      "a sitemap over http, which leads to https": robots({
        sitemaps: ["http://www.example.com/sitemap.xml"],
      }),
      "a sitemap that has moved": sitemap({ status: 301 }),
      ...each([401, 403], (status) => [
        `a refusal with ${status} on a site that shows its page, which allows all`,
        robots({ status }),
      ]),
      "none, which allows all": all(robots({ status: 404, sitemaps: [] }), noSitemap),
    },
    blocked: {
      "a page in the place of whatever is missing": all(
        placePage,
        (e) => (e.notFound.status = 200),
      ),
    },
    unknown: {
      "no answer": robots({ status: null }),
      "a gatekeeper of the whole site": all(lastHop({ status: 403 }), robots({ status: 403 })),
      "a limit of requests": robots({ status: 429 }),
      "a text in an encoding that was not asked for": robots({
        failure: { phase: "body", code: "unsupported", detail: "zstd" },
      }),
      "the sitemap got no answer": sitemap({ status: null }),
      "the sitemap was not read": sitemap({ valid: null }),
      "a sitemap over http, which did not respond": all(
        robots({ sitemaps: ["http://www.example.com/sitemap.xml"] }),
        (e) => e.plainHttp?.hops.splice(0),
      ),
    },
  },
});
