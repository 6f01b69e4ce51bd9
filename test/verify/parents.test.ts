import { describe, expect, it } from "vitest";
import { CheckResult } from "../../shared/check.ts";
import type { Evidence } from "../../server/probe/evidence.ts";
import { RULESET } from "../../server/verify/ruleset.ts";
import { scoreEvidence } from "../../server/verify/score.ts";
import { refuseConnection, refuseDns, refuseHttp1, stopAt } from "./cases/page-edits.ts";
import { failChain, weakDigest } from "./cases/tls-edits.ts";
import { evidenceWith, pageBody, pageHop, setHeader } from "./evidence-fixtures.ts";

type Edit = (evidence: Evidence) => void;

function scoreWith(edit: Edit): CheckResult {
  return scoreEvidence(evidenceWith(edit), "en");
}

function idsOf(result: CheckResult, status: string): string[] {
  return result.findings.filter((finding) => finding.status === status).map(({ id }) => id);
}

const setStatus =
  (status: number): Edit =>
  (e) => {
    pageHop(e).status = status;
  };

describe("parents", () => {
  const ALL = RULESET.rows.map(({ id }) => id);
  const start = (...prefixes: string[]) =>
    ALL.filter((id) => prefixes.some((prefix) => id.startsWith(prefix)));
  const OF_HTML = [...start("html.", "seo.", "asset.", "link."), "perf.weight"].filter(
    (id) => id !== "seo.robots",
  );
  const OF_STATUS = [
    "reach.html",
    ...start("hdr.", "cookie.", "html.", "seo.", "asset.", "link.", "perf."),
  ].filter((id) => !["seo.robots", "perf.http2"].includes(id));
  const OF_TLS = start("tls.");

  it.each<readonly [string, Edit, readonly string[]]>([
    ["reach.dns", refuseDns, ALL.filter((id) => id !== "reach.dns")],
    [
      "reach.connect",
      refuseConnection,
      ["reach.status", "reach.leak", "redir.chain", ...OF_TLS, ...OF_STATUS],
    ],
    ["redir.chain", stopAt("loop"), ["reach.status", "reach.leak", ...OF_STATUS]],
    ["reach.status", setStatus(500), OF_STATUS],
    [
      "reach.html",
      (e) => {
        pageBody(e).decodedBytes = 0;
      },
      OF_HTML,
    ],
    ["tls.chain (dates)", failChain("CERT_HAS_EXPIRED"), ["tls.expiry"]],
    ["tls.chain (digest)", weakDigest, ["tls.strength"]],
    ["tls.chain (root)", failChain("SELF_SIGNED_CERT_IN_CHAIN"), []],
    [
      "seo.robots",
      (e) => {
        e.robots.status = 503;
      },
      ["seo.indexable"],
    ],
  ])("%s blocks what has nothing left to judge", (_parent, edit, blocked) => {
    const result = scoreWith(edit);
    expect(idsOf(result, "blocked").toSorted()).toEqual(blocked.toSorted());
    for (const { status, earned, points } of result.findings)
      if (status === "blocked") expect(earned).toBe(points);
    expect(result.coverage).toBe(100);
  });

  it("leave what the server said of itself to be judged", () => {
    const result = scoreWith((e) => {
      refuseConnection(e);
      e.legacyTls = { outcome: "accepted", protocol: "TLSv1", code: null };
    });
    expect(idsOf(result, "fail")).toEqual(["reach.connect", "tls.versions"]);
  });
});

describe("a gatekeeper", () => {
  const JUDGED = ["reach.dns", "reach.connect", "reach.soft404", "seo.robots", "perf.http2"];
  const JUDGED_PREFIXES = ["tls.", "redir.https", "redir.permanent", "redir.host"];

  it.each<readonly [string, Edit]>([
    ["401", setStatus(401)],
    ["403", setStatus(403)],
    ["429", setStatus(429)],
    [
      "a challenge with 200",
      (e) => {
        pageBody(e).challenge = "Cloudflare";
      },
    ],
    ["a challenge by header", (e) => setHeader(e, "cf-mitigated", "challenge")],
    [
      "a server of HTTP/2 alone",
      (e) => {
        const { tls } = e.page;
        refuseHttp1(e);
        e.page.tls = tls;
      },
    ],
  ])("leaves the page unknown: %s", (_name, edit) => {
    const result = scoreWith(edit);
    const unknown = RULESET.rows
      .map(({ id }) => id)
      .filter(
        (id) => !JUDGED.includes(id) && !JUDGED_PREFIXES.some((prefix) => id.startsWith(prefix)),
      );
    expect(idsOf(result, "unknown")).toEqual(unknown);
    expect(result).toMatchObject({ verdict: "inconclusive", caps: [] });
    expect(result.scoreRange).toEqual({ min: result.score, max: 100 });
    expect(result.findings.find(({ id }) => id === "reach.status")?.fix === "").toBe(
      _name.includes("HTTP/2"),
    );
  });

  it("does not hide a certificate that browsers refuse", () => {
    const result = scoreWith((e) => {
      failChain("CERT_HAS_EXPIRED")(e);
      setStatus(403)(e);
    });
    expect(result.coverage).toBeLessThan(70);
    expect(result).toMatchObject({
      score: 20,
      scoreRange: { min: 20, max: 20 },
      verdict: "do_not_ship",
    });
  });

  it("stays inconclusive under a cap of 79", () => {
    const result = scoreWith((e) => {
      for (const { tls } of e.page.hops)
        if (tls) tls.certificate.notAfter = "2026-11-21T08:30:00.000Z";
      setStatus(403)(e);
    });
    expect(result.caps).toMatchObject([{ limit: 79 }]);
    expect(result.verdict).toBe("inconclusive");
  });
});
