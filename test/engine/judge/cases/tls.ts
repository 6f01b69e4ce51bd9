import { goodTls, pageHop } from "../evidence-fixtures.ts";
import { refuseConnection } from "./page-edits.ts";
import type { RuleCase } from "./rule-case.ts";

import {
  editTls,
  endAt,
  expired,
  failChain,
  leaveAlone,
  rsa,
  setHost,
  setSans,
  weakDigest,
  weakKey,
} from "./tls-edits.ts";

export const TLS_CASES: readonly RuleCase[] = [
  ["tls.chain", "fail", "expired", expired],
  ["tls.chain", "fail", "an expired intermediate", failChain("CERT_HAS_EXPIRED")],
  ["tls.chain", "fail", "an intermediate not valid yet", failChain("CERT_NOT_YET_VALID")],
  [
    "tls.chain",
    "fail",
    "not valid yet",
    editTls((tls) => {
      tls.certificate.notBefore = "2026-11-21T00:00:00.000Z";
      tls.chainError = { code: "CERT_NOT_YET_VALID", message: "" };
    }),
  ],
  ["tls.chain", "fail", "self-signed", failChain("DEPTH_ZERO_SELF_SIGNED_CERT")],
  ["tls.chain", "fail", "unknown root", failChain("SELF_SIGNED_CERT_IN_CHAIN")],
  [
    "tls.chain",
    "fail",
    "sent alone, and nothing says where its issuer is",
    editTls((tls) => {
      leaveAlone(tls);
      tls.certificate.namesIssuer = false;
    }),
  ],
  [
    "tls.chain",
    "fail",
    "sent alone, in evidence that does not tell whether it names its issuer",
    editTls((tls) => {
      leaveAlone(tls);
      tls.certificate.namesIssuer = null;
    }),
  ],
  [
    "tls.chain",
    "fail",
    "an intermediate that leads nowhere",
    editTls((tls) => {
      leaveAlone(tls);
      tls.chainLength = 2;
    }),
  ],
  [
    "tls.chain",
    "fail",
    "self-signed, after a redirect without its intermediate",
    (e) => {
      editTls((tls) => {
        tls.chainError = { code: "DEPTH_ZERO_SELF_SIGNED_CERT", message: "" };
      })(e);
      const tls = goodTls("example.com");
      leaveAlone(tls);
      e.page.hops.unshift({ ...pageHop(e), url: "https://example.com/", status: 301, tls });
    },
  ],
  ["tls.chain", "fail", "weak digest", weakDigest],
  ["tls.chain", "fail", "weak key", weakKey],
  [
    "tls.chain",
    "fail",
    "a fault without a code of its own",
    failChain("UNSPECIFIED", "permitted subtree violation"),
  ],
  [
    "tls.chain",
    "fail",
    "on a redirect before the page",
    (e) => {
      const tls = {
        ...goodTls("example.com"),
        chainError: { code: "CERT_HAS_EXPIRED", message: "" },
      };
      e.page.hops.unshift({
        ...pageHop(e),
        url: "https://example.com/",
        status: 301,
        headers: [],
        tls,
      });
    },
  ],
  [
    "tls.chain",
    "fail",
    "though no answer came over it",
    (e) => {
      refuseConnection(e);
      e.page.tls = { ...goodTls(), chainError: { code: "CERT_HAS_EXPIRED", message: "" } };
    },
  ],
  ["tls.chain", "pass", "trusted", () => {}],

  ["tls.intermediate", "fail", "sent alone, and it says where its issuer is", editTls(leaveAlone)],
  [
    "tls.intermediate",
    "fail",
    "on a redirect before the page",
    (e) => {
      const tls = goodTls("example.com");
      leaveAlone(tls);
      e.page.hops.unshift({ ...pageHop(e), url: "https://example.com/", status: 301, tls });
    },
  ],
  ["tls.intermediate", "blocked", "self-signed", failChain("DEPTH_ZERO_SELF_SIGNED_CERT")],
  ["tls.intermediate", "pass", "trusted", () => {}],

  ["tls.hostname", "fail", "another name", setSans("dns:other.example")],
  ["tls.hostname", "fail", "the common name alone", setSans()],
  [
    "tls.hostname",
    "fail",
    "a wildcard for two labels",
    setHost("a.b.example.com", "dns:*.example.com"),
  ],
  ["tls.hostname", "fail", "a wildcard for no label", setHost("example.com", "dns:*.example.com")],
  ["tls.hostname", "fail", "a wildcard under one label", setHost("example.com", "dns:*.com")],
  ["tls.hostname", "fail", "a partial wildcard", setSans("dns:w*.example.com")],
  ["tls.hostname", "fail", "an address among the names", setHost("127.0.0.1", "dns:127.0.0.1")],
  ["tls.hostname", "fail", "a name among the addresses", setSans("ip:93.184.215.14")],
  ["tls.hostname", "fail", "a name with a NUL byte", setSans("dns:www.example.com\\x00")],
  ["tls.hostname", "fail", "a wildcard among the octets", setHost("127.0.0.1", "dns:*.0.0.1")],
  ["tls.hostname", "fail", "a wildcard for everything", setSans("dns:*")],
  ["tls.hostname", "fail", "a wildcard further in", setSans("dns:www.*.com")],
  [
    "tls.hostname",
    "fail",
    "a wildcard within an internationalised label",
    setHost("xn--bcher-kva.example.com", "dns:xn--*.example.com"),
  ],
  [
    "tls.hostname",
    "fail",
    "an internationalised name that is not in ASCII",
    setHost("xn--bcher-kva.example", "dns:b\\xfccher.example"),
  ],
  [
    "tls.hostname",
    "pass",
    "a wildcard, in another case, with a last dot",
    setSans("dns:*.EXAMPLE.com."),
  ],
  [
    "tls.hostname",
    "pass",
    "a wildcard for an internationalised label",
    setHost("xn--bcher-kva.example.com", "dns:*.example.com"),
  ],
  [
    "tls.hostname",
    "pass",
    "an internationalised name, in another case",
    setHost("xn--bcher-kva.example", "dns:XN--Bcher-KVA.example"),
  ],
  ["tls.hostname", "pass", "an address", setHost("127.0.0.1", "ip:127.0.0.1")],
  [
    "tls.hostname",
    "pass",
    "another spelling of the address",
    setHost("[::1]", "ip:0:0:0:0:0:0:0:1"),
  ],

  [
    "tls.expiry",
    "fail",
    "6 days of 90",
    endAt("2026-08-28T08:30:00.000Z", "2026-11-26T08:30:00.000Z"),
  ],
  [
    "tls.expiry",
    "fail",
    "past, though the chain fails for another reason",
    (e) => {
      editTls((tls) => {
        tls.certificate.notAfter = "2026-11-19T00:00:00.000Z";
        tls.chainError = { code: "DEPTH_ZERO_SELF_SIGNED_CERT", message: "" };
      })(e);
    },
  ],
  [
    "tls.expiry",
    "partial",
    "13 days of 90",
    endAt("2026-09-04T08:30:00.000Z", "2026-12-03T08:30:00.000Z"),
  ],
  [
    "tls.expiry",
    "partial",
    "7 days of 90",
    endAt("2026-08-29T08:30:00.000Z", "2026-11-27T08:30:00.000Z"),
  ],
  [
    "tls.expiry",
    "partial",
    "1 day of 6",
    endAt("2026-11-15T08:30:00.000Z", "2026-11-21T08:30:00.000Z"),
  ],
  ["tls.expiry", "blocked", "the chain fails on the certificate's own dates", expired],
  ["tls.expiry", "pass", "an expired intermediate", failChain("CERT_HAS_EXPIRED")],
  [
    "tls.expiry",
    "pass",
    "14 days of 90",
    endAt("2026-09-05T08:30:00.000Z", "2026-12-04T08:30:00.000Z"),
  ],
  [
    "tls.expiry",
    "pass",
    "2 days of 6",
    endAt("2026-11-16T08:30:00.000Z", "2026-11-22T08:30:00.000Z"),
  ],

  [
    "tls.versions",
    "fail",
    "negotiates 1.1",
    editTls((tls) => {
      tls.protocol = "TLSv1.1";
    }),
  ],
  [
    "tls.versions",
    "partial",
    "1.0 still accepted",
    (e) => {
      e.legacyTls = { outcome: "accepted", protocol: "TLSv1", code: null };
    },
  ],
  [
    "tls.versions",
    "partial",
    "1.0 still accepted where the page is, after a redirect",
    (e) => {
      const legacyTls = { outcome: "accepted" as const, protocol: "TLSv1", code: null };
      e.lastHost = { legacyTls, alpn: e.alpn };
    },
  ],
  [
    "tls.versions",
    "partial",
    "1.0 still accepted by a host that redirects",
    (e) => {
      e.lastHost = { legacyTls: e.legacyTls, alpn: e.alpn };
      e.legacyTls = { outcome: "accepted", protocol: "TLSv1", code: null };
    },
  ],
  [
    "tls.versions",
    "unknown",
    "no handshake of old versions where the page is",
    (e) => {
      const legacyTls = { outcome: "unknown" as const, protocol: null, code: "ETIMEDOUT" };
      e.lastHost = { legacyTls, alpn: e.alpn };
    },
  ],
  [
    "tls.versions",
    "unknown",
    "the second handshake timed out",
    (e) => {
      e.legacyTls.outcome = "unknown";
    },
  ],
  ["tls.versions", "blocked", "no connection", refuseConnection],
  [
    "tls.versions",
    "pass",
    "1.2",
    editTls((tls) => {
      tls.protocol = "TLSv1.2";
    }),
  ],

  [
    "tls.strength",
    "fail",
    "a curve of 192 bits",
    editTls((tls) => {
      Object.assign(tls.certificate, { keyBits: null, curve: "secp192r1" });
    }),
  ],
  [
    "tls.strength",
    "fail",
    "SHA-1 under a chain that fails for another reason",
    editTls((tls) => {
      tls.certificate.signatureAlgorithm = "ecdsa-with-SHA1";
      tls.chainError = { code: "DEPTH_ZERO_SELF_SIGNED_CERT", message: "self-signed certificate" };
    }),
  ],
  [
    "tls.strength",
    "partial",
    "static RSA exchange",
    editTls((tls) => {
      tls.keyExchange = null;
    }),
  ],
  [
    "tls.strength",
    "partial",
    "static exchange, the digest charged to the chain",
    (e) => {
      weakDigest(e);
      const { tls } = pageHop(e);
      if (tls) tls.keyExchange = null;
    },
  ],
  [
    "tls.strength",
    "partial",
    "a finite field of 1024 bits",
    editTls((tls) => {
      tls.keyExchange = { type: "DH", name: null, bits: 1024 };
    }),
  ],
  ["tls.strength", "blocked", "the digest is charged to the chain", weakDigest],
  ["tls.strength", "blocked", "the key is charged to the chain", weakKey],
  ["tls.strength", "pass", "RSA 2048", rsa(2048)],
  ["tls.strength", "pass", "RSA 4096", rsa(4096)],
  [
    "tls.strength",
    "pass",
    "a finite field of 2048 bits",
    editTls((tls) => {
      tls.keyExchange = { type: "DH", name: null, bits: 2048 };
    }),
  ],
  [
    "tls.strength",
    "pass",
    "a post-quantum exchange",
    editTls((tls) => {
      tls.keyExchange = { type: "TLSGroup", name: "X25519MLKEM768", bits: null };
    }),
  ],
  [
    "tls.strength",
    "pass",
    "an ephemeral exchange that this Node has no name for",
    editTls((tls) => {
      tls.keyExchange = { type: "unknown", name: null, bits: null };
    }),
  ],
  [
    "tls.strength",
    "pass",
    "a curve given by name alone",
    editTls((tls) => {
      tls.certificate.keyBits = null;
    }),
  ],
  [
    "tls.strength",
    "pass",
    "Ed25519",
    editTls((tls) => {
      Object.assign(tls.certificate, { keyType: "ed25519", keyBits: null, curve: null });
    }),
  ],
];
