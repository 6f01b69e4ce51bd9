import { expect } from "vitest";
import { HOST, type SiteEdit, TWIN } from "../good-site.ts";
import { type CertificateCase, type Outcomes, NOTHING, all, handshaken } from "../served-case.ts";

const OTHERS = Array.from({ length: 1000 }, (_, index) => `shop-${index}.example.net`);
const WRONG: Outcomes = { "tls.hostname": "fail" };

/** The site under another of its names, which has neither twin nor a way from http. */
const at = (name: string, ...hosts: readonly string[]): SiteEdit => ({
  hosts,
  url: `https://${name}:{port}/`,
  plain: "none",
  routes: { "/robots.txt": { body: "User-agent: *\nAllow: /\n" } },
});
const LOCKED = {
  lock: "x-vercel-protection-bypass",
  sends: { "x-vercel-protection-bypass": "open" },
};
const ALONE: Outcomes = {
  "redir.https": "not_applicable",
  "redir.permanent": "not_applicable",
  "redir.host": "not_applicable",
};
const sans = (...names: string[]) => ({ tls: { chainError: null, certificate: { sans: names } } });

export const NAME_CASES: readonly CertificateCase[] = [
  ...handshaken(NOTHING, {
    "good, 1000-sans": [
      { hosts: [...OTHERS.slice(2), HOST, TWIN] },
      { tls: { chainError: null, certificate: { sans: expect.arrayContaining([`dns:${HOST}`]) } } },
    ],
    "a wildcard after 1000 other names": [
      { hosts: [...OTHERS, HOST, `*.${HOST}`] },
      { tls: { chainError: null } },
    ],
    "capitals in the certificate": [{ hosts: ["EXAMPLE.com", TWIN] }, { tls: { host: HOST } }],
    "a last dot in the certificate": [{ hosts: [`${HOST}.`, TWIN] }, { tls: { host: HOST } }],
    "a last dot in the URL": [{ url: `https://${HOST}.:{port}/` }, { tls: { host: HOST } }],
  }),
  ...handshaken(WRONG, {
    "wrong.host": [{ hosts: ["other.example", TWIN] }, { tls: { chainError: null } }],
    "wrong.host, the twin alone": [{ hosts: [TWIN] }, sans(`dns:${TWIN}`)],
    "no-san (CN only)": [
      { hosts: [], order: { commonName: HOST } },
      { tls: { chainError: null, certificate: { subject: `CN=${HOST}`, sans: [] } } },
    ],
    "SAN holds only an IP, CN equals the host": [
      { hosts: ["127.0.0.1"], order: { commonName: HOST } },
      sans("ip:127.0.0.1"),
    ],
    "a SAN that is only a URI": [{ hosts: [`https://${HOST}/`] }, sans()],
    "wildcard *.test for site.test: not under one label": [
      { hosts: ["*.com", TWIN] },
      sans("dns:*.com", `dns:${TWIN}`),
    ],
    "a wildcard for the bare name": [{ hosts: [`*.${HOST}`] }, sans(`dns:*.${HOST}`)],
    "a name that ends at a NUL byte": [
      { hosts: [`${HOST}\0.example.net`, `${HOST}\0`, `exam\0ple.com`, TWIN] },
      sans(
        `dns:${HOST}\\x00.example.net`,
        `dns:${HOST}\\x00`,
        "dns:exam\\x00ple.com",
        `dns:${TWIN}`,
      ),
    ],
  }),
  ...handshaken(ALONE, {
    "a wildcard for one label": [at(`a.${HOST}`, `*.${HOST}`), { tls: { host: `a.${HOST}` } }],
    "a wildcard for a suffix of a company": [
      at("shop.github.io", "*.github.io"),
      { tls: { host: "shop.github.io" } },
    ],
    "an internationalised name": [
      at(`bücher.${HOST}`, `xn--bcher-kva.${HOST}`),
      { tls: { host: `xn--bcher-kva.${HOST}` } },
    ],
  }),
  [
    "a wildcard for an underscore, and a header that only a proven host receives",
    { ...at(`feature_x.${HOST}`, `*.${HOST}`), ...LOCKED },
    { tls: { host: `feature_x.${HOST}` } },
    { ...ALONE, "seo.social": "unknown" },
  ],
  [
    "a wildcard for a public suffix",
    at("teashop.co.uk", "*.co.uk"),
    sans("dns:*.co.uk"),
    { ...ALONE, ...WRONG, ...all("fail", "redir.host", "seo.identity") },
  ],
  [
    "a wildcard for an ending that the list does not know",
    at("teashop.intranet", "*.intranet"),
    sans("dns:*.intranet"),
    { ...ALONE, ...WRONG, "redir.host": "fail" },
  ],
  [
    "a wildcard for two labels",
    at(`a.b.${HOST}`, `*.${HOST}`),
    sans(`dns:*.${HOST}`),
    { ...ALONE, ...WRONG },
  ],
  [
    "an address among the names",
    at("127.0.0.1", HOST),
    sans(`dns:${HOST}`),
    {
      ...ALONE,
      ...WRONG,
      "reach.dns": "not_applicable",
      "hdr.hsts": "not_applicable",
      "redir.domain": "not_applicable",
    },
  ],
  [
    "an address",
    at("127.0.0.1", "127.0.0.1"),
    sans("ip:127.0.0.1"),
    {
      ...ALONE,
      "reach.dns": "not_applicable",
      "hdr.hsts": "not_applicable",
      "redir.domain": "not_applicable",
    },
  ],
];
