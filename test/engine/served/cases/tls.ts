import { getAuthority } from "../../../harness/site.ts";
import { HOSTS, TWIN } from "../good-site.ts";
import {
  daysFromNow,
  type ServedCase,
  WEAK_TLS,
  all,
  allOfRequest,
  charged,
} from "../served-case.ts";

/** The dates of a certificate that is valid for 90 days, so many of which are left. */
const daysLeft = (days: number) => ({
  order: { notBefore: daysFromNow(days - 90), notAfter: daysFromNow(days) },
});

export const TLS_CASES: readonly ServedCase[] = [
  ...charged({
    "tls.hostname": { fail: { "a certificate for the twin alone": { hosts: [TWIN] } } },
    "tls.expiry": {
      fail: { "3 days of 90 left": daysLeft(3) },
      "partial soon": { "10 days of 90 left": daysLeft(10) },
    },
    "tls.versions": {
      "partial legacy": { "TLS 1.0 and 1.1 too": { tls: { minVersion: "TLSv1", ...WEAK_TLS } } },
    },
    "tls.strength": {
      fail: { "an RSA key of 1024 bits": { order: { key: "rsa1024" }, tls: WEAK_TLS } },
      "partial static_exchange": {
        "a static RSA exchange": {
          order: { key: "rsa2048" },
          tls: { ciphers: "AES128-SHA", maxVersion: "TLSv1.2" },
        },
      },
    },
  }),
  [
    "an expired certificate is charged once",
    daysLeft(-1),
    { "tls.chain": "fail", ...all("blocked", "tls.intermediate", "tls.expiry") },
  ],
  [
    "a SHA-1 certificate is charged once",
    { order: { digest: "sha1" }, tls: WEAK_TLS },
    { "tls.chain": "fail", ...all("blocked", "tls.intermediate", "tls.strength") },
  ],
  [
    "a certificate without its intermediate, which it says where to find",
    {
      async certificate() {
        const intermediate = await (await getAuthority()).delegate();
        const issuerUrl = "http://ca.example/intermediate.der";
        const { cert, key } = await intermediate.issue({ hosts: HOSTS, issuerUrl });
        return { cert: cert.replace(intermediate.certificate, ""), key };
      },
    },
    { "tls.intermediate": "fail", "tls.chain": "blocked" },
  ],
  [
    "TLS 1.0 alone",
    { tls: { minVersion: "TLSv1", maxVersion: "TLSv1", ...WEAK_TLS } },
    {
      ...allOfRequest("blocked"),
      ...all("blocked", "tls."),
      ...all("unknown", "reach.soft404", "cors.", "seo.robots", "perf.http2"),
      ...all("fail", "reach.connect", "tls.versions", "redir.host"),
    },
  ],
];
