import { describe, expect, test } from "vitest";
import { judgeLook } from "../../server/judge/look.ts";
import type { Evidence } from "../../server/evidence/evidence.ts";
import { editTls, leaveAlone } from "../judge/cases/tls-edits.ts";
import { evidenceWith, pageHop } from "../judge/evidence-fixtures.ts";

const withStatus = (status: number) =>
  evidenceWith((evidence) => void (pageHop(evidence).status = status));
const withFailure = (phase: "connect" | "deadline", code: string) =>
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
const withRefusal = (code: "not_found" | "dns_timeout") =>
  evidenceWith((evidence) => {
    evidence.dns = { ...evidence.dns, refusal: code, addresses: [] };
    Object.assign(evidence.page, {
      hops: [],
      tls: null,
      body: null,
      failure: { phase: "guard", code, detail: "" },
    });
  });

describe("how a look ends", () => {
  test.each<[string, Evidence, string, RegExp | null]>([
    ["no name", withRefusal("not_found"), "failed", /introuvable|DNS/],
    ["a silent name server", withRefusal("dns_timeout"), "failed", /DNS/],
    ["no connection", withFailure("connect", "ECONNREFUSED"), "failed", /ECONNREFUSED/],
    ["a timeout", withFailure("deadline", "ETIMEDOUT"), "failed", /./],
    ["an expired certificate", withChainError("CERT_HAS_EXPIRED"), "failed", /expiré/],
    ["404", withStatus(404), "failed", /404/],
    ["500", withStatus(500), "failed", /500/],
    ["503", withStatus(503), "failed", /503/],
    ["a redirect loop", withStop("loop"), "failed", /./],
    ["redirects without end", withStop("too_many"), "failed", /./],
    ["a redirect into a private place", withStop("refused"), "inconclusive", null],
    [
      "no way to its family of addresses",
      withFailure("connect", "ERR_NO_ROUTE"),
      "inconclusive",
      null,
    ],
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
    ["a good page", evidenceWith(() => {}), "good", null],
  ])("%s", (_, evidence, outcome, reason) => {
    const look = judgeLook(evidence);
    expect(look.outcome).toBe(outcome);
    if (reason === null) expect(look.reason).toBeNull();
    else expect(look.reason?.fr).toMatch(reason);
    // One sentence in each language.
    for (const sentence of Object.values(look.reason ?? {})) expect(sentence).toMatch(/^[^\n]+\.$/);
    if (look.reason) expect(look.reason.fr).not.toBe(look.reason.en);
  });
});
