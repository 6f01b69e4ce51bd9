import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { probePage, probeUrl } from "../../harness/probing.ts";
import { listen, type Site, type SiteOptions, startSite } from "../../harness/site.ts";
import { startUnsafeServer, UNSAFE_SERVER } from "../../harness/unsafe-server.ts";

let site: Site | undefined;

afterEach(async () => {
  await site?.close();
  site = undefined;
});

async function probeSite(options: SiteOptions) {
  site = await startSite({ routes: { "/": { body: "ok" } }, ...options });
  return probeUrl(site.url);
}

describe("a certificate, read from its DER", () => {
  test("names and addresses", async () => {
    const hosts = ["*.example.test", "127.0.0.1", "2001:db8::2:1"];
    const { page } = await probeSite({ hosts });
    const sans = ["dns:*.example.test", "ip:127.0.0.1", "ip:2001:db8::2:1"];
    expect(page.tls?.certificate.sans).toEqual(sans);
  });

  test("a P-256 key, an ephemeral key exchange and dates", async () => {
    const notAfter = new Date("2049-12-31T23:59:59Z");
    const { page } = await probeSite({ order: { notAfter } });
    expect(page.tls).toMatchObject({
      host: "127.0.0.1",
      protocol: "TLSv1.3",
      keyExchange: { type: expect.stringMatching(/^(?:ECDH|TLSGroup|unknown)$/) },
      certificate: {
        keyType: "ec",
        keyBits: 256,
        curve: "prime256v1",
        notAfter: "2049-12-31T23:59:59.000Z",
      },
    });
  });
});

/** OpenSSL has it from 3.5 on, Node names it from 24 on. */
const POST_QUANTUM = "X25519MLKEM768";
const knowsPostQuantum = Number(process.versions.openssl.split(".", 2).join(".")) >= 3.5;

describe("a key exchange", () => {
  test.each<[what: string, tls: object, seen: object | null]>([
    ["of one curve", { ecdhCurve: "P-256" }, { type: "ECDH", name: "prime256v1", bits: 256 }],
    [
      "without a name or size of its own",
      { ecdhCurve: knowsPostQuantum ? POST_QUANTUM : "X25519" },
      { type: expect.stringMatching(/^(?:ECDH|TLSGroup|unknown)$/) },
    ],
    ["that is none", { maxVersion: "TLSv1.2", ciphers: "AES128-GCM-SHA256" }, null],
  ])("%s", async (_what, tls, seen) => {
    const { page } = await probeSite({ tls, order: { key: "rsa2048" } });
    if (seen === null) expect(page.tls?.keyExchange).toBeNull();
    else expect(page.tls?.keyExchange).toMatchObject(seen);
  });
});

describe("handshakes that end without a page", () => {
  test("TLS 1.0 alone is rejected by the client and shown by R10", async () => {
    const { page, legacyTls } = await probeSite({
      tls: { minVersion: "TLSv1", maxVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" },
    });
    expect(page).toMatchObject({ hops: [], tls: null, attempts: 2, body: null });
    expect(page.failure).toMatchObject({ phase: "tls" });
    expect(page.failure?.code).toMatch(/PROTOCOL/);
    expect(legacyTls).toEqual({ outcome: "accepted", protocol: "TLSv1", code: null });
  });

  test("a server that rejects http/1.1", async () => {
    const { page, alpn } = await probeSite({ tls: { ALPNProtocols: ["h2"] } });
    expect(page.failure?.code).toMatch(/NO_APPLICATION_PROTOCOL/);
    expect(page.failure?.phase).toBe("http1");
    expect(alpn).toEqual({ outcome: "h2", code: null });
  });
});

describe.skipIf(UNSAFE_SERVER === undefined)("a server without RFC 5746", () => {
  const visitUnsafe = async (priority?: string) => {
    const server = await startUnsafeServer(["example.com"], priority);
    return probeUrl(server.url).finally(() => server.close());
  };

  test("is visited, and its handshake says so", async () => {
    const { page, legacyTls, alpn } = await visitUnsafe();
    expect(page).toMatchObject({
      failure: null,
      hops: [{ status: 200 }],
      tls: { protocol: "TLSv1.2", chainError: null, isRenegotiationSecure: false },
    });
    expect([legacyTls.outcome, alpn.outcome]).toEqual(["refused", "none"]);
  });

  test("that still accepts TLS 1.0 and 1.1 does not pass for one that refuses them", async () => {
    const priority =
      "NORMAL:-VERS-ALL:+VERS-TLS1.2:+VERS-TLS1.1:+VERS-TLS1.0:%DISABLE_SAFE_RENEGOTIATION";
    const { legacyTls } = await visitUnsafe(priority);
    expect(legacyTls).toEqual({ outcome: "accepted", protocol: "TLSv1.1", code: null });
  });
});

describe("a refused offer", () => {
  test("is repeated on one more connection, which the visit's others begin with", async () => {
    const { page } = await probeSite({ order: { key: "ed25519" } });
    expect(page).toMatchObject({ failure: null, attempts: 1, hops: [{ status: 200 }] });
  });

  test("is repeated once, and its first refusal counts", async () => {
    let hellos = 0;
    const server = createServer((socket) => {
      hellos++;
      socket.once("data", () => socket.resetAndDestroy());
    });
    const port = await listen(server);
    const evidence = await probePage(`https://127.0.0.1:${port}/`).finally(() => server.close());
    expect(evidence.page.failure).toMatchObject({ phase: "tls", code: "ECONNRESET" });
    expect(hellos).toBe(2);
  });

  test("is not repeated if the server speaks another protocol", async () => {
    site = await startSite({ tls: { ALPNProtocols: ["h2"] } });
    await probePage(site.url);
    expect(site.accepted()).toBe(1);
  });
});

describe("a redirect to another host", () => {
  const WEAK = { minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } as const;

  test("tests the TLS offers of that host too", async () => {
    const other = await startSite({ routes: { "/": { body: "ok" } }, tls: WEAK });
    const moved = { status: 301, headers: { location: other.url } };
    const ALPNProtocols = ["h2", "http/1.1"];
    const { page, legacyTls, alpn, lastHost } = await probeSite({
      routes: { "/": moved },
      tls: { ALPNProtocols },
    }).finally(() => other.close());
    expect(page.hops.map(({ status }) => status)).toEqual([301, 200]);
    expect([legacyTls.outcome, alpn.outcome]).toEqual(["refused", "h2"]);
    expect(lastHost).toEqual({
      legacyTls: { outcome: "accepted", protocol: "TLSv1.1", code: null },
      alpn: { outcome: "http/1.1", code: null },
    });
  });

  test("does not test them for another path of the same host", async () => {
    const { page, lastHost } = await probeSite({
      routes: { "/": { status: 301, headers: { location: "/home" } }, "/home": { body: "ok" } },
    });
    expect(page.hops.map(({ status }) => status)).toEqual([301, 200]);
    expect(lastHost).toBeNull();
  });
});

describe("the other protocols of the server", () => {
  test("a modern server rejects TLS 1.0 and 1.1, and offers http/1.1", async () => {
    const { legacyTls, alpn } = await probeSite({});
    expect(legacyTls).toMatchObject({ outcome: "refused", protocol: null });
    expect(alpn).toEqual({ outcome: "http/1.1", code: null });
  });

  test("h2 is preferred if it is offered", async () => {
    const { alpn, page } = await probeSite({ tls: { ALPNProtocols: ["h2", "http/1.1"] } });
    expect(alpn).toEqual({ outcome: "h2", code: null });
    expect(page.hops[0]?.status).toBe(200);
  });

  test("a server without ALPN", async () => {
    const { alpn } = await probeSite({ tls: { ALPNProtocols: [] } });
    expect(alpn.outcome).toBe("none");
  });
});
