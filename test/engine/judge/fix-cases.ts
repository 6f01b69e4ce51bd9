import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import type { Failure, RefusalCode } from "../../../server/engine/evidence/exchange.ts";
import {
  all,
  body,
  redirectTimes,
  refuseConnection,
  refuseDns,
  stopAt,
  header,
  meta,
  html,
  lastHop,
  asset,
} from "./cases/page-edits.ts";
import {
  editTls,
  expired,
  failChain,
  leaveAlone,
  rsa,
  setSans,
  weakDigest,
} from "./cases/tls-edits.ts";
import { pageHop, pageHtml } from "./evidence-fixtures.ts";
import type { Edit } from "./cases/rule-case.ts";

const setStatus = (status: number) => lastHop({ status });

const failAt =
  (phase: Failure["phase"], code: string, url = "https://www.example.com/"): Edit =>
  (e) => {
    refuseConnection(e);
    e.url = url;
    e.page.failure = { phase, code, detail: "" };
  };

const by =
  (organization: string): Edit =>
  ({ page }) => {
    if (page.tls) page.tls.certificate.issuer = `C=US, O=${organization}, CN=E7`;
  };

const refuseAs =
  (refusal: RefusalCode): Edit =>
  (e) => {
    refuseDns(e);
    e.dns.refusal = refusal;
  };

const failAfterRedirect: Edit = (e) => {
  failAt("connect", "ECONNREFUSED")(e);
  const headers: Evidence["cors"]["headers"] = [["location", "https://tea.example.net:8443/"]];
  const hop = { url: e.url, status: 301, address: "93.184.215.14", headers, tls: null };
  e.page.hops = [hop];
};

const setCookie = (line: string) => header("set-cookie", line);

const sendPolicy = (...policies: string[]) => header("content-security-policy", ...policies);

/** A header cannot name the origin of this plugin. */
const embedData: Edit = (e) => {
  const { resources } = pageHtml(e);
  const [script] = resources;
  if (script)
    resources.push({ ...script, url: "data:text/plain,tea", tag: "embed", kind: "other" });
};

const loadFrom =
  (url: string): Edit =>
  (e) => {
    const { resources } = pageHtml(e);
    const [script] = resources;
    if (script) resources.push({ ...script, url });
  };

const LONG_POLICY = `img-src ${"https://img.example/ ".repeat(45)}'self'`;

/** What a finding says was found and what to do, in both languages, and the lines to paste if they matter. */
export const FIX_CASES: readonly (readonly [
  id: string,
  why: string,
  edit: Edit,
  seen: RegExp,
  fix: RegExp,
  line?: string | null,
])[] = [
  ["reach.dns", "no such name", refuseDns, /www\.example\.com/, /A (?:ou|or) AAAA/],
  ["reach.dns", "a private address", refuseAs("private"), /priv/, /SHIPSCORE_ALLOW_NETWORKS/],
  ["reach.dns", "another port", refuseAs("port"), /8443/, /443 (?:ou|or) 8443/],
  ["reach.dns", "broken name servers", refuseAs("dns_failure"), /DNS/, /dig \+trace/],

  ["reach.connect", "nobody listens", refuseConnection, /ECONNREFUSED/, /port 443\b/],
  [
    "reach.connect",
    "nobody listens on another port",
    failAt("connect", "ECONNREFUSED", "https://www.example.com:8443/"),
    /www\.example\.com:8443/,
    /port 8443\b/,
  ],
  [
    "reach.connect",
    "nobody listens where a redirect leads",
    failAfterRedirect,
    /https:\/\/tea\.example\.net:8443\//,
    /port 8443\b/,
  ],
  [
    "reach.connect",
    "too many headers",
    failAt("response", "ERR_HEAD_SIZE"),
    /256 Ki[oB] \(ERR_HEAD_SIZE\)/,
    /256 Ki[oB].*CSP/,
  ],
  ["reach.connect", "no HTTP", failAt("response", "HTTPParserError"), /HTTPParserError/, /curl -v/],
  [
    "reach.connect",
    "two Content-Disposition headers",
    failAt("response", "ERR_DISPOSITIONS"),
    /Content-Disposition .*\(ERR_DISPOSITIONS\)/,
    /Content-Disposition/,
  ],
  [
    "reach.connect",
    "TLS 1.0 alone",
    failAt("tls", "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"),
    /PROTOCOL_VERSION/,
    /ssl_protocols TLSv1\.2 TLSv1\.3;/,
  ],
  [
    "reach.connect",
    "a client certificate wanted",
    failAt("tls", "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"),
    /CERTIFICATE_REQUIRED/,
    /nginx.*ssl_verify_client (?:sur|to) off\)\.$/,
  ],
  [
    "reach.connect",
    "no TLS on the port",
    failAt("tls", "ERR_SSL_WRONG_VERSION_NUMBER", "https://www.example.com:8443/"),
    /WRONG_VERSION_NUMBER/,
    /port 8443 (?:avec|with) openssl s_client/,
    "openssl s_client -connect www.example.com:8443",
  ],
  ["reach.connect", "it hangs up", failAt("response", "UND_ERR_SOCKET"), /SOCKET/, /proxy/],
  [
    "reach.connect",
    "it is too slow",
    failAt("deadline", "ETIMEDOUT"),
    /10 seconde?s/,
    /10 seconde?s/,
  ],
  ["reach.status", "404", setStatus(404), /404/, /D[ée]plo/],
  ["reach.status", "a 302 that leads nowhere", setStatus(302), /302/, /Location/],
  ["reach.status", "500", setStatus(500), /500/, /journal|log/],

  ["redir.chain", "to http", stopAt("downgrade"), /http:\/\/www/, /https:\/\/www\.example\.com\//],
  ["redir.chain", "a loop", stopAt("loop"), /→/, /X-Forwarded-Proto/],
  ["redir.chain", "a private place", stopAt("refused"), /priv/, /443/],
  [
    "redir.chain",
    "four redirects",
    redirectTimes(4),
    /^4 /,
    /(?:directement vers|straight to) https:\/\/www\.example\.com\/\.$/,
  ],

  [
    "redir.chain",
    "to http, with a query that is masked",
    (e) => {
      stopAt("downgrade")(e);
      if (e.page.stop) e.page.stop.url = "http://www.example.com/?next=***";
    },
    /next=\*{3}/,
    /^[^*]*Location[^*]*https:[^*]*$/,
  ],
  [
    "redir.chain",
    "four redirects to a query that is masked",
    (e) => {
      redirectTimes(4)(e);
      const end = e.page.hops.at(-1);
      if (end) end.url = "https://www.example.com/?next=***";
    },
    /^4 /,
    /^(?!.*nginx).*next=\*{3}\.$/,
  ],
  [
    "redir.chain",
    "four redirects of nginx, from a path like a masked one",
    all(redirectTimes(4), (e) => {
      const [first] = e.page.hops;
      if (first) first.url = "https://www.example.com/x0x0x0";
      first?.headers.push(["server", "nginx"]);
    }),
    /^4 /,
    /(?:directement vers|straight to) https:\/\/www\.example\.com\/\.$/,
    null,
  ],

  [
    "cookie.secure",
    "a long line",
    setCookie(`a=***; Path=/${"x".repeat(200)}`),
    /a=…; path=/,
    /^(?:Ajoutez Secure au|Add Secure to the) cookie a\.$/,
  ],
  [
    "cookie.secure",
    "a short line",
    setCookie("a=***; Path=/"),
    /a=…; path=\//,
    /^(?:Ajoutez Secure au|Add Secure to the) cookie a\.$/,
  ],
  [
    "cookie.secure",
    "a partitioned one",
    setCookie("a=***; Path=/; Partitioned"),
    /a=…/,
    /(?:Partitioned cookie without|cookie Partitioned sans) Secure/,
  ],
  [
    "hdr.valid",
    "an Integrity-Policy in quotes",
    header("integrity-policy", 'blocked-destinations=("script")'),
    /integrity-policy: blocked-destinations=\("script"\)/,
    /blocked-destinations=\(script\).*Integrity-Policy-Report-Only/,
    null,
  ],
  [
    "hdr.valid",
    "a group of reports that browsers do not read",
    all(
      sendPolicy("script-src 'nonce-r4nd0mV4lue' 'strict-dynamic'; report-to csp"),
      header("report-to", "csp"),
    ),
    /report-to: .*csp/,
    /csp .*Reporting-Endpoints/,
    null,
  ],
  [
    "cookie.secure",
    "no name",
    setCookie("***; Path=/"),
    /Set-Cookie: …; path=\//,
    /^(?:Ajoutez Secure au cookie sans nom|Add Secure to the cookie without a name)\.$/,
  ],
  [
    "cookie.session",
    "a long line",
    setCookie(`sid=***; Secure; SameSite=None; Path=/${"x".repeat(200)}`),
    /sid=…/,
    /HttpOnly (?:et|and) SameSite=Lax (?:au|to the) cookie sid\. (?:Conservez|Keep) SameSite=None/,
  ],

  [
    "perf.http2",
    "http/1.1 alone",
    (e) => {
      e.alpn = { outcome: "http/1.1", code: null };
    },
    /http\/1\.1/,
    /http2 on;.*1\.25\.1 ?: listen 443 ssl http2;/,
    null,
  ],
  [
    "perf.compression",
    "none",
    all(body({ encoding: null }), header("server")),
    /18[ ,]000/,
    /nginx ?: gzip on; — Apache ?: AddOutput.* — Caddy ?: encode zstd gzip — IIS ?: <urlCompression /,
  ],

  [
    "hdr.csp",
    "none",
    sendPolicy(),
    /sécurité du contenu|content security policy/,
    /(?:sans|without) -Report-Only.*'sha256-…'.*<script>/,
    [
      "Content-Security-Policy-Report-Only: script-src 'self'; object-src 'none'; base-uri 'self'",
      `add_header Content-Security-Policy-Report-Only "script-src 'self'; object-src 'none'; base-uri 'self'" always;`,
    ].join("\n"),
  ],
  [
    "hdr.csp",
    "none, where the page embeds a file without an origin",
    all(sendPolicy(), embedData),
    /sécurité du contenu|content security policy/,
    /^[^.]*: Content-Security-Policy-Report-Only: script-src 'self'; object-src 'self'; base-uri 'self'\. (?:Quand|Once)/,
    null,
  ],
  [
    "hdr.csp",
    "a hole beside the scripts, where the page embeds a file without an origin",
    all(sendPolicy("script-src 'nonce-r4nd0mV4lue' 'strict-dynamic'; base-uri 'self'"), embedData),
    /object-src/,
    /^[^.]* (?:seconde politique :|second policy:) object-src 'self'\.$/,
    null,
  ],
  [
    "hdr.csp",
    "an allow-list",
    sendPolicy("default-src 'self'; object-src 'none'"),
    /'self'/,
    /nonce="\{random\}", (?:généré à chaque réponse|generated for each response)/,
  ],
  [
    "hdr.csp",
    "too long to be judged",
    sendPolicy(`script-src 'self'; img-src ${"a.example.com ".repeat(20)}a.exam…`),
    /long/,
    /nonce="\{random\}", (?:généré à chaque réponse|generated for each response)/,
  ],
  [
    "hdr.csp",
    "the strict policy, pasted as it stands",
    sendPolicy("script-src 'nonce-{random}' 'strict-dynamic'; object-src 'none'; base-uri 'none'"),
    /bloque les scripts de la page elle-même|blocks the page's own scripts/,
    /nonce="\{random\}", (?:généré à chaque réponse|generated for each response)/,
  ],

  [
    "hdr.csp",
    "none, on GitHub Pages, with a script of another host",
    all(sendPolicy(), header("server", "GitHub.com"), loadFrom("https://cdn.example/tea.js")),
    /./,
    /GitHub Pages.*<head>.*script-src .*\('self' https:\/\/cdn\.example\).*Report-Only/,
  ],
  [
    "hdr.csp",
    "scripts of a meta policy with a hole, on GitHub Pages",
    all(sendPolicy(), header("server", "GitHub.com"), (e) => {
      pageHtml(e).hasHandlers = true;
      meta("content-security-policy", "script-src 'unsafe-inline'")(e);
    }),
    /unsafe-inline/,
    /^(?!.*nonce-).*script-src 'sha256-…'.*integrity.*(?:meta tag has no|balise meta n'a pas de mode) Report-Only/,
    null,
  ],
  ...(
    [
      ["Netlify", header("server", "Netlify")],
      ["Vercel", header("server", "Vercel")],
      ["S3", header("server", "AmazonS3")],
      [
        "Cloudflare Pages",
        all(header("server", "cloudflare"), lastHop({ url: "https://tea.pages.dev/" })),
      ],
      ["nginx, as a file", header("last-modified", "Fri, 20 Nov 2026 08:00:00 GMT")],
    ] as const
  ).flatMap(([host, edit]): (typeof FIX_CASES)[number][] => [
    [
      "hdr.csp",
      `an allow-list on ${host}, and nothing inline`,
      all(edit, header("set-cookie"), sendPolicy("default-src 'self'; object-src 'none'")),
      /'self'/,
      /^(?:No script of the page is inline|Aucun script n'est en ligne)(?!.*nonce-).*script-src 'sha256-…'.*integrity/,
    ],
    [
      "hdr.csp",
      `inline scripts allowed on ${host}, and nothing inline`,
      all(edit, header("set-cookie"), sendPolicy("script-src 'self' 'unsafe-inline'")),
      /'unsafe-inline'/,
      /^[^.]*: script-src 'self'(?: https:\/\/www\.example\.com)?; object-src 'none'; base-uri 'self'\. (?:No|Aucun) script(?!.*nonce)/,
    ],
    [
      "hdr.csp",
      `none on ${host}, and nothing inline`,
      all(edit, header("set-cookie"), sendPolicy()),
      /./,
      /(?:No script of the page is inline|Aucun script n'est en ligne)(?!.*nonce)/,
    ],
    [
      "hdr.csp",
      `none on ${host}, and an event handler`,
      all(edit, header("set-cookie"), sendPolicy(), html({ hasHandlers: true })),
      /./,
      /'sha256-…'(?!.*nonce)/,
    ],
  ]),
  [
    "hdr.csp",
    "an allow-list on Vercel, from a program",
    all(
      header("server", "Vercel"),
      header("x-powered-by", "Next.js"),
      sendPolicy("default-src 'self'; object-src 'none'"),
    ),
    /'self'/,
    /nonce="\{random\}", (?:généré à chaque réponse|generated for each response)/,
  ],
  [
    "perf.cache-assets",
    "a short lifetime on GitHub Pages",
    all(
      header("server", "GitHub.com"),
      asset(0, { headers: [["content-type", "text/javascript"]] }),
    ),
    /Cache-Control/,
    /GitHub Pages (?:cannot send it|ne peut pas l'envoyer)/,
  ],
  [
    "perf.cache-html",
    "a month on GitLab Pages",
    all(header("cache-control", "max-age=31536000"), lastHop({ url: "https://tea.gitlab.io/" })),
    /./,
    /GitLab Pages (?:cannot send it|ne peut pas l'envoyer)/,
  ],
  [
    "perf.cache-assets",
    "a short lifetime on nginx, whose directive would be for the page too",
    asset(0, { headers: [["content-type", "text/javascript"]] }),
    /Cache-Control/,
    /(?:these files|ces fichiers)\.$/,
    "Cache-Control: public, max-age=31536000, immutable",
  ],
  [
    "asset.mixed",
    "an image over http, on Netlify",
    all(sendPolicy(), header("server", "Netlify"), (e) => {
      const [, image] = pageHtml(e).resources;
      if (image) image.url = "http://www.example.com/logo.png";
    }),
    /http:/,
    /_headers|hdr|«|“/,
  ],
  [
    "redir.host",
    "a copy",
    (e) => {
      if (e.twin)
        e.twin = { ...e.twin, hops: [{ ...pageHop(e), url: e.twin.url }], canonical: null };
    },
    /example\.com\/ (?:répond|responds with) 200/,
    /(?:alone|seul nom)\. (?:Dans|In) nginx,/,
    "return 301 https://www.example.com$request_uri;",
  ],

  ["tls.chain", "expired", expired, /CN=www\.example\.com.*19 [Nn]ovembe?re? 2026/, /ACME/],
  [
    "tls.chain",
    "expired, of Let's Encrypt",
    all(expired, by("Let's Encrypt")),
    /./,
    /certbot renew/,
  ],
  [
    "tls.chain",
    "expired, of an authority that sells certificates",
    all(expired, by("Sectigo Limited")),
    /./,
    /\(Sectigo Limited\)/,
  ],
  [
    "tls.chain",
    "expired, of Let's Encrypt, for a domain on Netlify",
    all(expired, by("Let's Encrypt"), header("server", "Netlify")),
    /./,
    /Domain management/,
  ],
  [
    "tls.chain",
    "an expired intermediate",
    failChain("CERT_HAS_EXPIRED"),
    /intermédiaire a expiré|intermediate certificate has expired/,
    /fullchain\.pem/,
  ],
  [
    "tls.chain",
    "incomplete",
    editTls((tls) => {
      leaveAlone(tls);
      tls.certificate.namesIssuer = false;
    }),
    /intermédiaire|intermediate/,
    /fullchain\.pem/,
  ],
  [
    "tls.intermediate",
    "incomplete, and it says where its issuer is",
    editTls(leaveAlone),
    /(?:intermédiaire|intermediate).*CN=Good CA.*UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
    /fullchain\.pem/,
  ],
  [
    "tls.chain",
    "a certificate without a subject",
    editTls((tls) => {
      tls.certificate.subject = "";
      tls.chainError = { code: "SELF_SIGNED_CERT_IN_CHAIN", message: "" };
    }),
    /(?:servi pour|served for) www\.example\.com (?:est rejeté|is rejected)/,
    /Let's Encrypt/,
  ],
  ["tls.chain", "self-signed", failChain("DEPTH_ZERO_SELF_SIGNED_CERT"), /sign/, /Let's Encrypt/],
  ["tls.chain", "SHA-1", weakDigest, /signature/, /SHA-256/],
  [
    "tls.chain",
    "a fault without a code of its own",
    failChain("UNSPECIFIED", "permitted subtree violation"),
    /permitted subtree violation/,
    /fullchain\.pem/,
  ],
  [
    "tls.hostname",
    "another host's",
    setSans("dns:other.example"),
    /other\.example/,
    /(?:comprennent|include) www\.example\.com, /,
    null,
  ],
  [
    "tls.hostname",
    "no SAN",
    setSans(),
    /SAN|alternative/,
    /(?:comprennent|include) www\.example\.com, /,
  ],
  ["tls.strength", "RSA 1024", rsa(1024), /rsa 1024/, /--key-type ecdsa/],
  [
    "tls.strength",
    "DH of 1024 bits",
    editTls((tls) => (tls.keyExchange = { type: "DH", name: null, bits: 1024 })),
    /DH 1024/,
    /ECDHE.* nginx,/,
    "ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;",
  ],
  [
    "perf.ttfb",
    "names each sample with its time",
    (e) => {
      e.firstBytes = [
        { of: "page", ms: 3000 },
        { of: "robots", ms: 1040 },
        { of: "notFound", ms: 1145 },
      ];
    },
    /page 3[ ,]000 ms, robots\.txt 1[ ,]040 ms, (?:chemin inconnu|unknown path) 1[ ,]145 ms\. (?:Le reste|The rest)/,
    /CDN/,
  ],
  [
    "seo.social",
    "a sharing image of the developer's machine",
    meta("og:image", "http://localhost:3000/card.png"),
    /og:image = "http:\/\/localhost:3000\/card\.png"/,
    /property="og:image".+metadataBase/,
  ],
  [
    "seo.social",
    "a sharing image without a host",
    meta("og:image", "img/adr.png"),
    /og:image = "img\/adr\.png" \((?:not an|pas une) (?:absolute URL|URL absolue)\)/,
    /og:image, (?:use this absolute URL|utilisez cette URL absolue)/,
  ],
  [
    "seo.social",
    "a sharing image of a template, and no title",
    all(meta("og:image", "https://example.com/og-image.png"), meta("og:title", " ")),
    /og:title = "" \((?:empty|vide)\)/,
    /property="og:title"/,
    null,
  ],
  [
    "seo.robots",
    "a sitemap without a host",
    (e) => (e.robots.badLine = { line: 1, text: "Sitemap: /sitemap.xml" }),
    /(?:ligne|Line) 1 .*(?:absolute URL|URL absolue).*: Sitemap: \/sitemap\.xml/,
    /(?:must be absolute|doit être absolue)/,
  ],
  [
    "html.charset",
    "Latin 1 by its meta",
    all(
      header("content-type", "text/html"),
      html({ charset: { label: "iso-8859-1", offset: 805 } }),
    ),
    /^<meta charset="iso-8859-1"> (?:declares an encoding other than|déclare un autre encodage qu').*UTF-8\.$/,
    /(?:Save the page in|Enregistrez la page en) UTF-8/,
    '<meta charset="utf-8">',
  ],
  [
    "html.charset",
    "Latin 1 by its header, beside a meta",
    header("content-type", "text/html; charset=iso-8859-1"),
    /charset=iso-8859-1.*(?:overrides|l'emporte sur) <meta charset="utf-8">/,
    /Content-Type/,
  ],
  [
    "html.charset",
    "no encoding at all",
    all(header("content-type", "text/html"), html({ charset: null })),
    /./,
    /(?:Save the page in|Enregistrez la page en) UTF-8/,
  ],
  [
    "html.viewport",
    "none, where the layout may have a fixed width",
    meta("viewport"),
    /viewport/,
    /(?:phone|téléphone).*(?:fixed width|largeur fixe)/,
  ],
  [
    "html.viewport",
    "no zoom, which changes no layout",
    meta("viewport", "width=device-width, user-scalable=no"),
    /user-scalable/,
    /^[^.]*(?:viewport meta tag|balise meta viewport)\.$/,
  ],
  [
    "seo.indexable",
    "closed, perhaps on purpose",
    meta("robots", "noindex"),
    /noindex/,
    /(?:exclude this URL|retirez son URL)/,
  ],
  ...(
    [
      [
        "nginx default page",
        /document root.*\/usr\/share\/nginx\/html|dossier que ce serveur publie.*\/usr\/share\/nginx\/html/,
      ],
      ["Apache default page", /DocumentRoot.*\/var\/www\/html/],
      ["IIS default page", /C:\\inetpub\\wwwroot/],
      ["Tomcat default page", /webapps\/ROOT/],
      ["Firebase default page", /(?:deploy your site|déployez-y le site)/],
      ["Django default page", /framework/],
      ["WordPress installer", /(?:Finish|Terminez)/],
      ["Sedo parking page", /DNS/],
      ["page of a marketplace for domains", /DNS/],
      ["Werkzeug debugger", /NODE_ENV/],
    ] as const
  ).map(([signature, fix]): (typeof FIX_CASES)[number] => [
    "reach.leak",
    signature,
    body({ leak: { signature, offset: 0 } }),
    new RegExp(signature),
    fix,
  ]),
  [
    "asset.blocked",
    "a script without the integrity that a policy requires",
    header("integrity-policy", "blocked-destinations=(script)"),
    /app\.3f9c2b1a\.js → Integrity-Policy(?: :|:) (?:no integrity|integrity manque)/,
    /integrity.*crossorigin/,
  ],
  [
    "asset.broken",
    "a script as a style sheet",
    asset(0, { kind: "style", tag: "link", headers: [["content-type", "text/javascript"]] }),
    /app\.3f9c2b1a\.js/,
    /<script src>.*(?:remove this link|retirez ce lien)/,
  ],
  ...["Home page", "Index", "App", "Angular", "Nuxt", "Astro"].map(
    (title): (typeof FIX_CASES)[number] => [
      "html.title",
      title,
      html({ title: title }),
      /(?:ne dit rien de|says nothing about) (?:la|the) page/,
      /<title>/,
    ],
  ),
  [
    "hdr.valid",
    "a word that no browser knows, whose nearest would block other hosts",
    header("cross-origin-embedder-policy", "unsafe_none"),
    /unsafe_none/,
    /^(?:Remove this header|Retirez cet en-tête)\.$/,
  ],
  [
    "hdr.valid",
    "an origin without quotes, which is like a masked one",
    header("permissions-policy", 'camera=("self" https://xxxxxx.example)'),
    /camera=/,
    /^(?:Envoyez l'en-tête|Send the) Permissions-Policy .*(?:une seule fois|once)/,
    null,
  ],
  [
    "seo.canonical",
    "a private one, where the page's path is like a masked one",
    all(
      lastHop({ url: "https://www.example.com/x0x0x0" }),
      html({ canonicals: [{ url: "http://localhost/", line: 10 }] }),
    ),
    /localhost/,
    /l'URL publique de la page dans|the page's public URL in/,
    null,
  ],
  [
    "html.viewport",
    "no zoom, and a value like a masked one",
    meta("viewport", "width=device-width, user-scalable=no, viewport-fit=aaaaaa"),
    /user-scalable=no/,
    /width=device-width (?:et|and) initial-scale=1\.$/,
    null,
  ],
  [
    "hdr.csp",
    "only reported, where nginx's directive would be too long",
    all(sendPolicy(), header("content-security-policy-report-only", LONG_POLICY)),
    /Report-Only/,
    /(?:la même politique dans|the same policy in) Content-Security-Policy\.$/,
    `Content-Security-Policy: ${LONG_POLICY}`,
  ],
  [
    "hdr.valid",
    "a framing header that a policy replaces",
    header("x-frame-options", "ALLOW-FROM https://example.org"),
    /ALLOW-FROM/,
    /^(?:Remove this header|Retirez cet en-tête)\.$/,
  ],
  ...(
    [
      ["cloudflare", /Transform Rules/],
      ["CloudFront", /response headers policy/],
      ["AmazonS3", /response headers policy/],
      ["Netlify", /_headers/],
      ["Vercel", /vercel\.json/],
      ["GitHub.com", /CDN/],
      [
        "nginx/1.25.3",
        /nginx, .*add_header.* location /,
        'add_header X-Content-Type-Options "nosniff" always;',
      ],
      ["Apache", /Apache, .*Header/, 'Header always set X-Content-Type-Options "nosniff"'],
      ["Caddy", /Caddy, .*header/, 'header X-Content-Type-Options "nosniff"'],
      [
        "Microsoft-IIS/10.0",
        /IIS, .*<customHeaders>.*web\.config/,
        '<add name="X-Content-Type-Options" value="nosniff" />',
      ],
      ["gunicorn", /(?:chaque réponse|every response)\.$/],
    ] as const
  ).map(([server, fix, directive]): (typeof FIX_CASES)[number] => [
    "hdr.nosniff",
    `none, on ${server}`,
    all(header("x-content-type-options"), header("server", server)),
    /X-Content-Type-Options/,
    fix,
    ["X-Content-Type-Options: nosniff", ...(directive ? [directive] : [])].join("\n"),
  ]),
  [
    "hdr.nosniff",
    "another word is sent, beside which no second header belongs",
    all(header("x-content-type-options", "sniff"), header("server", "nginx")),
    /sniff/,
    /(?:chaque réponse|every response)\.$/,
    "X-Content-Type-Options: nosniff",
  ],
  ...(
    [
      ["cloudflare", /no-transform/],
      ["CloudFront", /Compress objects automatically/],
    ] as const
  ).map(([server, fix]): (typeof FIX_CASES)[number] => [
    "perf.compression",
    `none, on ${server}`,
    all(body({ encoding: null }), header("server", server)),
    /18[ ,]000/,
    fix,
    null,
  ]),
  [
    "tls.versions",
    "old ones, on Cloudflare",
    all(
      (e) => (e.legacyTls = { outcome: "accepted", protocol: "TLSv1.1", code: null }),
      header("server", "cloudflare"),
    ),
    /TLS 1\.1/,
    /Minimum TLS Version/,
  ],
  [
    "perf.http2",
    "none, on CloudFront",
    all((e) => (e.alpn = { outcome: "http/1.1", code: null }), header("server", "CloudFront")),
    /http\/1\.1/,
    /Supported HTTP versions|supported HTTP versions/,
  ],
  [
    "redir.host",
    "a copy, on a platform",
    ({ twin }) => {
      const copy = { status: 200, address: "93.184.215.14", headers: [], tls: null };
      if (twin) twin.hops = [{ ...copy, url: twin.url, headers: [["server", "Vercel"]] }];
    },
    /200/,
    /Vercel: Settings > Domains/,
  ],
  [
    "tls.chain",
    "expired, and renewed by Amazon",
    (e) => {
      expired(e);
      const { tls } = e.page;
      if (tls) tls.certificate.issuer = "CN=Amazon RSA 2048 M02, O=Amazon, C=US";
    },
    /./,
    /AWS Certificate Manager/,
  ],
  [
    "hdr.hsts",
    "none, on GitHub Pages",
    (e) => {
      header("strict-transport-security")(e);
      header("server", "GitHub.com")(e);
    },
    /Strict-Transport-Security/,
    /GitHub Pages/,
  ],
  [
    "redir.https",
    "a page over http behind Cloudflare, where a redirect of nginx would loop",
    ({ plainHttp }) => {
      const headers: Evidence["cors"]["headers"] = [["server", "cloudflare"]];
      Object.assign(plainHttp?.hops[0] ?? {}, { status: 200, headers });
      plainHttp?.hops.splice(1);
    },
    /200/,
    /Always Use HTTPS/,
  ],
  [
    "tls.hostname",
    "a certificate of Amazon, which certbot cannot extend",
    editTls(({ certificate }) => {
      certificate.issuer = "C=US, O=Amazon, CN=Amazon RSA 2048 M02";
      certificate.sans = ["dns:other.example"];
    }),
    /other\.example/,
    /AWS Certificate Manager/,
  ],
  [
    "tls.expiry",
    "a certificate that GitHub renews",
    editTls(({ certificate }) => {
      certificate.sans.push("dns:*.github.io");
      certificate.notAfter = "2026-11-24T08:30:00.000Z";
    }),
    /www\.example\.com/,
    /Settings > Pages/,
  ],
  [
    "cookie.secure",
    "a cookie set over http alone, where browsers refuse Secure",
    (e) => {
      e.plainHttp?.hops[0]?.headers.push(["set-cookie", "a=***; Path=/"]);
    },
    /a=…/,
    /http/,
  ],
];
