import { describe, expect, it } from "vitest";
import { CheckResult } from "../../../shared/check.ts";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { RULESET } from "../../../server/engine/judge/ruleset.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import { refuseConnection, refuseDns } from "./cases/page-edits.ts";
import {
  evidenceWith,
  goodEvidence,
  pageHop,
  pageHtml,
  setHeader,
  setMeta,
} from "./evidence-fixtures.ts";

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

const breakScript: Edit = ({ assets }) => {
  for (const asset of assets) asset.status = 404;
};

describe("a preview", () => {
  it("is expected to send noindex, with a note", () => {
    const result = scoreWith((e) => {
      e.preview = true;
      setHeader(e, "x-robots-tag", "noindex");
    });
    expect(result).toMatchObject({ score: 100, caps: [], verdict: "ship" });
    const finding = result.findings.find(({ id }) => id === "seo.indexable");
    expect(finding).toMatchObject({ status: "not_applicable", earned: 3 });
    expect(finding?.evidence).toContain("X-Robots-Tag: noindex");
  });
});

describe("the arithmetic", () => {
  const EDITS: readonly Edit[] = [
    () => {},
    (e) => setMeta(e, "og:image", "/card.png"),
    (e) => {
      e.robots.status = null;
    },
    breakScript,
    setStatus(403),
    refuseConnection,
    refuseDns,
  ];

  it("adds points up, capped and rounded down", () => {
    for (const edit of EDITS) {
      const result = scoreWith(edit);
      const sum = (list: readonly { earned: number; points: number }[], key: "earned" | "points") =>
        list.reduce((total, one) => total + one[key], 0);
      expect(sum(result.findings, "points")).toBe(100);
      expect(sum(result.categories, "points")).toBe(100);
      expect(sum(result.categories, "earned")).toBe(sum(result.findings, "earned"));
      const limit = Math.min(100, ...result.caps.map((cap) => cap.limit));
      expect(result.score).toBe(Math.floor(Math.min(sum(result.findings, "earned"), limit)));
      expect(result.scoreRange.min).toBe(result.score);
    }
  });

  it("rounds a half point down", () => {
    const result = scoreWith((e) => setMeta(e, "og:image", "/card.png"));
    expect(result.findings.find(({ id }) => id === "seo.social")?.earned).toBe(0.5);
    expect(result).toMatchObject({ score: 99, scoreRange: { min: 99, max: 99 } });
  });

  it("only widens the range for unknown results", () => {
    const result = scoreWith((e) => {
      e.legacyTls.outcome = "unknown";
      e.alpn.outcome = "unknown";
    });
    expect(result).toMatchObject({
      score: 97,
      scoreRange: { min: 97, max: 100 },
      coverage: 97,
      caps: [],
      verdict: "ship",
    });
  });

  it.each<readonly [string, number, string, Edit]>([
    [
      "redir.https",
      2,
      "http redirects to an https port that nobody answers",
      (e) => {
        const [hop] = e.plainHttp?.hops ?? [];
        const to = "https://www.example.com:8443/";
        if (!e.plainHttp || !hop) return;
        e.plainHttp.hops = [{ ...hop, headers: [["location", to]] }];
        e.plainHttp.failure = { phase: "deadline", code: "timeout", detail: "" };
      },
    ],
    [
      "redir.https",
      2,
      "http redirects to an https port that the check does not visit",
      (e) => {
        const [hop] = e.plainHttp?.hops ?? [];
        const to = "https://www.example.com:8444/";
        if (!e.plainHttp || !hop) return;
        e.plainHttp.hops = [{ ...hop, headers: [["location", to]] }];
        e.plainHttp.stop = { url: to, reason: "refused", refusal: "port" };
      },
    ],
    [
      "asset.broken",
      1.5,
      "no file was requested, and the page only has an image",
      (e) => {
        e.assets = [];
        pageHtml(e).resources = pageHtml(e).resources.filter(({ kind }) => kind === "image");
      },
    ],
    ["asset.broken", 0, "no file was requested, and the page has a script", (e) => (e.assets = [])],
  ])("an unknown %s costs its worst outcome, %d points: %s", (id, earned, _why, edit) => {
    const finding = scoreWith(edit).findings.find((one) => one.id === id);
    expect(finding).toMatchObject({ status: "unknown", earned });
  });

  it.each<readonly [number, string, Edit]>([
    [79, "ship_with_warnings", (e) => setHeader(e, "strict-transport-security")],
    [
      80,
      "ship",
      (e) => {
        setHeader(e, "content-security-policy");
        setHeader(e, "x-content-type-options");
        setMeta(e, "viewport");
        setMeta(e, "description");
        setHeader(e, "set-cookie", "sid=***");
        e.alpn.outcome = "none";
        pageHtml(e).lang = null;
      },
    ],
  ])("%i: %s", (score, verdict, edit) => {
    expect(scoreWith(edit)).toMatchObject({ score, verdict });
  });
});

describe("the result", () => {
  it("gives a good page 100", () => {
    const result = scoreEvidence(goodEvidence(), "fr");
    expect(idsOf(result, "pass")).toHaveLength(RULESET.rows.length);
    expect(result).toMatchObject({
      score: 100,
      scoreRange: { min: 100, max: 100 },
      coverage: 100,
      verdict: "ship",
      ruleset: RULESET.version,
    });
  });

  it("is the same bytes for the same evidence, also after a round trip through JSON", () => {
    for (const language of ["fr", "en"] as const) {
      const first = JSON.stringify(scoreEvidence(goodEvidence(), language));
      const stored = JSON.parse(JSON.stringify(goodEvidence())) as Evidence;
      expect(JSON.stringify(scoreEvidence(stored, language))).toBe(first);
    }
  });

  it("has the keys of the schema in their order", () => {
    const result = scoreWith(breakScript);
    expect(JSON.stringify(CheckResult.parse(result))).toBe(JSON.stringify(result));
  });

  it("does not depend on the order of headers", () => {
    const reversed = scoreWith((e) => (pageHop(e).headers = pageHop(e).headers.toReversed()));
    const facts = ({ findings }: CheckResult) =>
      findings.map(({ id, status, earned }) => ({ id, status, earned }));
    expect(facts(reversed)).toEqual(facts(scoreEvidence(goodEvidence(), "en")));
  });

  it("does not depend on the case of header values", () => {
    const shouted = scoreWith((e) => {
      setHeader(e, "strict-transport-security", "MAX-AGE=31536000; INCLUDESUBDOMAINS");
      setHeader(e, "x-content-type-options", "NoSniff");
      setHeader(e, "referrer-policy", "Strict-Origin");
      setHeader(e, "cache-control", "NO-CACHE");
      setHeader(e, "content-type", "TEXT/HTML; CHARSET=UTF-8");
      setHeader(e, "set-cookie", "session=***; PATH=/; SECURE; HTTPONLY; SAMESITE=LAX");
    });
    expect(shouted.score).toBe(100);
  });

  it("is never lower for a stronger policy", () => {
    const policies: readonly (readonly [header: string, value: string])[] = [
      ["content-security-policy", ""],
      ["content-security-policy-report-only", "default-src 'self'"],
      ["content-security-policy", "default-src * 'unsafe-inline'"],
      ["content-security-policy", "default-src 'self' 'unsafe-inline'; object-src 'none'"],
      [
        "content-security-policy",
        "default-src 'self' 'unsafe-inline'; object-src 'none'; base-uri https:",
      ],
      ["content-security-policy", "default-src 'self'; object-src 'none'"],
      ["content-security-policy", "default-src 'self'; object-src 'none'; base-uri https:"],
      [
        "content-security-policy",
        "script-src 'nonce-r4nd0mV4lue'; object-src 'none'; base-uri 'none'",
      ],
      ["content-security-policy", "script-src 'none'; object-src 'none'; base-uri 'none'"],
    ];
    const earned = policies.map(([header, value]) => {
      const { findings } = scoreWith((e) => {
        setHeader(e, "content-security-policy");
        setHeader(e, header, value);
        pageHtml(e).resources = [];
      });
      return findings.find(({ id }) => id === "hdr.csp")?.earned;
    });
    expect(earned).toEqual([0, 2, 3, 3, 3, 6, 6, 7, 7]);
  });

  it("cuts the site's own texts", () => {
    const { findings } = scoreWith((e) =>
      setHeader(e, "content-security-policy", `script-src ${"a".repeat(8000)}`),
    );
    for (const { evidence } of findings) expect(evidence.length).toBeLessThan(800);
  });
});
