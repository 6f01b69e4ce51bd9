import { describe, expect, it } from "vitest";
import { CheckResult } from "../../../shared/check.ts";
import { RULESET } from "../../../server/engine/judge/ruleset.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import {
  refuseConnection,
  refuseDns,
  refuseHttp1,
  stopAt,
  all,
  header,
  body,
  lastHop,
} from "./cases/page-edits.ts";
import { expired, editTls, failChain, leaveAlone, weakDigest, weakKey } from "./cases/tls-edits.ts";
import { evidenceWith, goodTls } from "./evidence-fixtures.ts";
import type { Edit } from "./cases/rule-case.ts";

function scoreWith(edit: Edit): CheckResult {
  return scoreEvidence(evidenceWith(edit), "en");
}

function idsOf(result: CheckResult, status: string): string[] {
  return result.findings.filter((finding) => finding.status === status).map(({ id }) => id);
}

const setStatus = (status: number) => lastHop({ status });

describe("parents", () => {
  const ALL = RULESET.rows.map(({ id }) => id);
  const start = (...prefixes: string[]) =>
    ALL.filter((id) => prefixes.some((prefix) => id.startsWith(prefix)));
  const OF_HTML = [
    "reach.page",
    ...start("html.", "seo.", "asset.", "link."),
    "perf.weight",
    "perf.files",
  ].filter((id) => id !== "seo.robots");
  const OF_STATUS = [
    "reach.html",
    "reach.page",
    ...start("hdr.", "cookie.", "html.", "seo.", "asset.", "link.", "perf."),
  ].filter((id) => !["seo.robots", "perf.http2"].includes(id));
  const OF_TLS = start("tls.");

  it.each<readonly [string, Edit, readonly string[]]>([
    ["reach.dns", refuseDns, ALL.filter((id) => id !== "reach.dns")],
    [
      "reach.connect",
      refuseConnection,
      ["reach.status", "reach.leak", "redir.chain", "redir.domain", ...OF_TLS, ...OF_STATUS],
    ],
    ["redir.chain", stopAt("loop"), ["reach.status", "reach.leak", "redir.domain", ...OF_STATUS]],
    ["reach.status", setStatus(500), OF_STATUS],
    ["reach.html", body({ decodedBytes: 0 }), OF_HTML],
    ["tls.chain (dates)", expired, ["tls.intermediate", "tls.expiry"]],
    ["tls.chain (dates of an intermediate)", failChain("CERT_HAS_EXPIRED"), ["tls.intermediate"]],
    ["tls.chain (digest)", weakDigest, ["tls.intermediate", "tls.strength"]],
    ["tls.chain (key)", weakKey, ["tls.intermediate", "tls.strength"]],
    ["tls.chain (root)", failChain("SELF_SIGNED_CERT_IN_CHAIN"), ["tls.intermediate"]],
    ["tls.intermediate", editTls(leaveAlone), ["tls.chain"]],
    [
      "seo.robots",
      (e) => {
        e.robots.status = 503;
      },
      ["seo.indexable"],
    ],
  ])("%s blocks the rules with nothing left to assess, and is named", (parent, edit, blocked) => {
    const result = scoreWith(edit);
    expect(idsOf(result, "blocked").toSorted()).toEqual(blocked.toSorted());
    const [id = ""] = parent.split(" ");
    const blocker = result.findings.find((finding) => finding.id === id);
    for (const { status, earned, points, evidence, blockedBy } of result.findings) {
      const isBlocked = status === "blocked";
      expect(blockedBy).toBe(isBlocked ? id : undefined);
      if (!isBlocked) continue;
      expect(earned).toBe(points);
      expect(evidence).toBe(`Nothing to assess while “${blocker?.title}” fails.`);
    }
    expect(blocker?.status).toBe("fail");
    expect(result.coverage).toBe(100);
  });

  const closedToAll: Edit = ({ robots }) => {
    const line = { line: 2, text: "Disallow: /" };
    robots.blocks = ["*", "googlebot", "bingbot"].map((agent) => ({ agent, ...line }));
  };
  const refuseWith =
    (edit: Edit): Edit =>
    (e) => {
      refuseConnection(e);
      edit(e);
    };

  it.each<readonly [string, string, string, Edit]>([
    [
      "tls.versions",
      "fail",
      "nothing but TLS 1.0 is spoken",
      refuseWith((e) => (e.legacyTls = { outcome: "accepted", protocol: "TLSv1", code: null })),
    ],
    [
      "tls.chain",
      "fail",
      "a handshake was all that came",
      refuseWith((e) => {
        const chainError = { code: "CERT_HAS_EXPIRED", message: "" };
        e.page.tls = { ...goodTls(), chainError };
      }),
    ],
    [
      "tls.hostname",
      "pass",
      "a handshake was all that came",
      refuseWith((e) => (e.page.tls = goodTls())),
    ],
    [
      "reach.leak",
      "fail",
      "another path shows its trace",
      refuseWith((e) => (e.notFound.leak = { signature: "Whoops error page", offset: 0 })),
    ],
    [
      "cookie.secure",
      "fail",
      "http sets a cookie of its own",
      refuseWith((e) => {
        e.plainHttp?.hops[0]?.headers.push(["set-cookie", "sid=***"]);
      }),
    ],
    ["seo.indexable", "fail", "robots.txt closes the page to all", refuseWith(closedToAll)],
    ["seo.indexable", "not_applicable", "it is a preview", refuseWith((e) => (e.preview = true))],
    ["reach.soft404", "pass", "another path answers", refuseConnection],
    ["seo.robots", "pass", "robots.txt answers", refuseConnection],
    [
      "cors.credentials",
      "pass",
      "the same request of another origin was answered",
      refuseConnection,
    ],
    ["redir.https", "pass", "http answers", refuseConnection],
    ["redir.permanent", "pass", "http answers", refuseConnection],
    ["redir.host", "pass", "the twin leads here", refuseConnection],
    ["perf.http2", "pass", "a handshake of its own", refuseConnection],
  ])("leave %s assessed (%s) if %s", (id, status, _why, edit) => {
    const result = scoreWith(edit);
    expect(result.findings.find((one) => one.id === id)?.status).toBe(status);
    expect(idsOf(result, "fail")).toContain("reach.connect");
  });
});

describe("a gatekeeper", () => {
  const JUDGED = ["reach.dns", "reach.connect", "reach.soft404", "seo.robots", "perf.http2"];
  const JUDGED_PREFIXES = ["tls.", "redir.https", "redir.permanent", "redir.host"];

  it.each<readonly [string, Edit]>([
    ["401", setStatus(401)],
    ["403", setStatus(403)],
    ["429", setStatus(429)],
    ["a challenge with 200", body({ challenge: "Cloudflare" })],
    ["a challenge by header", header("cf-mitigated", "challenge")],
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

  it("does not hide a certificate that browsers reject", () => {
    const result = scoreWith(all(failChain("CERT_HAS_EXPIRED"), setStatus(403)));
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
