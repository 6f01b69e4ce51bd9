import { goodTls, pageHop } from "../evidence-fixtures.ts";
import { all, refuseConnection } from "./page-edits.ts";
import { cases } from "./rule-case.ts";
import {
  editTls,
  endIntermediate,
  endAt,
  expired,
  failChain,
  leaveAlone,
  rsa,
  setHost,
  setKey,
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
      "a key that no browser takes": setKey("ed25519", null, null),
      "a key of RSA-PSS": setKey("rsa-pss", 2048, null),
      "a key that only Firefox takes": setKey("ec", 521, "secp521r1"),
      "a key that may not sign": editTls((tls) => (tls.certificate.maySign = false)),
      "a signature that no browser takes": editTls(
        (tls) => (tls.certificate.signatureAlgorithm = "ED25519"),
      ),
      "a suite that no browser takes": editTls(
        (tls) => (tls.cipher = "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256"),
      ),
      "a suite that only Firefox takes": editTls(
        (tls) => (tls.cipher = "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"),
      ),
      "a key exchange over a curve that only Firefox takes": editTls(
        (tls) => (tls.keyExchange = { type: "ECDH", name: "secp521r1", bits: 521 }),
      ),
      "399 days under a root of browsers": endAt(
        "2026-01-01T00:00:00.000Z",
        "2027-02-04T00:00:00.000Z",
      ),
      "though no answer came over it": all(
        refuseConnection,
        (e) =>
          (e.page.tls = { ...goodTls(), chainError: { code: "CERT_HAS_EXPIRED", message: "" } }),
      ),
    },
    pass: {
      trusted: () => {},
      "398 days": endAt("2026-01-01T00:00:00.000Z", "2027-02-03T00:00:00.000Z"),
      "201 days since the limit of 200 holds, which is a note": endAt(
        "2026-06-01T00:00:00.000Z",
        "2026-12-19T00:00:00.000Z",
      ),
      "ten years under a private root": editTls((tls) => {
        tls.isPublic = false;
        tls.certificate.notAfter = "2036-11-01T00:00:00.000Z";
      }),
      "a key that may not sign, in a static exchange": editTls((tls) => {
        tls.certificate.maySign = false;
        tls.keyExchange = null;
      }),
      "a suite with CBC that browsers offer": editTls(
        (tls) => (tls.cipher = "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"),
      ),
      "a server without RFC 5746": editTls((tls) => (tls.isRenegotiationSecure = false)),
    },
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
      "a wildcard for a public suffix": setHost("teashop.co.uk", "dns:*.co.uk"),
      "a wildcard under a registry that has one rule for all": setHost(
        "tea.shop.ck",
        "dns:*.shop.ck",
      ),
      "a wildcard for an ending that the list does not know": setHost(
        "tea.intranet",
        "dns:*.intranet",
      ),
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
      "a wildcard for a company's suffix": setHost("tea.github.io", "dns:*.github.io"),
      "a wildcard for two labels of an unknown ending": setHost(
        "a.tea.intranet",
        "dns:*.tea.intranet",
      ),
      "a wildcard for an underscore": setHost("feature_x.example.com", "dns:*.example.com"),
      "a wildcard for a public suffix, and the name": setHost(
        "teashop.co.uk",
        "dns:*.co.uk",
        "dns:teashop.co.uk",
      ),
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
      "an intermediate with 6 days of 365": endIntermediate("2026-11-26T08:30:00.000Z"),
      "6 days of 90": endAt("2026-08-28T08:30:00.000Z", "2026-11-26T08:30:00.000Z"),
      "past, though the chain fails for another reason": editTls((tls) => {
        tls.certificate.notAfter = "2026-11-19T00:00:00.000Z";
        tls.chainError = { code: "DEPTH_ZERO_SELF_SIGNED_CERT", message: "" };
      }),
    },
    partial: {
      "an intermediate with 13 days of 365": endIntermediate("2026-12-03T08:30:00.000Z"),
      "13 days of 90": endAt("2026-09-04T08:30:00.000Z", "2026-12-03T08:30:00.000Z"),
      "7 days of 90": endAt("2026-08-29T08:30:00.000Z", "2026-11-27T08:30:00.000Z"),
      "1 day of 6": endAt("2026-11-15T08:30:00.000Z", "2026-11-21T08:30:00.000Z"),
    },
    blocked: { "the chain fails on the certificate's own dates": expired },
    pass: {
      "an expired intermediate": failChain("CERT_HAS_EXPIRED"),
      "an intermediate with 14 days of 365": endIntermediate("2026-12-04T08:30:00.000Z"),
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
      "no RFC 5746": editTls((tls) => (tls.isRenegotiationSecure = false)),
      "Must-Staple without a staple": editTls((tls) => (tls.certificate.mustStaple = true)),
      "all three": editTls((tls) => {
        tls.keyExchange = null;
        tls.isRenegotiationSecure = false;
        tls.certificate.mustStaple = true;
      }),
      "Must-Staple without a staple, on a redirect before the page": (e) => {
        const tls = goodTls("example.com");
        tls.certificate.mustStaple = true;
        e.page.hops.unshift({ ...pageHop(e), url: "https://example.com/", status: 301, tls });
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
      "Must-Staple with its staple": editTls((tls) => {
        tls.certificate.mustStaple = true;
        tls.isStapled = true;
      }),
      "Must-Staple, and no second handshake": editTls((tls) => {
        tls.certificate.mustStaple = true;
        tls.isStapled = null;
      }),
      "a post-quantum exchange": editTls((tls) => {
        tls.offersPostQuantum = true;
        tls.keyExchange = { type: "TLSGroup", name: "X25519MLKEM768", bits: null };
      }),
      "no post-quantum exchange, though it was offered": editTls(
        (tls) => (tls.offersPostQuantum = true),
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
