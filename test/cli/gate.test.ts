import { describe, expect, test } from "vitest";
import { type Against, evaluateGate, type GateFlags } from "../../shared/report/gate.ts";
import { describeCondition } from "../../shared/report/gate-words.ts";
import { compareChecks, type Comparison } from "../../shared/report/compare.ts";
import type { ReceivedCheck } from "../../cli/client/api-responses.ts";
import { CHECK, LAST_SHIP } from "../harness/contract-double.ts";
import { stopAt } from "../engine/judge/cases/page-edits.ts";
import { expired } from "../engine/judge/cases/tls-edits.ts";
import { answerOf, answerWithStatus } from "./reports/runs.ts";

/** 59 points, do_not_ship; tls 16 of 16, headers 14 of 18, assets 3.5 of 8; one finding of each status. */
const judge = (flags: GateFlags, edit: object = {}, against?: Against) => {
  const gate = evaluateGate({ ...CHECK, ...edit }, flags, against);
  const code = { met: 0, unmet: 1, undecided: 4 }[gate.result];
  return [code, ...gate.conditions.map((condition) => describeCondition(condition))];
};

test.each<[flags: GateFlags, line: string]>([
  [{ minScore: 60 }, "score 59, minimum 60"],
  [{ minCategory: [{ id: "headers", points: 14.5 }] }, "headers 14 of 18, minimum 14.5"],
  [{ minCategory: [{ id: "speed", points: 0 }] }, "this result has no category speed"],
  [{ require: ["asset.broken"] }, "required asset.broken: fail"],
  [{ require: ["hdr.csp"] }, "required hdr.csp: partial"],
  [{ require: ["perf.http2"] }, "required perf.http2: unknown"],
  [{ require: ["assets"] }, "required assets: asset.broken fail"],
  [{ require: ["hdr.nonesuch"] }, "this result has no rule and no category hdr.nonesuch"],
])("a condition that is not met exits 1 %j", (flags, line) => {
  expect(judge(flags)).toEqual([1, `not met: ${line}`]);
});

test.each<[flags: GateFlags, line: string]>([
  [{ minScore: 59 }, "score 59, minimum 59"],
  [{ minScore: 0 }, "score 59, minimum 0"],
  [{ minCategory: [{ id: "assets", points: 3.5 }] }, "assets 3.5 of 8, minimum 3.5"],
  [{ require: ["tls.chain"] }, "required tls.chain: pass"],
  [{ require: ["tls"] }, "required tls: pass"],
])("a condition that is met exits 0 %j", (flags, line) => {
  expect(judge(flags)).toEqual([0, `met: ${line}`]);
});

describe("what was not assessed does not count:", () => {
  const broken = answerWithStatus(500);
  const pointsOf = (id: string) => broken.categories.find((each) => each.id === id)?.points ?? 0;
  const headers = { id: "headers", points: pointsOf("headers") };
  const open = answerWithStatus(403);
  const findings = broken.findings.map((finding) => ({ ...finding, blockedBy: undefined }));
  const older = { ...broken, findings };
  const FAILED = "reach.status failed";

  test.each<[why: string, flags: GateFlags, answer: object, what: string, blocker: string]>([
    ["a category that a failure blocks", { minCategory: [headers] }, broken, "headers", FAILED],
    ["a finding that it blocks", { require: ["hdr.csp"] }, broken, "hdr.csp", FAILED],
    ["all findings of a category", { require: ["headers"] }, broken, "headers", FAILED],
    ["one alone", { require: ["tls.expiry"] }, answerOf(expired), "tls.expiry", "tls.chain failed"],
    ["a category not seen", { minCategory: [headers] }, open, "headers", "reach.status unknown"],
    ["a server that names no blocker", { require: ["headers"] }, older, "headers", FAILED],
    ["nor a cap", { require: ["headers"] }, { ...older, caps: [] }, "headers", FAILED],
  ])("%s", (_, flags, answer, what, blocker) => {
    const exitCode = answer === open ? 4 : 1;
    const told = `not met: ${what} not checked: ${blocker}`;
    expect(judge(flags, answer).slice(0, 2)).toEqual([exitCode, told]);
  });

  test("one finding of a category", () => {
    expect(judge({ require: ["tls"] }, answerOf(expired)).slice(0, 2)).toEqual([
      1,
      expect.stringMatching(/: required tls: tls\.chain fail, .*tls\.expiry blocked$/),
    ]);
  });

  test("some points of a category", () => {
    const answer = answerOf(expired);
    const tls = answer.categories.find(({ id }) => id === "tls");
    const asked = { id: "tls", points: tls?.earned ?? 0 };
    expect(judge({ minCategory: [asked] }, answer)).toEqual([
      1,
      expect.stringMatching(
        /^not met: tls [\d.]+ of [\d.]+, minimum [\d.]+; [\d.]+ not checked: tls\.chain failed$/,
      ),
    ]);
    expect(judge({ minCategory: [{ ...asked, points: 1 }] }, answer)[0]).toBe(0);
  });

  test("a score's points under a cap", () => {
    const circles = answerOf(stopAt("loop"));
    const [exitCode, line] = judge({ minScore: circles.score }, circles);
    const counted = Number(
      /; (\d+) without what was not checked: redir\.chain failed$/.exec(String(line))?.[1],
    );
    expect([exitCode, counted < circles.score]).toEqual([1, true]);
    expect(judge({ minScore: counted }, circles)[0]).toBe(0);
  });

  test("with a note that the score may be higher", () => {
    const answer = { score: 76, scoreRange: { min: 76, max: 84 }, verdict: "ship_with_warnings" };
    expect(judge({ minScore: 80 }, answer)).toEqual([
      1,
      "not met: score 76, minimum 80; up to 84 once everything is checked: perf.http2 unknown",
    ]);
    expect(judge({ minScore: 85 }, answer)).toEqual([1, "not met: score 76, minimum 85"]);
  });
});

test("all conditions are reported, and one unmet condition fails the gate", () => {
  expect(judge({ minScore: 50, require: ["tls", "hdr.csp"] })).toEqual([
    1,
    "met: score 59, minimum 50",
    "met: required tls: pass",
    "not met: required hdr.csp: partial",
  ]);
});

test.each(["inconclusive", "ship_on_fridays"])(
  "an inconclusive or unknown verdict exits 4 %s",
  (verdict) => {
    for (const [score, met] of [
      [90, "met"],
      [10, "not met"],
    ] as const)
      expect(judge({ minScore: 80 }, { score, verdict })).toEqual([
        4,
        `${met}: score ${score}, minimum 80`,
        `not met: verdict ${verdict}, so nothing can be decided`,
      ]);
  },
);

test.each(["inconclusive", "do_not_ship"])("without a condition %s exits 0", (verdict) => {
  expect(judge({}, { score: 0, verdict })).toEqual([0]);
});

describe("--max-drop", () => {
  const { lastShip } = LAST_SHIP;
  const ship = (edit: object): Against => ({ lastShip: lastShip && { ...lastShip, ...edit } });

  test.each<[why: string, against: Against, line: string]>([
    [
      "nothing was shipped",
      { lastShip: null },
      "since nothing has been deployed to production yet",
    ],
    [
      "it has no score",
      ship({ score: null }),
      "since the last production deployment has no score yet",
    ],
    [
      "it could not be judged",
      ship({ verdict: "inconclusive", score: 35 }),
      "since the last production deployment has the verdict inconclusive",
    ],
    [
      "it has another ruleset",
      ship({ ruleset: "2026.0" }),
      "since the last production deployment was assessed with ruleset 2026.0, not 2026.1",
    ],
  ])("has no baseline if %s: it fails, or passes with the option for that", (_, against, line) => {
    const text = `no baseline to compare with, ${line}`;
    expect(judge({ maxDrop: 100 }, {}, against)).toEqual([1, `not met: ${text}`]);
    expect(judge({ maxDrop: 0, missingBaseline: "pass" }, {}, against)).toEqual([
      0,
      `met: ${text}`,
    ]);
  });

  test.each<[drop: number, score: number, exitCode: number]>([
    [28, 88, 1],
    [29, 88, 0],
    [0, 59, 0],
    [0, 40, 0],
  ])("of %i from %i to 59", (maxDrop, score, exitCode) => {
    const met = exitCode === 0 ? "met" : "not met";
    const line = `${met}: score 59, was ${score}; maximum drop ${maxDrop}`;
    expect(judge({ maxDrop }, {}, ship({ score }))).toEqual([exitCode, line]);
  });
});

/** CHECK as it was before, with one finding's answer and its caps. */
const before = (id: string, edit: object, caps = CHECK.caps): ReceivedCheck => ({
  ...CHECK,
  caps,
  findings: CHECK.findings.map((one) => (one.id === id ? { ...one, ...edit } : one)),
});

describe("a finding since the baseline", () => {
  const cap = { findingId: "hdr.csp", limit: 79, reason: "Because." };
  const full = { status: "pass", earned: 7 };
  const none = { worse: [], fixed: [], unjudged: [] };

  const [CSP, ASSET] = ["hdr.csp", "asset.broken"];
  const uncapped = before("", {}, []);
  const capped = (findingId: string) => before("", {}, [...CHECK.caps, { ...cap, findingId }]);
  const lower = before("", {}, [{ ...cap, findingId: ASSET }]);
  const unknown = before("tls.chain", { status: "unknown", earned: 0 });
  const blocked = { status: "blocked" };
  const known = before("perf.http2", { status: "pass", earned: 1 });
  const fewer = { ...CHECK, findings: CHECK.findings.slice(1) };
  const otherPoints = { ...before("tls.chain", { points: 8, earned: 8 }), ruleset: "2026.0" };

  test.each<[what: string, earlier: ReceivedCheck, now: ReceivedCheck, changes: object]>([
    ["earns less", before(CSP, full), CHECK, { worse: [CSP] }],
    ["caps the score", uncapped, CHECK, { worse: [ASSET] }],
    ["caps it lower", lower, CHECK, { worse: [ASSET] }],
    ["earns more under a new cap", before(CSP, { earned: 0 }), capped(CSP), { worse: [CSP] }],
    ["earns more", CHECK, before(CSP, full), { fixed: [CSP] }],
    ["caps no more", CHECK, uncapped, { fixed: [ASSET] }],
    ["is not known any more", CHECK, unknown, { unjudged: ["tls.chain"] }],
    ["is blocked", CHECK, before(CSP, blocked), { unjudged: [CSP] }],
    ["is still not known", CHECK, CHECK, {}],
    ["was not known", CHECK, known, { unchangedCount: 4 }],
    [
      "was blocked, and earns less than that counted",
      before(CSP, { ...blocked, earned: 7 }),
      CHECK,
      { worse: [CSP] },
    ],
    ["was not recorded", fewer, CHECK, { worse: [CSP] }],
    ["has no counterpart in the former ruleset", { ...fewer, ruleset: "2026.0" }, CHECK, {}],
    ["had other points in the former ruleset", otherPoints, CHECK, {}],
  ])("%s", (_, earlier, now, changes) => {
    expect(compareChecks(earlier, now)).toMatchObject({ ...none, ...changes });
  });
});

describe("--fail-on-new", () => {
  const NEW = "2 new since the baseline, none allowed: asset.broken, hdr.csp";
  const NO_PAGE = "no baseline to compare with, since the baseline does not include this page";
  const UNJUDGED = "nothing new since the baseline; 1 not checked";
  const more = before("hdr.csp", { earned: 7 }, []);
  const known = before("perf.http2", { status: "pass", earned: 1 });

  test.each<[why: string, comparison: Comparison | null, exitCode: number, line: string]>([
    ["what earned more before", compareChecks(more, CHECK), 1, NEW],
    ["a page that the baseline does not have", null, 1, NO_PAGE],
    ["nothing", compareChecks(CHECK, CHECK), 0, "nothing new since the baseline"],
    ["nothing that was judged", compareChecks(known, CHECK), 0, UNJUDGED],
  ])("rejects %s", (_, comparison, exitCode, line) => {
    const said = `${exitCode === 0 ? "met" : "not met"}: ${line}`;
    expect(judge({ failOnNew: true }, {}, { comparison })).toEqual([exitCode, said]);
  });
});

describe("--max-drop after a baseline", () => {
  const after = (edit: object): Against => ({
    comparison: compareChecks({ ...CHECK, ...edit }, CHECK),
  });
  const NONE = "no baseline to compare with, since the baseline";
  test.each<[why: string, edit: object, exitCode: number, line: string]>([
    ["has fallen by more", { score: 90, verdict: "ship" }, 1, "score 59, was 90; maximum drop 5"],
    [
      "was judged by another ruleset",
      { ruleset: "2026.0" },
      1,
      `${NONE} was assessed with ruleset 2026.0, not 2026.1`,
    ],
    ["could not be judged", { verdict: "inconclusive" }, 1, `${NONE} has the verdict inconclusive`],
    ["has not", {}, 0, "score 59, was 59; maximum drop 5"],
  ])("%s", (_, edit, exitCode, line) => {
    const told = `${exitCode === 0 ? "met" : "not met"}: ${line}`;
    expect(judge({ maxDrop: 5 }, {}, after(edit))).toEqual([exitCode, told]);
  });

  test("a page as broken as before has not dropped", () => {
    const broken = { ...answerWithStatus(500), ruleset: CHECK.ruleset };
    const against = { comparison: compareChecks(broken, broken) };
    expect(judge({ maxDrop: 0 }, broken, against)[0]).toBe(0);
  });
});

test("in French, the conditions are in French", () => {
  const flags = { minScore: 60, minCategory: [{ id: "assets", points: 4.5 }], require: ["assets"] };
  const { conditions } = evaluateGate(CHECK, flags, {}, "fr");
  expect(conditions.map((condition) => describeCondition(condition, "fr"))).toEqual([
    "non remplie\u00a0: score 59, minimum 60",
    "non remplie\u00a0: assets 3,5 sur 8, minimum 4,5",
    "non remplie\u00a0: assets (obligatoire)\u00a0: asset.broken en échec",
  ]);
});
