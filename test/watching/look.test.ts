import { describe, expect, test } from "vitest";
import { lookOf, LOOK_RULESET, verifiedLookOf } from "../../server/engine/judge/look-outcome.ts";
import { judge } from "../../server/engine/judge/score.ts";
import type { Evidence } from "../../server/engine/evidence/evidence.ts";
import { editTls, leaveAlone } from "../engine/judge/cases/tls-edits.ts";
import { evidenceWith, pageHop } from "../engine/judge/evidence-fixtures.ts";

const withStatus = (status: number) =>
  evidenceWith((evidence) => void (pageHop(evidence).status = status));
const withFailure = (phase: "connect" | "tls" | "deadline", code: string) =>
  evidenceWith(
    ({ page }) =>
      void Object.assign(page, {
        hops: [],
        tls: null,
        body: null,
        failure: { phase, code, detail: "" },
      }),
  );
const withChainError = (code: string) =>
  evidenceWith((evidence) => {
    const hop = pageHop(evidence);
    if (hop.tls) hop.tls.chainError = { code, message: "" };
    if (evidence.page.tls) evidence.page.tls.chainError = { code, message: "" };
  });
const withStop = (reason: "loop" | "too_many" | "downgrade" | "refused") =>
  evidenceWith((evidence) => {
    pageHop(evidence).status = 302;
    evidence.page.stop = {
      url: "https://www.example.com/",
      reason,
      refusal: reason === "refused" ? "private" : null,
    };
    evidence.page.body = null;
  });
const withRefusal = (code: "not_found" | "dns_failure" | "dns_timeout", isConfirmed = false) =>
  evidenceWith((evidence) => {
    evidence.dns = { ...evidence.dns, refusal: code, isConfirmed, addresses: [] };
    Object.assign(evidence.page, {
      hops: [],
      tls: null,
      body: null,
      failure: { phase: "guard", code, detail: "" },
    });
  });

const withSignIn = (path: string) =>
  evidenceWith((evidence) => {
    evidence.url = `https://www.example.com${path}`;
    const last = pageHop(evidence);
    const first = { ...last, url: evidence.url, status: 302, headers: [] };
    evidence.page.hops = [first, { ...last, url: "https://www.example.com/login" }];
  });

describe("the outcome of a probe", () => {
  test.each<[string, Evidence, string, RegExp | null]>([
    ["no name", withRefusal("not_found"), "failed", /introuvable|DNS/],
    ["name servers without an answer", withRefusal("dns_timeout", true), "failed", /DNS/],
    ["name servers with an error", withRefusal("dns_failure", true), "failed", /DNS/],
    ["no connection", withFailure("connect", "ECONNREFUSED"), "failed", /ECONNREFUSED/],
    ["a timeout", withFailure("deadline", "ETIMEDOUT"), "failed", /./],
    ["an expired certificate", withChainError("CERT_HAS_EXPIRED"), "failed", /expiré/],
    ["404", withStatus(404), "failed", /404/],
    ["500", withStatus(500), "failed", /500/],
    ["503", withStatus(503), "failed", /503/],
    ["a redirect loop", withStop("loop"), "failed", /./],
    ["redirects without end", withStop("too_many"), "failed", /./],
    ["a redirect into a private place", withStop("refused"), "inconclusive", null],
    ["401", withStatus(401), "inconclusive", null],
    ["403", withStatus(403), "inconclusive", null],
    ["429", withStatus(429), "inconclusive", null],
    [
      "a challenge page",
      evidenceWith(({ page }) => void (page.body && (page.body.challenge = "Cloudflare"))),
      "inconclusive",
      null,
    ],
    [
      "a missing intermediate, which browsers fetch",
      evidenceWith(editTls(leaveAlone)),
      "good",
      null,
    ],
    ["a sign-in in place of the page", withSignIn("/dashboard"), "good", null],
    ["a home page that leads to its sign-in", withSignIn("/"), "good", null],
    ["a good page", evidenceWith(() => {}), "good", null],
  ])("%s", (_, evidence, outcome, reason) => {
    const look = lookOf(judge(evidence, LOOK_RULESET));
    expect(look.outcome).toBe(outcome);
    if (reason === null) expect(look.reason).toBeNull();
    else expect(look.reason?.fr).toMatch(reason);
    expect(look.isOwnFault).toBe(false);
    // One sentence in each language.
    for (const sentence of Object.values(look.reason ?? {})) expect(sentence).toMatch(/^[^\n]+\.$/);
    if (look.reason) expect(look.reason.fr).not.toBe(look.reason.en);
  });
});

const stalled = (evidence: Evidence, stalledMs: number): Evidence => ({ ...evidence, stalledMs });

describe("a fault of this machine", () => {
  test.each<[string, Evidence]>([
    ["a name server alone that gives an error", withRefusal("dns_failure")],
    ["a name server alone that is silent", withRefusal("dns_timeout")],
    ["no way to its family of addresses", withFailure("connect", "ERR_NO_ROUTE")],
    ["no network", withFailure("connect", "ENETUNREACH")],
    ["no file descriptor", withFailure("connect", "EMFILE")],
    ["no buffer", withFailure("connect", "ENOBUFS")],
    ["no port", withFailure("connect", "EADDRNOTAVAIL")],
    ["a firewall of its own", withFailure("connect", "EPERM")],
    [
      "a time-out of a thread that stood still",
      stalled(withFailure("deadline", "ETIMEDOUT"), 1000),
    ],
    [
      "a site that gave up a thread that stood still",
      stalled(withFailure("tls", "ECONNRESET"), 9000),
    ],
  ])("%s", (_, evidence) => {
    expect(lookOf(judge(evidence, LOOK_RULESET))).toMatchObject({
      outcome: "inconclusive",
      reason: null,
      isOwnFault: true,
      isAnswered: false,
    });
    expect(verifiedLookOf(judge(evidence)).score).toBeNull();
  });

  test.each<[string, Evidence, string]>([
    ["a short delay", stalled(withFailure("deadline", "ETIMEDOUT"), 999), "failed"],
    ["an error that arrived in spite of it", stalled(withStatus(500), 9000), "failed"],
    ["a page that arrived in spite of it", stalled(withStatus(200), 9000), "good"],
  ])("%s is not", (_, evidence, outcome) => {
    expect(lookOf(judge(evidence, LOOK_RULESET))).toMatchObject({ outcome, isOwnFault: false });
  });
});

test.each<[string, Evidence, boolean]>([
  ["a good page", withStatus(200), true],
  ["an error", withStatus(500), true],
  ["a redirect loop", withStop("loop"), true],
  ["no name", withRefusal("not_found"), false],
  ["no connection", withFailure("connect", "ECONNREFUSED"), false],
  ["an expired certificate", withChainError("CERT_HAS_EXPIRED"), false],
])("the result for %s shows whether the site itself answered", (_, evidence, isAnswered) => {
  expect(lookOf(judge(evidence, LOOK_RULESET)).isAnswered).toBe(isAnswered);
});
