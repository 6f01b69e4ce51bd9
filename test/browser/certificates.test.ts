import { describe, expect, onTestFinished, test } from "vitest";
import { lookOf } from "../../server/engine/judge/look-outcome.ts";
import { judge } from "../../server/engine/judge/score.ts";
import { createAuthority, type Delegation, type Issued } from "../harness/certificates.ts";
import { probePage, probeUrl } from "../harness/probing.ts";
import { getAuthority, startSite } from "../harness/site.ts";
import { CERTUTIL, startTrustingBrowser } from "../harness/trusting-browser.ts";
import { use } from "../harness/use.ts";
import { sampleCases } from "../harness/thorough.ts";

const DAY_MS = 86_400_000;
const HOST = "example.com";
const TEXT = "Tea, by the leaf";
const BODY = `<!doctype html><html lang="en"><title>Tea</title><p>${TEXT}</p></html>`;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS);
const OVER = { notBefore: daysFromNow(-9), notAfter: daysFromNow(-1) };

const NAME_CASES: readonly [host: string, san: string, isShown: boolean][] = [
  ["example.com", "example.com", true],
  ["teashop.co.uk", "*.co.uk", false],
  ["tea.shop.ck", "*.shop.ck", false],
  ["tea.intranet", "*.intranet", false],
  ["a.tea.intranet", "*.tea.intranet", true],
  ["tea.github.io", "*.github.io", true],
  ["feature_x.example.com", "*.example.com", true],
  ["a.b.example.com", "*.example.com", false],
];

const via = async (delegation: Delegation): Promise<Issued> =>
  (await (await getAuthority()).delegate(delegation)).issue({ hosts: [HOST] });

async function crossSigned(dates: Delegation): Promise<Issued> {
  const issued = await via({});
  const endorsed = (await createAuthority()).endorse(await getAuthority(), dates);
  return { ...issued, cert: issued.cert + endorsed };
}

const CHAIN_CASES: readonly [name: string, issue: () => Promise<Issued>, isShown: boolean][] = [
  ["an intermediate", () => via({}), true],
  ["an intermediate that has ended", () => via(OVER), false],
  ["a cross-signed root that has ended", () => crossSigned(OVER), true],
  ["an intermediate with a P-384 key", () => via({ key: "p384" }), true],
  ["an intermediate with a P-521 key", () => via({ key: "p521" }), true],
  ["an intermediate with an Ed25519 key", () => via({ key: "ed25519" }), false],
  [
    "two years under a root that browsers do not have",
    async () => (await getAuthority()).issue({ hosts: [HOST], notAfter: daysFromNow(700) }),
    true,
  ],
];

describe.skipIf(CERTUTIL === undefined)("checks, probes and Chromium agree on", () => {
  const shared = use(
    async () => startTrustingBrowser((await getAuthority()).certificate),
    (started) => started.close(),
  );

  async function expectAgreement(host: string, certificate: Issued, isShown: boolean) {
    const routes = { "*": { headers: { "content-type": "text/html; charset=utf-8" }, body: BODY } };
    const site = await startSite({ certificate, routes });
    onTestFinished(() => site.close());
    const url = `https://${host}:${site.port}/`;
    const page = await shared.browser.newPage();
    const answer = await page.goto(url).catch(() => null);
    expect(answer && (await page.locator("body").innerText())).toBe(isShown ? TEXT : null);
    await page.close();
    const failed = judge(await probeUrl(url)).rows.flatMap(({ row, judgement }) =>
      row.id.startsWith("tls.") && row.cap === 20 && judgement.status === "fail" ? [row.id] : [],
    );
    expect(failed.length > 0).toBe(!isShown);
    expect(lookOf(judge(await probePage(url))).outcome).toBe(isShown ? "good" : "failed");
  }

  test.each(sampleCases(NAME_CASES))("%s under %s", async (host, san, isShown) => {
    const certificate = await (await getAuthority()).issue({ hosts: [san] });
    await expectAgreement(host, certificate, isShown);
  });

  test.each(sampleCases(CHAIN_CASES))("%s", async (_name, issue, isShown) => {
    await expectAgreement(HOST, await issue(), isShown);
  });
});
