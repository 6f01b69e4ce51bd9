import { isUrl } from "../../../shared/url.ts";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import type { Headers, Tls } from "../../../server/engine/evidence/exchange.ts";
import { headerValues } from "../../../server/engine/evidence/accessors.ts";
import { pageHop } from "./evidence-fixtures.ts";

type Edit = (evidence: Evidence) => void;

const STRICT_POLICY =
  "script-src 'nonce-r4nd0mV4lue' 'strict-dynamic'; object-src 'none'; base-uri 'none'";

function editHeaders(edit: (headers: Headers) => Headers): Edit {
  return ({ page }) => {
    const hop = page.hops.at(-1);
    if (hop) hop.headers = edit(hop.headers);
  };
}

function replaceHeader(name: string, ...values: readonly string[]): Edit {
  return editHeaders((headers) => [
    ...headers.filter(([other]) => other !== name),
    ...values.map((value): Headers[number] => [name, value]),
  ]);
}

function addHeader(name: string, value: string): Edit {
  return editHeaders((headers) => [...headers, [name, value]]);
}

/** Only where nothing is enforced yet, and not over X-Frame-Options, which frame-ancestors would silence. */
const enforceReported = editHeaders((headers) => {
  const isEnforced = headers.some(([name]) => name === "content-security-policy");
  return headers.map(([name, value]) => {
    const isMoved =
      !isEnforced &&
      name === "content-security-policy-report-only" &&
      !/frame-ancestors/i.test(value);
    return [isMoved ? "content-security-policy" : name, value];
  });
});

function addToCookies(attribute: string): Edit {
  return ({ page, plainHttp }) => {
    for (const hop of [...page.hops, ...(plainHttp?.hops ?? [])])
      hop.headers = hop.headers.map(([name, value]) => [
        name,
        name === "set-cookie" ? `${value}; ${attribute}` : value,
      ]);
  };
}

type Html = NonNullable<NonNullable<Evidence["page"]["body"]>["html"]>;

function editHtml(edit: (html: Html) => void): Edit {
  return ({ page }) => {
    if (page.body?.html) edit(page.body.html);
  };
}

function setMeta(name: string, content: string): Edit {
  return editHtml((html) => {
    const others = html.metas.filter((meta) => meta.name !== name);
    html.metas = [...others, { name, content, line: 5, isInHead: true, offset: 500 }];
  });
}

function editHandshakes(edit: (tls: Tls, evidence: Evidence) => void): Edit {
  return (evidence) => {
    const { hops, tls } = evidence.page;
    for (const one of [...hops.map((hop) => hop.tls), tls]) if (one) edit(one, evidence);
  };
}

const DAY_MS = 86_400_000;

function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY_MS).toISOString();
}

/** A policy that a site adds lets in what the page has: it bears the nonce, and comes from the page's host. */
function withFilesThatFit(addPolicy: Edit): Edit {
  return (evidence) => {
    addPolicy(evidence);
    const page = evidence.page.hops.at(-1);
    const html = evidence.page.body?.html;
    if (!page || !html || !isUrl(page.url)) return;
    const { origin } = new URL(page.url);
    for (const file of html.resources)
      Object.assign(file, { url: `${origin}/file`, nonce: "r4nd0mV4lue" });
    html.inlines = [];
    html.forms = [];
    html.base = null;
  };
}
const DIGEST = `sha384-${"a".repeat(64)}`;

/** Each makes one control stronger, or fixes one fault, and weakens nothing. */
export const STRENGTHENINGS: Readonly<Record<string, Edit>> = {
  // A page without a type is shown only where types are guessed.
  "nosniff sent": (evidence) => {
    if (headerValues(pageHop(evidence).headers, "content-type").length > 0)
      replaceHeader("x-content-type-options", "nosniff")(evidence);
  },
  "HSTS for two years": replaceHeader("strict-transport-security", "max-age=63072000"),
  "a strict policy in place of the others": withFilesThatFit(
    replaceHeader(
      "content-security-policy",
      `${STRICT_POLICY}; frame-ancestors 'none'; upgrade-insecure-requests`,
    ),
  ),
  "one more policy, a strict one": withFilesThatFit(
    addHeader("content-security-policy", STRICT_POLICY),
  ),
  "one more policy, with a nonce alone": withFilesThatFit(
    addHeader("content-security-policy", "script-src 'nonce-r4nd0mV4lue'"),
  ),
  "one more policy, with no plug-ins": addHeader("content-security-policy", "object-src 'none'"),
  "one more policy, of the page's own host": withFilesThatFit(
    addHeader("content-security-policy", "default-src 'self'"),
  ),
  "one more policy, against frames": addHeader("content-security-policy", "frame-ancestors 'none'"),
  "the reported policy enforced": enforceReported,
  "X-Frame-Options set to DENY": replaceHeader("x-frame-options", "DENY"),
  "no referrer": (evidence) => {
    replaceHeader("referrer-policy", "no-referrer")(evidence);
    setMeta("referrer", "no-referrer")(evidence);
  },
  "no banners": editHeaders((headers) =>
    headers.filter(([name]) => !/^(?:server$|x-powered-by|x-aspnet|x-generator)/.test(name)),
  ),
  "Secure on cookies": addToCookies("Secure"),
  "HttpOnly on cookies": addToCookies("HttpOnly"),
  "SameSite=Lax on cookies": addToCookies("SameSite=Lax"),
  "SameSite=Strict on cookies": addToCookies("SameSite=Strict"),
  "no cookies": ({ page, plainHttp }) => {
    for (const hop of [...page.hops, ...(plainHttp?.hops ?? [])])
      hop.headers = hop.headers.filter(([name]) => name !== "set-cookie");
  },
  "a session for each visitor": ({ drawnCookies }) => {
    for (const cookie of drawnCookies ?? []) cookie.isRepeated = false;
  },
  "no foreign origin allowed": ({ cors, page }) => {
    const status = page.hops.at(-1)?.status ?? 200;
    Object.assign(cors, { status, headers: [], failure: null, skipped: false });
  },
  "the page revalidated": replaceHeader("cache-control", "no-cache"),

  "a standards-mode doctype": editHtml((html) => (html.doctype = "doctype html")),
  "a language": editHtml((html) => (html.lang = "en")),
  "a title of its own": editHtml((html) =>
    Object.assign(html, { title: "A page of its own", titleCount: 1 }),
  ),
  "words of its own": editHtml((html) => {
    const text = "Green tea by the leaf, from eleven gardens.";
    Object.assign(html, { title: "Tea", titleCount: 1, text, headings: ["Tea"], headingCount: 1 });
  }),
  "no page at a path that does not exist": ({ notFound }) => {
    if (notFound.status === 200) Object.assign(notFound, { status: 404, repeatsPage: false });
  },
  "a description": setMeta("description", "What the page is about."),
  "a viewport": setMeta("viewport", "width=device-width, initial-scale=1"),
  "a sharing card": (evidence) => {
    setMeta("og:title", "A page")(evidence);
    setMeta("og:description", "What it is about.")(evidence);
    setMeta("og:image", "https://www.example.com/card.png")(evidence);
  },
  "an alt on each image": editHtml((html) =>
    Object.assign(html, { imagesWithoutAltCount: 0, imagesWithoutAlt: [] }),
  ),
  "more text": editHtml((html) => (html.textLength = 5000)),
  "no canonical link": editHtml((html) => (html.canonicals = [])),
  "no mixed content": editHtml(
    (html) => (html.resources = html.resources.filter(({ url }) => !/^http:/i.test(url))),
  ),
  "forms posted over https": editHtml((html) => {
    for (const form of html.forms ?? [])
      Object.assign(form, { url: "https://www.example.com/", method: "post" });
  }),
  "no secrets": editHtml((html) => (html.credentials = [])),
  "no template's text": editHtml((html) => (html.templateTexts = [])),
  "integrity on each script": editHtml((html) => {
    for (const resource of html.resources)
      if (resource.tag === "script")
        Object.assign(resource, { integrity: DIGEST, crossorigin: "anonymous" });
  }),
  "scripts of its own alone": editHtml(
    (html) => (html.resources = html.resources.filter(({ tag }) => tag !== "script")),
  ),
  "no addresses of development": editHtml((html) => {
    html.resources = html.resources.filter(({ hostClass }) => hostClass === "public");
    html.links = html.links.filter(({ hostClass }) => hostClass === "public");
  }),
  "nothing that delays the first paint": editHtml((html) => (html.blockingCount = 0)),

  "open to search engines": (evidence) => {
    replaceHeader("x-robots-tag")(evidence);
    editHtml(
      (html) =>
        (html.metas = html.metas.filter(
          ({ name }) => !/^(?:robots|googlebot|bingbot)$/.test(name),
        )),
    )(evidence);
    Object.assign(evidence.robots, { blocks: [], closedFiles: [] });
  },
  "a robots.txt that reads": ({ robots }) => (robots.badLine = null),
  "robots.txt not led to a page": ({ robots }) => {
    if (robots.page === null) return;
    Object.assign(robots, { status: 404, failure: null, badLine: null, sitemaps: [], page: null });
  },
  "no leaks": ({ page, notFound }) => {
    if (page.body) page.body.leak = null;
    Object.assign(notFound, { leak: null, banner: null });
  },
  "a real 404": ({ notFound }) => (notFound.status = 404),
  "files served, and kept": ({ assets }) => {
    const TYPES = new Map([
      ["script", "text/javascript"],
      ["module", "text/javascript"],
      ["style", "text/css"],
    ]);
    for (const asset of assets)
      Object.assign(asset, {
        status: 200,
        failure: null,
        skipped: false,
        headers: [
          ["content-type", TYPES.get(asset.kind) ?? "image/png"],
          ["cache-control", "max-age=31536000"],
          ["content-length", "900"],
        ],
      });
  },
  "links that answer": ({ links }) => {
    for (const link of links) Object.assign(link, { status: 200, failure: null, skipped: false });
  },
  compressed: ({ page }) => {
    if (page.body?.state === "whole") page.body.encoding = "br";
  },
  "a fast first byte": ({ firstBytes }) => {
    for (const sample of firstBytes) sample.ms = Math.min(sample.ms, 50);
  },
  "HTTP/2": (evidence) => {
    evidence.alpn = { outcome: "h2", code: null };
    if (evidence.lastHost) evidence.lastHost.alpn = evidence.alpn;
  },

  "old TLS refused": (evidence) => {
    evidence.legacyTls = { outcome: "refused", protocol: null, code: null };
    if (evidence.lastHost) evidence.lastHost.legacyTls = evidence.legacyTls;
  },
  "TLS 1.3": editHandshakes((tls) => (tls.protocol = "TLSv1.3")),
  "a longer key": editHandshakes(({ certificate }) =>
    Object.assign(certificate, { keyType: "ec", keyBits: 384, curve: "secp384r1" }),
  ),
  "an ephemeral exchange": editHandshakes(
    (tls) => (tls.keyExchange = { type: "ECDH", name: "X25519", bits: 253 }),
  ),
  "a renewed and trusted certificate": editHandshakes((tls, { checkedAt }) => {
    tls.chainError = null;
    Object.assign(tls.certificate, {
      notBefore: daysAfter(checkedAt, -1),
      notAfter: daysAfter(checkedAt, 89),
      signatureAlgorithm: "ecdsa-with-SHA256",
    });
  }),
  "a certificate for the host": editHandshakes(
    (tls) => (tls.certificate.sans = [`dns:${tls.host}`, `ip:${tls.host}`]),
  ),
  "no redirects on the way to the page": (evidence) => {
    const { page, lastHost } = evidence;
    if (page.failure || page.stop) return;
    page.hops = page.hops.slice(-1);
    Object.assign(evidence, lastHost, { lastHost: null });
  },
  "permanent redirects": ({ plainHttp, twin }) => {
    for (const hop of [...(plainHttp?.hops ?? []), ...(twin?.hops ?? [])])
      if (hop.status > 301 && hop.status < 400) hop.status = 301;
  },
};
