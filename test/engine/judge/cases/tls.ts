import { goodTls, pageHop } from "../evidence-fixtures.ts";
import { all, refuseConnection } from "./page-edits.ts";
import { cases } from "./rule-case.ts";
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

export const TLS_CASES = cases({
  "tls.chain": {
    fail: {
      expired: expired,
      "an expired intermediate": failChain("CERT_HAS_EXPIRED"),
      "an intermediate not valid yet": failChain("CERT_NOT_YET_VALID"),
      "not valid yet": editTls((tls) => {
        tls.certificate.notBefore = "2026-11-21T00:00:00.000Z";
        tls.chainError = { code: "CERT_NOT_YET_VALID", message: "" };
      }),
      "self-signed": failChain("DEPTH_ZERO_SELF_SIGNED_CERT"),
      "unknown root": failChain("SELF_SIGNED_CERT_IN_CHAIN"),
      "sent alone, and nothing says where its issuer is": editTls((tls) => {
        leaveAlone(tls);
        tls.certificate.namesIssuer = false;
      }),
      "sent alone, in evidence that does not tell whether it names its issuer": editTls((tls) => {
        leaveAlone(tls);
        tls.certificate.namesIssuer = null;
      }),
      "an intermediate that leads nowhere": editTls((tls) => {
        leaveAlone(tls);
        tls.chainLength = 2;
      }),
      "self-signed, after a redirect without its intermediate": (e) => {
        editTls((tls) => (tls.chainError = { code: "DEPTH_ZERO_SELF_SIGNED_CERT", message: "" }))(
          e,
        );
        const tls = goodTls("example.com");
        leaveAlone(tls);
        e.page.hops.unshift({ ...pageHop(e), url: "https://example.com/", status: 301, tls });
      },
      "weak digest": weakDigest,
      "weak key": weakKey,
      "a fault without a code of its own": failChain("UNSPECIFIED", "permitted subtree violation"),
      "on a redirect before the page": (e) => {
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
      "though no answer came over it": all(
        refuseConnection,
        (e) =>
          (e.page.tls = { ...goodTls(), chainError: { code: "CERT_HAS_EXPIRED", message: "" } }),
      ),
    },
    pass: { trusted: () => {} },
  },
  "tls.intermediate": {
    fail: {
      "sent alone, and it says where its issuer is": editTls(leaveAlone),
      "on a redirect before the page": (e) => {
        const tls = goodTls("example.com");
        leaveAlone(tls);
        e.page.hops.unshift({ ...pageHop(e), url: "https://example.com/", status: 301, tls });
      },
    },
    blocked: { "self-signed": failChain("DEPTH_ZERO_SELF_SIGNED_CERT") },
    pass: { trusted: () => {} },
  },
  "tls.hostname": {
    fail: {
      "another name": setSans("dns:other.example"),
      "the common name alone": setSans(),
      "a wildcard for two labels": setHost("a.b.example.com", "dns:*.example.com"),
      "a wildcard for no label": setHost("example.com", "dns:*.example.com"),
      "a wildcard under one label": setHost("example.com", "dns:*.com"),
      "a partial wildcard": setSans("dns:w*.example.com"),
      "an address among the names": setHost("127.0.0.1", "dns:127.0.0.1"),
      "a name among the addresses": setSans("ip:93.184.215.14"),
      "a name with a NUL byte": setSans("dns:www.example.com\\x00"),
      "a wildcard among the octets": setHost("127.0.0.1", "dns:*.0.0.1"),
      "a wildcard for everything": setSans("dns:*"),
      "a wildcard further in": setSans("dns:www.*.com"),
      "a wildcard within an internationalised label": setHost(
        "xn--bcher-kva.example.com",
        "dns:xn--*.example.com",
      ),
      "an internationalised name that is not in ASCII": setHost(
        "xn--bcher-kva.example",
        "dns:b\\xfccher.example",
      ),
    },
    pass: {
      "a wildcard, in another case, with a last dot": setSans("dns:*.EXAMPLE.com."),
      "a wildcard for an internationalised label": setHost(
        "xn--bcher-kva.example.com",
        "dns:*.example.com",
      ),
      "an internationalised name, in another case": setHost(
        "xn--bcher-kva.example",
        "dns:XN--Bcher-KVA.example",
      ),
      "an address": setHost("127.0.0.1", "ip:127.0.0.1"),
      "another spelling of the address": setHost("[::1]", "ip:0:0:0:0:0:0:0:1"),
    },
  },
  "tls.expiry": {
    fail: {
      "6 days of 90": endAt("2026-08-28T08:30:00.000Z", "2026-11-26T08:30:00.000Z"),
      "past, though the chain fails for another reason": editTls((tls) => {
        tls.certificate.notAfter = "2026-11-19T00:00:00.000Z";
        tls.chainError = { code: "DEPTH_ZERO_SELF_SIGNED_CERT", message: "" };
      }),
    },
    partial: {
      "13 days of 90": endAt("2026-09-04T08:30:00.000Z", "2026-12-03T08:30:00.000Z"),
      "7 days of 90": endAt("2026-08-29T08:30:00.000Z", "2026-11-27T08:30:00.000Z"),
      "1 day of 6": endAt("2026-11-15T08:30:00.000Z", "2026-11-21T08:30:00.000Z"),
    },
    blocked: { "the chain fails on the certificate's own dates": expired },
    pass: {
      "an expired intermediate": failChain("CERT_HAS_EXPIRED"),
      "14 days of 90": endAt("2026-09-05T08:30:00.000Z", "2026-12-04T08:30:00.000Z"),
      "2 days of 6": endAt("2026-11-16T08:30:00.000Z", "2026-11-22T08:30:00.000Z"),
    },
  },
  "tls.versions": {
    fail: { "negotiates 1.1": editTls((tls) => (tls.protocol = "TLSv1.1")) },
    partial: {
      "1.0 still accepted": (e) =>
        (e.legacyTls = { outcome: "accepted", protocol: "TLSv1", code: null }),
      "1.0 still accepted where the page is, after a redirect": (e) => {
        const legacyTls = { outcome: "accepted" as const, protocol: "TLSv1", code: null };
        e.lastHost = { legacyTls, alpn: e.alpn };
      },
      "1.0 still accepted by a host that redirects": all(
        (e) => (e.lastHost = { legacyTls: e.legacyTls, alpn: e.alpn }),
        (e) => (e.legacyTls = { outcome: "accepted", protocol: "TLSv1", code: null }),
      ),
    },
    unknown: {
      "no handshake of old versions where the page is": (e) => {
        const legacyTls = { outcome: "unknown" as const, protocol: null, code: "ETIMEDOUT" };
        e.lastHost = { legacyTls, alpn: e.alpn };
      },
      "the second handshake timed out": (e) => (e.legacyTls.outcome = "unknown"),
    },
    blocked: { "no connection": refuseConnection },
    pass: { "1.2": editTls((tls) => (tls.protocol = "TLSv1.2")) },
  },
  "tls.strength": {
    fail: {
      "a curve of 192 bits": editTls((tls) =>
        Object.assign(tls.certificate, { keyBits: null, curve: "secp192r1" }),
      ),
      "SHA-1 under a chain that fails for another reason": editTls((tls) => {
        tls.certificate.signatureAlgorithm = "ecdsa-with-SHA1";
        tls.chainError = {
          code: "DEPTH_ZERO_SELF_SIGNED_CERT",
          message: "self-signed certificate",
        };
      }),
    },
    partial: {
      "static RSA exchange": editTls((tls) => (tls.keyExchange = null)),
      "static exchange, the digest charged to the chain": (e) => {
        weakDigest(e);
        const { tls } = pageHop(e);
        if (tls) tls.keyExchange = null;
      },
      "a finite field of 1024 bits": editTls(
        (tls) => (tls.keyExchange = { type: "DH", name: null, bits: 1024 }),
      ),
    },
    blocked: {
      "the digest is charged to the chain": weakDigest,
      "the key is charged to the chain": weakKey,
    },
    pass: {
      "RSA 2048": rsa(2048),
      "RSA 4096": rsa(4096),
      "a finite field of 2048 bits": editTls(
        (tls) => (tls.keyExchange = { type: "DH", name: null, bits: 2048 }),
      ),
      "a post-quantum exchange": editTls(
        (tls) => (tls.keyExchange = { type: "TLSGroup", name: "X25519MLKEM768", bits: null }),
      ),
      "an ephemeral exchange that this Node has no name for": editTls(
        (tls) => (tls.keyExchange = { type: "unknown", name: null, bits: null }),
      ),
      "a curve given by name alone": editTls((tls) => (tls.certificate.keyBits = null)),
      Ed25519: editTls((tls) =>
        Object.assign(tls.certificate, { keyType: "ed25519", keyBits: null, curve: null }),
      ),
    },
  },
});
