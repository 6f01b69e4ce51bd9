import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import type { Headers, Tls } from "../../../server/engine/evidence/exchange.ts";
import type { FileFacts, Html } from "../../../server/engine/evidence/html.ts";

export const GOOD_HEADERS: Headers = [
  ["content-type", "text/html; charset=utf-8"],
  ["content-encoding", "br"],
  ["cache-control", "no-cache"],
  ["etag", '"5f3a"'],
  ["strict-transport-security", "max-age=31536000; includeSubDomains"],
  [
    "content-security-policy",
    "default-src 'self'; script-src 'nonce-r4nd0mV4lue' 'strict-dynamic'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'",
  ],
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "strict-origin-when-cross-origin"],
  ["permissions-policy", "camera=(), microphone=()"],
  ["cross-origin-opener-policy", "same-origin"],
  ["server", "nginx"],
  ["set-cookie", "session=***; Path=/; Secure; HttpOnly; SameSite=Lax"],
];

/** The Origin that the server was asked with. */
export const FOREIGN_ORIGIN = "https://shipscore-probe.example";

export function goodTls(host = "www.example.com"): Tls {
  return {
    host,
    protocol: "TLSv1.3",
    cipher: "TLS_AES_128_GCM_SHA256",
    keyExchange: { type: "ECDH", name: "X25519", bits: 253 },
    chainError: null,
    chainLength: 3,
    isPublic: true,
    firstEnd: null,
    isRenegotiationSecure: true,
    offersPostQuantum: false,
    isStapled: false,
    certificate: {
      subject: `CN=${host}`,
      issuer: "CN=Good CA",
      sans: [`dns:${host}`],
      notBefore: "2026-11-01T00:00:00.000Z",
      notAfter: "2027-01-30T00:00:00.000Z",
      keyType: "ec",
      keyBits: 256,
      curve: "prime256v1",
      signatureAlgorithm: "ecdsa-with-SHA256",
      namesIssuer: true,
      mustStaple: false,
      maySign: true,
    },
  };
}

/** The place of a meta in head. */
function at(line: number): Pick<Html["metas"][number], "line" | "isInHead" | "offset"> {
  return { line, isInHead: true, offset: 100 * line };
}

function goodHtml(): Html {
  return {
    doctype: "doctype html",
    lang: "en",
    xmlLang: null,
    charset: { label: "utf-8", offset: 40 },
    titleCount: 1,
    title: "A good page",
    isXhtml: false,
    isAmp: false,
    metas: [
      { name: "description", content: "A page with nothing to mend.", ...at(5) },
      { name: "viewport", content: "width=device-width, initial-scale=1", ...at(6) },
      { name: "og:title", content: "A good page", ...at(7) },
      { name: "og:description", content: "A page with nothing to mend.", ...at(8) },
      { name: "og:image", content: "https://www.example.com/card.png", ...at(9) },
    ],
    canonicals: [{ url: "https://www.example.com/", line: 10 }],
    stated: [],
    badJsonLdLine: null,
    isHeadWhole: true,
    imageCount: 2,
    shownCount: 0,
    elementCount: 40,
    imagesWithoutAltCount: 0,
    imagesWithoutAlt: [],
    textLength: 1200,
    proseLength: 1050,
    text: "A good page Everything about it is as it should be, and there is plenty to read.",
    headings: ["A good page"],
    headingCount: 1,
    noscriptLength: 0,
    emptyRootId: null,
    resources: [
      {
        url: "https://www.example.com/app.3f9c2b1a.js",
        line: 12,
        tag: "script",
        kind: "script",
        hostClass: "public",
        blocking: false,
        offset: 1200,
        integrity: "",
        crossorigin: null,
        nonce: "r4nd0mV4lue",
      },
      {
        url: "https://www.example.com/logo.png",
        line: 20,
        tag: "img",
        kind: "image",
        hostClass: "public",
        blocking: false,
        offset: 2000,
        integrity: null,
        crossorigin: null,
        nonce: "",
      },
    ],
    blockingCount: 0,
    scriptCount: 1,
    scriptFaults: [],
    plainCalls: [],
    replacedScripts: [],
    writesViewport: false,
    compilers: [],
    hasHandlers: false,
    inlines: [],
    base: null,
    linkCount: 1,
    idleNetworks: [],
    links: [{ url: "https://www.example.com/about", line: 22, hostClass: "public", isMenu: false }],
    forms: [],
    templateTexts: [],
    privateUrls: [],
    credentials: [],
  };
}

/** The facts of a file that was read to its end and holds nothing of note. */
export function fileFacts(facts: Partial<FileFacts> = {}): FileFacts {
  return {
    isWhole: true,
    isBroken: false,
    wireBytes: 900,
    integrityMatches: null,
    credentials: [],
    privateUrls: [],
    plainUrls: [],
    plainCalls: [],
    developmentBuild: null,
    writesViewport: false,
    addsCode: false,
    sourceMap: null,
    ...facts,
  };
}

/** The evidence of a page that earns 100; each call gives a fresh copy, free to edit. */
export function goodEvidence(): Evidence {
  const host = "www.example.com";
  const url = `https://${host}/`;
  const address = "93.184.215.14";
  const tls = goodTls();
  const answer = { headers: [] as Headers, failure: null, skipped: false };
  const hop = { url, status: 200, address, headers: structuredClone(GOOD_HEADERS), tls };
  const moved = (from: string, to: string) => ({
    url: from,
    status: 301,
    address,
    headers: [["location", to]] as Headers,
    tls: null,
  });
  return {
    version: 3,
    url,
    preview: false,
    checkedAt: "2026-11-20T08:30:00.000Z",
    durationMs: 640,
    stalledMs: 0,
    dns: {
      host,
      kind: "name",
      refusal: null,
      isConfirmed: null,
      addresses: [address],
      durationMs: 4,
    },
    page: {
      hops: [hop],
      failure: null,
      stop: null,
      tls: goodTls(),
      attempts: 1,
      browserStatus: null,
      leadsTo: null,
      timings: { dnsMs: 4, connectMs: 11, tlsMs: 18, firstByteMs: 92, downloadMs: 20 },
      body: {
        wireBytes: 4200,
        decodedBytes: 18_000,
        encoding: "br",
        state: "whole",
        oddities: [],
        isGzip: false,
        bomEncoding: null,
        charsetError: false,
        start: '<!doctype html><html lang="en">',
        looksLikeHtml: true,
        leak: null,
        challenge: null,
        html: goodHtml(),
      },
    },
    cors: { ...answer, status: 200, origin: FOREIGN_ORIGIN },
    drawnCookies: [{ name: "session", isState: false, isRepeated: false }],
    plainHttp: {
      hops: [
        moved("http://www.example.com/", url),
        { url, status: 200, address, headers: [], tls: goodTls() },
      ],
      failure: null,
      stop: null,
      tls: goodTls(),
      closed: false,
      skipped: false,
      refresh: null,
    },
    robots: {
      ...answer,
      status: 200,
      blocks: [],
      closedFiles: [],
      badLine: null,
      sitemaps: ["https://www.example.com/sitemap.xml"],
      page: null,
    },
    sitemap: {
      ...answer,
      status: 200,
      url: "https://www.example.com/sitemap.xml",
      valid: true,
      origins: ["https://www.example.com"],
    },
    notFound: {
      ...answer,
      status: 404,
      url: "https://www.example.com/shipscore-5b1e",
      location: null,
      leak: null,
      banner: null,
      repeatsPage: false,
    },
    missingFile: {
      ...answer,
      status: 404,
      url: "https://www.example.com/shipscore-5b1e.js",
      end: null,
      isHtml: true,
    },
    twin: {
      url: "https://example.com/",
      hops: [
        { ...moved("https://example.com/", url), tls: goodTls("example.com") },
        { url, status: 200, address, headers: [], tls: goodTls() },
      ],
      failure: null,
      stop: null,
      tls: goodTls(),
      canonical: url,
      skipped: false,
    },
    legacyTls: { outcome: "refused", protocol: null, code: "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION" },
    alpn: { outcome: "h2", code: null },
    lastHost: null,
    assets: [
      {
        ...answer,
        status: 200,
        headers: [
          ["content-type", "text/javascript"],
          ["cache-control", "public, max-age=31536000, immutable"],
          ["content-encoding", "br"],
        ],
        url: "https://www.example.com/app.3f9c2b1a.js",
        kind: "script",
        tag: "script",
        line: 12,
        in: null,
        load: "now",
        file: fileFacts(),
      },
      {
        ...answer,
        status: 200,
        headers: [
          ["content-type", "image/png"],
          ["content-length", "8400"],
        ],
        url: "https://www.example.com/logo.png",
        kind: "image",
        tag: "img",
        line: 20,
        in: null,
        load: "now",
        file: null,
      },
    ],
    assetCount: 2,
    sourceMap: null,
    cardImages: [
      {
        ...answer,
        status: 200,
        headers: [
          ["content-type", "image/png"],
          ["content-length", "48000"],
        ],
        url: "https://www.example.com/card.png",
        meta: "og:image",
        image: { type: "png", width: 1200, height: 630 },
      },
    ],
    previousFiles: [],
    links: [
      {
        ...answer,
        status: 200,
        url: "https://www.example.com/about",
        line: 22,
        method: "HEAD",
        isEndless: false,
      },
    ],
    oddAnswers: [],
    linkCount: 1,
    firstBytes: [
      { of: "page", ms: 92 },
      { of: "robots", ms: 40 },
      { of: "notFound", ms: 45 },
    ],
  };
}

/** A copy of the good evidence after `edit`. */
export function evidenceWith(edit: (evidence: Evidence) => void): Evidence {
  const evidence = goodEvidence();
  edit(evidence);
  return evidence;
}

/** The answer that the page's chain ended in. */
export function pageHop(evidence: Evidence): Evidence["page"]["hops"][number] {
  const hop = evidence.page.hops.at(-1);
  if (!hop) throw new Error("this evidence has no hop");
  return hop;
}

/** The body of the page. */
export function pageBody(evidence: Evidence): NonNullable<Evidence["page"]["body"]> {
  if (!evidence.page.body) throw new Error("this evidence has no body");
  return evidence.page.body;
}

/** What was found in the page's HTML. */
export function pageHtml(evidence: Evidence): Html {
  const { html } = pageBody(evidence);
  if (!html) throw new Error("this evidence has no HTML");
  return html;
}

/** Replaces every header of that name on the page's answer. */
export function setHeader(evidence: Evidence, name: string, ...values: string[]): void {
  const hop = pageHop(evidence);
  const others = hop.headers.filter(([other]) => other !== name);
  hop.headers = [...others, ...values.map((value): [string, string] => [name, value])];
}

/** Gives the page a meta element, in place of those of that name. */
export function setMeta(evidence: Evidence, name: string, ...contents: string[]): void {
  const html = pageHtml(evidence);
  const others = html.metas.filter((meta) => meta.name !== name);
  html.metas = [...others, ...contents.map((content) => ({ name, content, ...at(6) }))];
}
