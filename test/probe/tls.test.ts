import { afterEach, describe, expect, test } from "vitest";
import { createAuthority, issueSelfSigned, type Order } from "../../demo/certificates.ts";
import { probeUrl } from "../harness/probing.ts";
import { getAuthority, type Site, type SiteOptions, startSite } from "../harness/site.ts";

const DAY_MS = 86_400_000;
const daysFromNow = (days: number): Date => new Date(Date.now() + days * DAY_MS);
const wantsClient = { requestCert: true, rejectUnauthorized: true };
const wantsClientCode = "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED";
const LOCAL = ["127.0.0.1"];

let site: Site | undefined;

afterEach(async () => {
  await site?.close();
  site = undefined;
});

async function probeSite(options: SiteOptions) {
  site = await startSite({ routes: { "/": { body: "ok" } }, ...options });
  return probeUrl(site.url);
}

describe("a chain that is not trusted is read all the same, with Node's verdict", () => {
  const orders: [string, Partial<Order>, string][] = [
    ["expired", { notBefore: daysFromNow(-9), notAfter: daysFromNow(-1) }, "CERT_HAS_EXPIRED"],
    ["not yet valid", { notBefore: daysFromNow(1) }, "CERT_NOT_YET_VALID"],
  ];

  test.each(orders)("%s", async (_name, order, code) => {
    const { page } = await probeSite({ order });
    expect(page.hops[0]?.status).toBe(200);
    expect(page.hops[0]?.tls?.chainError?.code).toBe(code);
  });

  test("self-signed", async () => {
    const { page } = await probeSite({ certificate: await issueSelfSigned({ hosts: LOCAL }) });
    expect(page.tls?.chainError?.code).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(page.tls?.chainLength).toBe(1);
  });

  test("a root that nobody trusts, sent along", async () => {
    const stranger = await createAuthority();
    const { cert, key } = await stranger.issue({ hosts: LOCAL });
    const { page } = await probeSite({ certificate: { cert: cert + stranger.certificate, key } });
    expect(page.tls?.chainError?.code).toBe("SELF_SIGNED_CERT_IN_CHAIN");
  });

  test("an intermediate left out", async () => {
    const intermediate = await (await getAuthority()).delegate();
    const { cert, key } = await intermediate.issue({ hosts: LOCAL });
    const [leaf = ""] = cert.split(/(?<=-----END CERTIFICATE-----\n)/);
    const { page } = await probeSite({ certificate: { cert: leaf, key } });
    expect(page.tls?.chainError?.code).toBe("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
  });

  test("a SHA-1 leaf under code UNSPECIFIED, whose message says why", async () => {
    const { page } = await probeSite({
      order: { digest: "sha1" },
      tls: { ciphers: "DEFAULT@SECLEVEL=0" },
    });
    expect(page.tls?.chainError).toEqual({
      code: "UNSPECIFIED",
      message: "CA signature digest algorithm too weak",
    });
    expect(page.tls?.certificate.signatureAlgorithm).toBe("ecdsa-with-SHA1");
  });
});

describe("a trusted chain, whatever the certificate is worth besides", () => {
  test("an intermediate sent along", async () => {
    const intermediate = await (await getAuthority()).delegate();
    const { page } = await probeSite({ certificate: await intermediate.issue({ hosts: LOCAL }) });
    expect(page.tls?.chainError).toBeNull();
    expect(page.tls?.chainLength).toBe(2);
  });

  test("the wrong host does not touch the chain's verdict", async () => {
    const { page } = await probeSite({ hosts: ["other.test"] });
    expect(page.tls?.chainError).toBeNull();
    expect(page.tls?.certificate.sans).toEqual(["dns:other.test"]);
  });

  test("only a common name: no SAN", async () => {
    const { page } = await probeSite({ hosts: [], order: { commonName: "127.0.0.1" } });
    expect(page.tls?.chainError).toBeNull();
    expect(page.tls?.certificate).toMatchObject({ sans: [], subject: "CN=127.0.0.1" });
  });

  test("names and addresses, as written in the DER", async () => {
    const hosts = ["*.example.test", "127.0.0.1", "2001:db8::2:1"];
    const { page } = await probeSite({ hosts });
    const sans = ["dns:*.example.test", "ip:127.0.0.1", "ip:2001:db8::2:1"];
    expect(page.tls?.certificate.sans).toEqual(sans);
  });

  test("an RSA key of 1024 bits", async () => {
    const { page } = await probeSite({
      order: { key: "rsa1024" },
      tls: { ciphers: "DEFAULT@SECLEVEL=0" },
    });
    expect(page.hops).toHaveLength(1);
    expect(page.tls?.certificate).toMatchObject({ keyType: "rsa", keyBits: 1024, curve: null });
  });

  test("a P-256 key, an ephemeral exchange and dates", async () => {
    const notAfter = new Date("2049-12-31T23:59:59Z");
    const { page } = await probeSite({ order: { notAfter } });
    expect(page.tls).toMatchObject({
      host: "127.0.0.1",
      protocol: "TLSv1.3",
      keyExchange: { type: "ECDH", name: "X25519" },
      certificate: {
        keyType: "ec",
        keyBits: 256,
        curve: "prime256v1",
        notAfter: "2049-12-31T23:59:59.000Z",
      },
    });
  });

  test("a static RSA exchange", async () => {
    const { page } = await probeSite({
      order: { key: "rsa2048" },
      tls: { ciphers: "AES128-SHA", maxVersion: "TLSv1.2" },
    });
    expect(page.tls).toMatchObject({ protocol: "TLSv1.2", keyExchange: null });
  });
});

describe("handshakes that end without a page", () => {
  test("TLS 1.0 alone is refused by us and shown by R10", async () => {
    const { page, legacyTls } = await probeSite({
      tls: { minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" },
    });
    expect(page).toMatchObject({ hops: [], tls: null, attempts: 2, body: null });
    expect(page.failure).toMatchObject({ phase: "tls" });
    expect(page.failure?.code).toMatch(/PROTOCOL/);
    expect(legacyTls).toEqual({ outcome: "accepted", protocol: "TLSv1", code: null });
  });

  test("no cipher in common", async () => {
    const { page } = await probeSite({
      order: { key: "rsa2048" },
      tls: { ciphers: "NULL-SHA:@SECLEVEL=0", maxVersion: "TLSv1.2" },
    });
    expect(page.failure).toMatchObject({
      phase: "tls",
      code: "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE",
    });
  });

  test("a client certificate wanted, which TLS 1.2 says in the handshake", async () => {
    const { page } = await probeSite({ tls: { ...wantsClient, maxVersion: "TLSv1.2" } });
    expect(page).toMatchObject({ hops: [], tls: null, failure: { phase: "tls" } });
  });

  test("a client certificate wanted, which TLS 1.3 says after it", async () => {
    const { page } = await probeSite({ tls: wantsClient });
    expect(page).toMatchObject({ hops: [], failure: { phase: "tls", code: wantsClientCode } });
    expect(page.tls?.certificate.sans).toContain("ip:127.0.0.1");
  });

  test("a server that refuses http/1.1", async () => {
    const { page, alpn } = await probeSite({ tls: { ALPNProtocols: ["h2"] } });
    expect(page.failure?.code).toMatch(/NO_APPLICATION_PROTOCOL/);
    expect(page.failure?.phase).toBe("tls");
    expect(alpn).toEqual({ outcome: "h2", code: null });
  });
});

describe("what the server offers besides", () => {
  test("a modern one refuses TLS 1.0 and 1.1, and takes http/1.1", async () => {
    const { legacyTls, alpn } = await probeSite({});
    expect(legacyTls).toMatchObject({ outcome: "refused", protocol: null });
    expect(alpn).toEqual({ outcome: "http/1.1", code: null });
  });

  test("h2 wins where it is offered", async () => {
    const { alpn, page } = await probeSite({ tls: { ALPNProtocols: ["h2", "http/1.1"] } });
    expect(alpn).toEqual({ outcome: "h2", code: null });
    expect(page.hops[0]?.status).toBe(200);
  });

  test("a server without ALPN", async () => {
    const { alpn } = await probeSite({ tls: { ALPNProtocols: [] } });
    expect(alpn.outcome).toBe("none");
  });
});
