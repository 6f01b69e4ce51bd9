import * as fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { CheckResult, type Finding } from "../../../shared/check.ts";
import { LANGUAGES } from "../../../shared/language.ts";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { keepHeaders, PAGE_HEADER_BYTES } from "../../../server/engine/requests/headers.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import { anyEvidence, editedEvidence } from "../../fuzz/evidence-values.ts";
import { headersOf, shout } from "../../fuzz/header-values.ts";
import { ONE_IN } from "../../harness/thorough.ts";
import { evidenceWith, pageHop, setHeader } from "./evidence-fixtures.ts";
import { STRENGTHENINGS } from "./strengthenings.ts";
import { UNMEASURINGS } from "./unmeasurings.ts";

const RUNS = 100 / ONE_IN;
const TABLE_RUNS = 40 / ONE_IN;
/** Fixed, so that a run repeats; `npx tsx test/fuzz/fuzz.ts` draws others. */
const SEEDS = inject("isThorough") ? [20_261, 20_262] : [20_261];

const evidences = fc.oneof(
  { weight: 3, arbitrary: editedEvidence },
  { weight: 1, arbitrary: anyEvidence },
);

function after(evidence: Evidence, edit: (evidence: Evidence) => void): Evidence {
  const copy = structuredClone(evidence);
  edit(copy);
  return copy;
}

function judge(evidence: Evidence): CheckResult {
  return scoreEvidence(evidence, "en");
}

function sum(
  list: readonly { earned: number; points: number }[],
  key: "earned" | "points",
): number {
  return list.reduce((total, one) => total + one[key], 0);
}

/** The same value with the keys of every object in reverse. */
function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, held]) => [key, reverseKeys(held)]));
}

describe.each(SEEDS)("for any evidence, with seed %i", { timeout: 120_000 }, (seed) => {
  function holds<Input>(
    inputs: fc.Arbitrary<Input>,
    check: (input: Input) => void,
    examples: readonly Input[] = [],
    numRuns = RUNS,
  ): void {
    const tuples = examples.map((example): [Input] => [example]);
    fc.assert(fc.property(inputs, check), { seed, numRuns, examples: tuples });
  }

  it("the same evidence gives the same bytes, whatever the order of its keys", () => {
    holds(evidences, (evidence) => {
      for (const language of LANGUAGES) {
        const bytes = JSON.stringify(scoreEvidence(evidence, language));
        const stored = JSON.parse(JSON.stringify(evidence)) as Evidence;
        const reversed = reverseKeys(evidence) as Evidence;
        expect(JSON.stringify(scoreEvidence(stored, language))).toBe(bytes);
        expect(JSON.stringify(scoreEvidence(reversed, language))).toBe(bytes);
      }
    });
  });

  it("assessing does not change the evidence", () => {
    holds(evidences, (evidence) => {
      const before = JSON.stringify(evidence);
      judge(evidence);
      expect(JSON.stringify(evidence)).toBe(before);
    });
  });

  it("the points add up, and the verdict is the score's", () => {
    holds(evidences, (evidence) => {
      const result = CheckResult.parse(judge(evidence));
      const { findings, categories, caps, score, coverage, verdict } = result;
      const [earned, limit] = [
        sum(findings, "earned"),
        Math.min(100, ...caps.map((cap) => cap.limit)),
      ];
      const open = findings.filter(({ status }) => status === "unknown");
      const unknown = sum(open, "points") - sum(open, "earned");
      expect(sum(findings, "points")).toBe(100);
      expect(sum(categories, "points")).toBe(100);
      for (const { id, ...whole } of categories) {
        const own = findings.filter(({ category }) => category === id);
        expect(whole).toEqual({ earned: sum(own, "earned"), points: sum(own, "points") });
      }
      expect(score).toBe(Math.floor(Math.min(earned, limit)));
      expect(result.scoreRange).toEqual({
        min: score,
        max: Math.floor(Math.min(earned + unknown, limit)),
      });
      expect(coverage).toBe(Math.floor(100 - unknown));
      const words = score >= 80 ? "ship" : score >= 60 ? "ship_with_warnings" : "do_not_ship";
      const isOpen = score < 60 && result.scoreRange.max >= 60;
      expect(verdict).toBe(isOpen || (coverage < 70 && limit >= 79) ? "inconclusive" : words);
      const failed = findings.filter(({ status }) => status === "fail").map(({ id }) => id);
      for (const { findingId } of caps) expect(failed).toContain(findingId);
    });
  });

  it("every status earns its documented points", () => {
    holds(evidences, (evidence) => {
      for (const { id, status, earned, points, fix } of judge(evidence).findings) {
        if (status === "fail") expect([id, earned]).toEqual([id, 0]);
        else if (status === "unknown")
          expect([id, earned < points || points === 0]).toEqual([id, true]);
        else if (status !== "partial") expect([id, earned]).toEqual([id, points]);
        else expect([id, earned > 0 && earned < points]).toEqual([id, true]);
        if (status === "fail" || status === "partial") expect([id, fix]).not.toEqual([id, ""]);
      }
    });
  });

  it("the languages differ only in texts, and no text is JavaScript's", () => {
    const SLIP = /\bundefined\b|\bNaN\b|\bInfinity\b|\[object |\bInvalid Date\b/;
    const withoutWords = ({ caps, findings, ...rest }: CheckResult) => ({
      ...rest,
      caps: caps.map((cap) => ({ ...cap, reason: "" })),
      findings: findings.map((finding) => ({
        ...finding,
        title: "",
        evidence: "",
        why: "",
        fix: "",
      })),
    });
    holds(evidences, (evidence) => {
      const [french, english] = [scoreEvidence(evidence, "fr"), judge(evidence)];
      expect(withoutWords(french)).toEqual(withoutWords(english));
      if (SLIP.test(JSON.stringify(evidence).replaceAll(/\\(?:u[\da-f]{4}|.)/g, " "))) return;
      for (const { id, title, evidence: seen, fix } of [...french.findings, ...english.findings])
        expect(`${id} ${title} ${seen} ${fix}`).not.toMatch(SLIP);
    });
  });

  it("neither the order of headers nor the case of their names matters", () => {
    const orders = headersOf().chain((entries) =>
      fc.record({
        entries: fc.constant(entries),
        names: fc.shuffledSubarray(
          entries.map(([name]) => name),
          { minLength: entries.length },
        ),
        pattern: fc.nat({ max: 2 ** 30 }),
      }),
    );
    const scoreOf = (raw: readonly string[]): CheckResult =>
      judge(
        evidenceWith((evidence) => {
          pageHop(evidence).headers = keepHeaders(raw, PAGE_HEADER_BYTES);
          evidence.cors.headers = keepHeaders(raw, PAGE_HEADER_BYTES);
        }),
      );
    holds(orders, ({ entries, names, pattern }) => {
      fc.pre(JSON.stringify(entries).length < PAGE_HEADER_BYTES / 2);
      const left = [...entries];
      const reordered = names.flatMap((name) => {
        const [entry] = left.splice(
          left.findIndex(([other]) => other === name),
          1,
        );
        return [shout(name, pattern), entry?.[1] ?? ""];
      });
      expect(scoreOf(reordered)).toEqual(scoreOf(entries.flat()));
    });
  });

  it("strengthening one control never lowers the score", () => {
    const check = (evidence: Evidence) => {
      const before = judge(evidence);
      for (const [name, strengthen] of Object.entries(STRENGTHENINGS)) {
        const stronger = judge(after(evidence, strengthen));
        const losses = stronger.score < before.score ? describeLosses(before, stronger) : [];
        expect([name, losses]).toEqual([name, []]);
      }
    };
    const ownScripts = evidenceWith((e) =>
      setHeader(e, "content-security-policy", "default-src 'self'"),
    );
    holds(editedEvidence, check, [ownScripts], TABLE_RUNS);
  });

  it("unknown values only widen the range", () => {
    const check = (evidence: Evidence) => {
      const before = judge(evidence);
      for (const [name, unmeasure] of Object.entries(UNMEASURINGS)) {
        const unmeasured = judge(after(evidence, unmeasure));
        expect([name, describeNarrowings(before, unmeasured)]).toEqual([name, []]);
      }
    };
    holds(
      editedEvidence,
      check,
      [
        evidenceWith(({ notFound }) => (notFound.leak = { signature: "phpinfo", offset: 0 })),
        evidenceWith(({ plainHttp }) => {
          for (const hop of plainHttp?.hops ?? []) hop.status = 302;
        }),
        evidenceWith(({ twin }) => {
          for (const hop of twin?.hops ?? []) hop.status = 302;
        }),
      ],
      TABLE_RUNS,
    );
  });
});

/** The rules that earn less than before. */
function describeLosses(before: CheckResult, now: CheckResult): string[] {
  return now.findings
    .filter(({ earned }, index) => earned < (before.findings[index]?.earned ?? 0))
    .map(({ id, status }) => `${id} is now ${status}`);
}

/**
 * Judged on what came: cookies of the answers that did, links and files of a sample of which some did, a nonce that is
 * known to serve twice only where two answers did, and a session from a cache that only two answers may clear.
 */
const JUDGED_ON_WHAT_CAME = [
  "cookie.secure",
  "link.internal",
  "hdr.csp",
  "perf.files",
  "cookie.shared",
];

/** The rules whose range no longer holds the one before. A blocked rule is decided by its parent. */
function describeNarrowings(before: CheckResult, now: CheckResult): string[] {
  const most = ({ status, earned, points }: Finding) => (status === "unknown" ? points : earned);
  return now.findings.flatMap((finding, index) => {
    const known = before.findings[index];
    if (!known || finding.status === "blocked" || JUDGED_ON_WHAT_CAME.includes(finding.id))
      return [];
    const isWider = finding.earned <= known.earned && most(known) <= most(finding);
    return isWider ? [] : [`${finding.id}: ${known.status}, then ${finding.status}`];
  });
}
