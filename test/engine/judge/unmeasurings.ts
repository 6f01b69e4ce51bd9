import type { Evidence } from "../../../server/engine/evidence/evidence.ts";

type Edit = (evidence: Evidence) => void;

const NOT_ASKED = { status: null, headers: [], failure: null, skipped: true };
const NOT_WALKED = { hops: [], failure: null, stop: null, tls: null, skipped: true };

/** Each takes one fact out of the evidence as if it could not be measured. */
export const UNMEASURINGS: Readonly<Record<string, Edit>> = {
  "old TLS": (evidence) => {
    evidence.legacyTls = { outcome: "unknown", protocol: null, code: null };
    if (evidence.lastHost) evidence.lastHost.legacyTls = evidence.legacyTls;
  },
  ALPN: (evidence) => {
    evidence.alpn = { outcome: "unknown", code: null };
    if (evidence.lastHost) evidence.lastHost.alpn = evidence.alpn;
  },
  "the answer to a foreign origin": ({ cors, drawnCookies }) => {
    Object.assign(cors, NOT_ASKED);
    for (const cookie of drawnCookies) cookie.isRepeated = null;
  },
  "robots.txt": (evidence) => {
    Object.assign(evidence.robots, NOT_ASKED, {
      blocks: [],
      closedFiles: [],
      badLine: null,
      sitemaps: [],
    });
    evidence.sitemap = null;
  },
  "the end of a head that was too long": ({ page }) => {
    const { body } = page;
    if (body?.state === "over_limit" && body.html) body.html.isHeadWhole = false;
  },
  "the sitemap": ({ sitemap }) => {
    if (sitemap) Object.assign(sitemap, NOT_ASKED, { valid: null });
  },
  "a random path": ({ notFound }) =>
    Object.assign(notFound, NOT_ASKED, {
      location: null,
      leak: null,
      banner: null,
      repeatsPage: null,
    }),
  "a missing file": ({ missingFile }) => {
    if (missingFile) Object.assign(missingFile, NOT_ASKED, { end: null, isHtml: false });
  },
  "plain http": ({ plainHttp }) => {
    if (plainHttp) Object.assign(plainHttp, NOT_WALKED, { closed: false });
  },
  "the twin": ({ twin }) => {
    if (twin) Object.assign(twin, NOT_WALKED, { canonical: null });
  },
  "the files": ({ assets }) => {
    for (const asset of assets) Object.assign(asset, NOT_ASKED);
  },
  "the first file": ({ assets }) => Object.assign(assets[0] ?? {}, NOT_ASKED),
  "the links": ({ links }) => {
    for (const link of links) Object.assign(link, NOT_ASKED);
  },
  "the first link": ({ links }) => Object.assign(links[0] ?? {}, NOT_ASKED),
  "the first bytes": (evidence) => (evidence.firstBytes = []),
  "the page behind a login": ({ page }) => {
    const hop = page.hops.at(-1);
    if (hop && !page.failure && !page.stop) hop.status = 401;
  },
  "the body, in a coding that nobody asked for": ({ page }) => {
    if (page.body && page.body.challenge === null)
      Object.assign(page.body, { state: "unsupported", encoding: "zstd", html: null, leak: null });
  },
};
