import { Chalk } from "chalk";
import { describe, expect, test } from "vitest";
import { compareChecks } from "../../shared/report/compare.ts";
import { evaluateGate, type GateFlags } from "../../shared/report/gate.ts";
import type { ReceivedCheck } from "../../cli/client/api-responses.ts";
import type { ReportedFinding } from "../../shared/report/reported.ts";
import type { Screen } from "../../cli/terminal/io.ts";
import { formatCheckReport } from "../../cli/views/check-report.ts";
import { scoreEvidence, scoreOf } from "../../server/engine/judge/score.ts";
import type { Language } from "../../shared/language.ts";
import { CHECK } from "../harness/contract-double.ts";
import { CASES } from "../engine/judge/cases/all.ts";
import type { RuleCase } from "../engine/judge/cases/rule-case.ts";
import { evidenceWith } from "../engine/judge/evidence-fixtures.ts";
import { judgeBy } from "../engine/judge/finding-of.ts";
import { ONE_IN } from "../harness/thorough.ts";
import { answerWithStatus } from "./reports/runs.ts";

const BASE_URL = new URL("https://shipscore.example/team/");

interface ScreenOptions {
  columns?: number;
  canDraw?: boolean;
  hasLinks?: boolean;
  language?: Language;
  isWhole?: boolean;
  require?: readonly string[];
  /** The page as its baseline has it. */
  before?: ReceivedCheck;
  failOnNew?: GateFlags["failOnNew"];
}

function linesOf(check: ReceivedCheck, options: ScreenOptions = {}): string[] {
  const { columns = 80, canDraw = true, hasLinks = false } = options;
  const { language = "en", isWhole = false, require = [], before, failOnNew } = options;
  const chalk = new Chalk({ level: 0 });
  const screen: Screen = { columns, width: columns, canDraw, hasLinks, chalk, language };
  const compared = before && { comparison: compareChecks(before, check) };
  const flags = { minScore: 80, require, ...(failOnNew && { failOnNew }) };
  const gate = evaluateGate(check, flags, compared, language);
  const page = { ...screen, docsBase: BASE_URL };
  const report = formatCheckReport({ check, gate, ...compared }, page, isWhole);
  return report.trimEnd().split("\n");
}

const wordsOf = (lines: readonly string[]) => lines.join(" ").replaceAll(/ +/g, " ");

function findingOf(id: string, finding: Partial<ReportedFinding> = {}): ReportedFinding {
  return {
    id,
    category: "headers",
    status: "fail",
    earned: 0,
    points: 2,
    title: `Title of ${id}`,
    evidence: `The page was seen to lack what ${id} asks for, and nothing makes up for it.`,
    fix: `Send what ${id} asks for with each answer, errors and redirects included.`,
    fixLine: `X-${id}: on`,
    docsUrl: `/docs/rules#${id}`,
    ...finding,
  };
}

/** Twelve findings that cost points, two of which cap the score, in no order. */
const TWELVE: ReceivedCheck = {
  ...CHECK,
  findings: [
    ...Array.from({ length: 9 }, (_, index) => findingOf(`a.number-${index}`, { points: 1 })),
    findingOf("b.low", { points: 0.5 }),
    findingOf("c.high", { points: 3 }),
    findingOf("d.most", { points: 9, status: "partial", earned: 2 }),
  ],
  caps: [
    { findingId: "c.high", limit: 79, reason: "It is high." },
    { findingId: "b.low", limit: 20, reason: "It is low." },
  ],
};

describe("a report", () => {
  const lines = linesOf(TWELVE);
  const named = lines.flatMap((line) => / \+[\d.]+ {2}(\S+?):? /.exec(` ${line}`)?.[1] ?? []);

  test("starts with the findings that cap the score, lowest limit first, then by points", () => {
    expect(named.slice(0, 4)).toEqual(["b.low", "c.high", "d.most", "a.number-0"]);
    expect(named).toHaveLength(12);
    expect(lines).toContain("+0.5  b.low: Title of b.low (caps the score at 20)");
  });

  test("shows three of them in full, and the others on a line each", () => {
    const words = wordsOf(lines);
    for (const { id, evidence, fix, fixLine } of TWELVE.findings) {
      const isWhole = ["b.low", "c.high", "d.most"].includes(id);
      expect(words.includes(evidence), id).toBe(isWhole);
      expect(words.includes(fix), id).toBe(isWhole);
      expect(
        lines.some((line) => line.trim() === fixLine),
        id,
      ).toBe(isWhole);
    }
  });

  test("names the cap that limits the score at its start", () => {
    expect(lines.filter((line) => line.startsWith("At most"))).toEqual([
      "At most 20  It is low. (b.low)",
    ]);
  });

  test("ends with the gate, the quota and the score", () => {
    expect(lines.slice(-4)).toEqual([
      "✗ not met: score 59, minimum 80",
      "Gate: 0 of 1 condition met",
      "288 of 300 checks left this month.",
      "59/100 Do not ship",
    ]);
  });

  test("names only incomplete categories", () => {
    expect(lines.filter((line) => /█|░/.test(line)).map((line) => line.split("  ")[0])).toEqual([
      "59/100",
      "Security headers",
      "Files and links",
    ]);
  });

  test("with --all shows every costly finding in full, all free findings, every cap and category", () => {
    const whole = linesOf(
      { ...TWELVE, findings: [...TWELVE.findings, ...CHECK.findings] },
      { isWhole: true },
    );
    const words = wordsOf(whole);
    for (const { evidence, fix } of TWELVE.findings) {
      for (const part of [evidence, fix]) expect(words).toContain(part);
    }
    for (const text of ["At most 79  ", "At most 20  "]) expect(whole.join("\n")).toContain(text);
    for (const text of [
      "TLS and certificate █",
      "tls.chain: The certificate is trusted Chain of 3.",
    ])
      expect(words).toContain(text);
  });
});

describe("the list of new findings since a baseline", () => {
  const before = { ...TWELVE, findings: [], caps: [] };
  const ids = ["b.low", "c.high", "d.most", "a.number-0"];

  test.each([
    ["en", `new ${ids.join(", ")}, `],
    ["fr", `nouveaux ${ids.join(", ")}, `],
  ] as const)("is grouped if it would fill the screen, in %s", (language, gathered) => {
    expect(wordsOf(linesOf(TWELVE, { before, language }))).toContain(gathered);
  });

  test("has a line for each finding with --all, and if there is room", () => {
    const lines = linesOf(TWELVE, { before, isWhole: true });
    expect(lines).toEqual(expect.arrayContaining(ids.map((id) => `new ${id}`)));
    expect(linesOf(CHECK, { before: { ...CHECK, findings: [] } })).toContain("new asset.broken");
  });
});

test("the line to paste is unbroken at any width", () => {
  const fixLine = `Content-Security-Policy: default-src ${"'self' ".repeat(20)}`.trim();
  const finding = findingOf("hdr.csp", { fix: "Send this policy.", fixLine });
  const lines = linesOf({ ...CHECK, findings: [finding] }, { columns: 40 });
  expect(lines).toContain(`             ${fixLine}`);
  expect(wordsOf(lines).split("Content-Security-Policy")).toHaveLength(2);
});

test("several lines to paste follow the fix, each on its own line", () => {
  const pasted = ["Cache-Control: no-cache", 'add_header Cache-Control "no-cache" always;'];
  const fix = "Send the Cache-Control header.";
  const finding = findingOf("perf.cache", { fix, fixLine: pasted.join("\n") });
  const lines = linesOf({ ...CHECK, findings: [finding] });
  const start = lines.findIndex((line) => line.startsWith("      Fix"));
  const block = lines.slice(start, start + 3).map((line) => line.trim().replace(/^Fix +/, ""));
  expect(block).toEqual([fix, ...pasted]);
});

test("the root cause listed first has its line at the position of its cap", () => {
  const answer = answerWithStatus(500);
  const lines = linesOf({ ...answer, findings: [findingOf("hdr.other"), ...answer.findings] });
  const costs = lines.filter((line) => /^ *\+[\d.]+ {2}/.test(line));
  expect(costs[0]).toMatch(/reach\.status: .*\(caps the score at/);
  expect(costs[1]).toContain("hdr.other");
});

test("a page with more faults than a screen has lines still shows three of them in full", () => {
  const faults = Array.from({ length: 30 }, (_, index) => findingOf(`z.more-${index}`));
  const lines = linesOf({ ...TWELVE, findings: [...TWELVE.findings, ...faults] });
  expect(lines.filter((line) => line.trim().startsWith("Found"))).toHaveLength(3);
});

test("a report too long for a screen is not cut", () => {
  const require = Array.from({ length: 40 }, (_, index) => `hdr.asked-${index}`);
  const lines = linesOf(TWELVE, { require });
  expect(lines.filter((line) => line.trim().startsWith("Found"))).toHaveLength(3);
  expect(lines.some((line) => /^Security headers +█/.test(line))).toBe(true);
});

test("with many faults on a page, categories move side by side before their bars are dropped", () => {
  const categories = ["tls", "headers", "cookies", "html", "assets", "performance"];
  const evidence = "A sentence of some length about what was found. ".repeat(3);
  const lines = linesOf({
    ...TWELVE,
    categories: categories.map((id) => ({ id, earned: 3, points: 9 })),
    findings: TWELVE.findings.map((finding) => ({ ...finding, evidence: evidence.trim() })),
  });
  expect(lines.find((line) => line.startsWith("TLS "))).toMatch(
    /^TLS and certificate +█+░+ {2}3 of 9 +HTML and search engines +█+░+ {2}3 of 9$/,
  );
});

describe("a rule is a link to its documentation", () => {
  const linked = (id: string) =>
    `\u001b]8;;https://shipscore.example/team/docs/rules#${id}\u001b\\${id}\u001b]8;;\u001b\\`;

  test("on a terminal with links, without a change of the text", () => {
    const lines = linesOf(TWELVE, { hasLinks: true });
    for (const { id } of TWELVE.findings)
      expect(lines.filter((line) => line.includes(linked(id)))).toHaveLength(1);
    const plain = lines.join("\n").replaceAll(/\u001b\]8;;.*?\u001b\\/g, "");
    for (const line of plain.split("\n")) expect(line).not.toContain("\u001b");
  });

  test("and on no other", () => expect(linesOf(TWELVE).join("\n")).not.toContain("\u001b"));
});

/** The cases that cost points on a page that was seen, by rule. */
const COSTLY = new Map<string, RuleCase[]>();
for (const one of CASES) {
  const [id, status] = one;
  const isPageSeen = !/^reach\.(?:dns|connect|status|html)/.test(id);
  if ((status === "fail" || status === "partial") && isPageSeen)
    COSTLY.set(id, [...(COSTLY.get(id) ?? []), one]);
}

/** The finding of a case with its cap, as the real rule words them. */
function wordCase([id, , , edit]: RuleCase, language: Language) {
  const result = scoreOf(judgeBy(id, evidenceWith(edit)), language);
  const findings = result.findings.filter((finding) => finding.id === id);
  return { findings, caps: result.caps.filter(({ findingId }) => findingId === id) };
}

describe.each(["en", "fr"] as const)("twelve findings in the rules' words, in %s", (language) => {
  const good = scoreEvidence(
    evidenceWith(() => {}),
    language,
  );

  function checkFrom(start: number): ReceivedCheck {
    const rules = [...COSTLY.values()];
    const picked = Array.from({ length: 12 }, (_, index) => {
      const cases = rules[(start + index * 3) % rules.length] ?? [];
      return wordCase(cases[start % cases.length] as RuleCase, language);
    });
    const costs = picked.flatMap(({ findings }) => findings);
    const isPicked = (id: string) => costs.some((finding) => finding.id === id);
    const findings = [...good.findings.filter(({ id }) => !isPicked(id)), ...costs];
    const categories = good.categories.map(({ id, points }) => {
      const own = findings.filter(({ category }) => category === id);
      return { id, points, earned: own.reduce((sum, { earned }) => sum + earned, 0) };
    });
    const caps = picked.flatMap((one) => one.caps);
    return { ...CHECK, ...good, score: 45, verdict: "do_not_ship", findings, caps, categories };
  }

  const before = { ...CHECK, ...good };
  const checks = [...COSTLY.keys()].flatMap((_, start) =>
    start % ONE_IN === 0 ? [checkFrom(start)] : [],
  );

  describe.each([
    ["", {}],
    [" that are all new", { before }],
    [" that are all new and fail the gate", { before, failOnNew: true }],
  ] as const)("%s", (_, options) => {
    test.each([
      [60, 50],
      [80, 45],
      [100, 45],
    ])("at %i columns take at most %i lines", (columns, most) => {
      for (const check of checks) {
        const lines = linesOf(check, { columns, language, ...options });
        expect(lines.length).toBeLessThanOrEqual(most);
        const brief = lines.filter((line) => /^ {0,2}\+[\d.,]+ {2}/.test(line));
        expect(brief).toHaveLength(12);
      }
    });
  });
});

describe("in French", () => {
  test("the labels are French too", () => {
    expect(linesOf(CHECK, { language: "fr", canDraw: false }).join("\n")).toMatchInlineSnapshot(`
      "https://example.com/
      URL finale https://www.example.com/
      59/100  Ne pas livrer
      règles 2026.1, 1 règle (1 point) n'a pas pu être vérifiée, 0,8 s

      Au plus 59  A script of the page does not load. (asset.broken)

      En-têtes de sécurité   14 sur 18
      Fichiers et liens     3,5 sur  8

      À corriger d'abord

      +4,5  asset.broken : A script or stylesheet does not load (plafonne le score à
            59)
            Constaté    GET https://www.example.com/app.js answered 404.
            Correction  Publish /app.js, or remove the script element on line 12.
            0 sur 4,5 points, https://shipscore.example/team/docs/rules#asset.broken

        +4  hdr.csp : The Content-Security-Policy stops little
            Constaté    script-src 'unsafe-inline' lets any injected script run.
            Correction  Give each script a nonce, and remove 'unsafe-inline' from
                        script-src.
            3 sur 7 points, https://shipscore.example/team/docs/rules#hdr.csp

      1 point non vérifié : perf.http2 indéterminée. The handshake timed out.

      1 règle réussie ; --all affiche tout.

      non remplie : score 59, minimum 80
      Conditions : 0 remplie sur 1
      Il reste 288 vérifications sur 300 ce mois-ci.
      59/100 Ne pas livrer"
    `);
  });

  test("a page that could not be assessed says so first", () => {
    const lines = linesOf(answerWithStatus(403), { language: "fr" });
    expect(lines[0]).toMatch(/^Non vérifiée\u00a0: /);
    expect(lines.find((line) => line.startsWith("En-têtes"))).toMatch(
      /^En-têtes de sécurité +░+ {2}non vérifié$/,
    );
    expect(lines.at(-1)).toBe("28/100 Non concluant");
  });
});
