import { chromium } from "playwright-core";
import { expect, inject, onTestFinished, test } from "vitest";
import { judge } from "../../server/engine/judge/score.ts";
import { lookOf } from "../../server/engine/judge/look-outcome.ts";
import { startUnsafeServer, UNSAFE_SERVER } from "../harness/unsafe-server.ts";
import { probePage, probeUrl } from "../harness/probing.ts";
import { type SiteOptions, startSite } from "../harness/site.ts";
import { use } from "../harness/use.ts";
import { sampleCases } from "../harness/thorough.ts";

const shared = use(
  async () => ({ browser: await chromium.connect(inject("browserEndpoint")) }),
  ({ browser }) => browser.close(),
);

const TEXT = "Tea, by the leaf";
const PAGE = `<!doctype html><html lang="en"><title>Tea</title><p>${TEXT}</p></html>`;
const HOSTS = ["example.com", "www.example.com"];

/** Returns the text that Chromium shows, whatever it says of the certificate. Null: it shows an error page. */
async function showInChromium(url: string): Promise<string | null> {
  const context = await shared.browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const page = await context.newPage();
    const answer = await page.goto(url).catch(() => null);
    return answer && (await page.locator("body").innerText());
  } finally {
    await context.close();
  }
}

interface HandshakeCase extends Pick<SiteOptions, "order" | "tls"> {
  name: string;
  isShown: boolean;
}

const TLS12 = { maxVersion: "TLSv1.2" } as const;
const suite = (ciphers: string) => ({ ...TLS12, ciphers });
const RSA = { key: "rsa2048" } as const;
const ENCRYPTS = { ...RSA, keyUsage: "keyEncipherment" } as const;

const CASES: readonly HandshakeCase[] = [
  { name: "a P-256 key", isShown: true },
  { name: "a P-384 key", order: { key: "p384" }, isShown: true },
  { name: "an RSA key", order: RSA, isShown: true },
  { name: "a P-521 key", order: { key: "p521" }, isShown: false },
  { name: "a P-521 key over TLS 1.2", order: { key: "p521" }, tls: TLS12, isShown: false },
  { name: "an Ed25519 key", order: { key: "ed25519" }, isShown: false },
  { name: "an Ed25519 key over TLS 1.2", order: { key: "ed25519" }, tls: TLS12, isShown: false },
  { name: "an RSA-PSS key", order: { key: "pss" }, isShown: false },
  { name: "an RSA-PSS key over TLS 1.2", order: { key: "pss" }, tls: TLS12, isShown: false },
  { name: "a key that may only encrypt", order: ENCRYPTS, isShown: false },
  { name: "a key that may sign", order: { ...RSA, keyUsage: "digitalSignature" }, isShown: true },
  { name: "a key that may do both", order: { ...RSA, keyUsage: "both" }, isShown: true },
  {
    name: "an EC key that may not sign",
    order: { keyUsage: "keyEncipherment" },
    isShown: false,
  },
  {
    name: "a key that may only encrypt, in a static exchange",
    order: ENCRYPTS,
    tls: suite("AES128-GCM-SHA256"),
    isShown: true,
  },
  ...["AES128-GCM-SHA256", "AES256-SHA", "ECDHE-RSA-AES128-SHA", "ECDHE-RSA-AES256-SHA"].map(
    (name) => ({ name, order: RSA, tls: suite(name), isShown: true }),
  ),
  ...[
    "ECDHE-RSA-AES128-SHA256",
    "ECDHE-RSA-AES256-SHA384",
    "AES128-SHA256",
    "AES256-SHA256",
    "AES128-CCM",
    "ECDHE-ARIA128-GCM-SHA256",
  ].map((name) => ({ name, order: RSA, tls: suite(name), isShown: false })),
  ...["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-CHACHA20-POLY1305"].map((name) => ({
    name,
    tls: suite(name),
    isShown: true,
  })),
  ...["ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES128-CCM"].map(
    (name) => ({ name, tls: suite(name), isShown: false }),
  ),
  ...["X25519", "P-256", "P-384"].map((name) => ({
    name,
    tls: { ecdhCurve: name },
    isShown: true,
  })),
  { name: "P-521", tls: { ecdhCurve: "P-521" }, isShown: false },
  { name: "P-521 over TLS 1.2", tls: { ...TLS12, ecdhCurve: "P-521" }, isShown: false },
];

test.each(sampleCases(CASES))(
  "$name: checks, probes and Chromium agree",
  async ({ isShown, ...options }) => {
    const routes = { "*": { headers: { "content-type": "text/html; charset=utf-8" }, body: PAGE } };
    const site = await startSite({ hosts: HOSTS, routes, ...options });
    onTestFinished(() => site.close());
    const url = `https://example.com:${site.port}/`;
    expect(await showInChromium(url)).toBe(isShown ? TEXT : null);
    const evidence = await probeUrl(url);
    const { rows } = judge(evidence);
    const outcomeOf = (id: string) => rows.find(({ row }) => row.id === id)?.judgement.status;
    expect([outcomeOf("reach.status"), outcomeOf("tls.chain")]).toEqual([
      "pass",
      isShown ? "pass" : "fail",
    ]);
    expect(lookOf(judge(await probePage(url))).outcome).toBe(isShown ? "good" : "failed");
  },
);

test.skipIf(UNSAFE_SERVER === undefined)(
  "a server without RFC 5746: checks, probes and Chromium agree",
  async () => {
    const server = await startUnsafeServer(HOSTS);
    onTestFinished(() => server.close());
    expect(await showInChromium(server.url)).toContain("Ciphersuite");
    const evidence = await probeUrl(server.url);
    expect(evidence.page).toMatchObject({
      failure: null,
      tls: { chainError: null, isRenegotiationSecure: false },
    });
    const strength = judge(evidence).rows.find(({ row }) => row.id === "tls.strength");
    expect(strength?.judgement).toMatchObject({ status: "partial", grade: "renegotiation" });
    expect(lookOf(judge(await probePage(server.url))).outcome).toBe("good");
  },
);
