import type { Acceptance } from "../../shared/acceptance.ts";
import type { ReceivedCheck, ReceivedLastShip } from "../client/received.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import {
  describeObstacles,
  isUnjudged,
  listObstacles,
  type Obstacle,
  sumOf,
  tallyCategory,
} from "../../shared/report/obstacles.ts";
import type { ReportLanguage, Words } from "../../shared/report/reported.ts";
import { describeStatus, say } from "../../shared/report/words.ts";
import type { Comparison } from "../../shared/report/compare.ts";
import { type Accepted, acceptFindings, acceptIn } from "./accepted.ts";
import { GATE_WORDS, type Reference } from "./gate-words.ts";

/** What is asked of a page. With no condition, the gate is open. */
export interface GateFlags {
  readonly minScore?: number;
  readonly minCategory?: readonly CategoryMinimum[];
  readonly require?: readonly string[];
  readonly maxDrop?: number;
  readonly failOn?: "new";
  readonly missingBaseline?: "fail" | "pass";
}

export interface CategoryMinimum {
  readonly id: string;
  readonly points: number;
}

/** What a page is compared with, where that was asked. */
export interface Against {
  /** Null where nothing was shipped. */
  readonly lastShip?: ReceivedLastShip["lastShip"];
  /** Null where the baseline does not have the page. */
  readonly comparison?: Comparison | null;
}

/** One thing that was asked for, as its flag says it, and what came of it. */
export interface Condition {
  readonly asked: string;
  readonly isMet: boolean;
  readonly text: string;
}

/** All conditions, met or not, and the exit code that they decide. */
export interface Gate {
  readonly conditions: readonly Condition[];
  readonly exitCode: ExitCode;
  /** What the gate counts as passed; absent where that is nothing. */
  readonly accepted?: Accepted;
}

type Judged = Pick<
  ReceivedCheck,
  "score" | "scoreRange" | "coverage" | "verdict" | "ruleset" | "categories" | "findings" | "caps"
>;

/** A condition in both languages. */
type Ruling = Omit<Condition, "text"> & { readonly text: Words };

/** `Gate: 2 of 3 conditions met`; empty without conditions. */
export function describeGates(gates: readonly Gate[], language: ReportLanguage): string {
  const conditions = gates.flatMap((gate) => gate.conditions);
  const met = conditions.filter(({ isMet }) => isMet);
  return conditions.length === 0
    ? ""
    : say(GATE_WORDS.total(met.length, conditions.length), language);
}

export function describeCondition(
  { isMet, text }: Condition,
  language: ReportLanguage = "en",
): string {
  return say(isMet ? GATE_WORDS.met : GATE_WORDS.unmet, language) + text;
}

const CONCLUSIVE: readonly string[] = ["ship", "ship_with_warnings", "do_not_ship"];
const PASSING: readonly string[] = ["pass", "not_applicable", "accepted"];

const NOTHING: Words = { fr: "", en: "" };

const join = (one: Words, other: Words): Words => ({
  fr: one.fr + other.fr,
  en: one.en + other.en,
});

const inBoth = (describe: (language: ReportLanguage) => string): Words => ({
  fr: describe("fr"),
  en: describe("en"),
});

const nameObstacles = (obstacles: readonly Obstacle[]) =>
  inBoth((language) => describeObstacles(obstacles, language));

/** The score without the points of findings that a failure blocks, since nothing was seen of them. */
function countScore({ score, categories, findings }: Judged): number {
  const blocked = sumOf(findings.filter(isUnjudged), "earned");
  return blocked > 0 ? Math.min(score, Math.floor(sumOf(categories, "earned") - blocked)) : score;
}

/** What points that were not judged mean for a score that is too low. */
function describeDoubt(check: Judged, leastAsked: number): Words {
  const { score, scoreRange } = check;
  const counted = countScore(check);
  if (counted >= leastAsked) return NOTHING;
  const why = nameObstacles(listObstacles(check));
  if (counted < score) return GATE_WORDS.scoreSeen(counted, why);
  const isOpen = scoreRange.max > score && scoreRange.max >= leastAsked;
  return isOpen ? GATE_WORDS.scoreOpen(scoreRange.max, why) : NOTHING;
}

function requireScore(check: Judged, minScore: number): Ruling {
  return {
    asked: `--min-score ${minScore}`,
    isMet: countScore(check) >= minScore,
    text: join(GATE_WORDS.score(check.score, minScore), describeDoubt(check, minScore)),
  };
}

function requireCategory(check: Judged, minimum: CategoryMinimum): Ruling {
  const { id } = minimum;
  const asked = `--min-category ${id}=${minimum.points}`;
  const category = check.categories.find((each) => each.id === id);
  if (!category) return { asked, isMet: false, text: GATE_WORDS.noCategory(id) };
  const { earned, points, unjudged, unjudgedPoints, isJudged } = tallyCategory(check, category);
  const isMet = earned >= minimum.points;
  const why = nameObstacles(listObstacles(check, unjudged));
  if (!isJudged) return { asked, isMet, text: GATE_WORDS.notJudged(id, why) };
  const isSure = isMet || unjudged.length === 0;
  const doubt = isSure ? NOTHING : GATE_WORDS.categoryDoubt(unjudgedPoints, why);
  return {
    asked,
    isMet,
    text: join(GATE_WORDS.category(id, earned, points, minimum.points), doubt),
  };
}

function requirePass(check: Judged, id: string): Ruling {
  const asked = `--require ${id}`;
  const own = check.findings.filter((finding) => finding.id === id || finding.category === id);
  if (own.length === 0) return { asked, isMet: false, text: GATE_WORDS.noFinding(id) };
  const others = own.filter(({ status }) => !PASSING.includes(status));
  if (others.length === 0) return { asked, isMet: true, text: GATE_WORDS.passes(id) };
  const obstacles = listObstacles(check, own);
  if (own.every(isUnjudged) && obstacles.every(({ root }) => root.id !== id))
    return { asked, isMet: false, text: GATE_WORDS.notJudged(id, nameObstacles(obstacles)) };
  const seen = inBoth((language) =>
    others
      .map((one) => ({ ...one, said: describeStatus(one.status, language) }))
      .map((one) => (one.id === id ? one.said : `${one.id} ${one.said}`))
      .join(", "),
  );
  return { asked, isMet: false, text: GATE_WORDS.mustPass(id, seen) };
}

/** What a score is compared with. */
interface Earlier {
  readonly reference: Reference;
  readonly score: number | null;
  /** The score without what was not judged. */
  readonly counted: number | null;
  readonly verdict: string | null;
  readonly ruleset: string | null;
}

function findEarlier({ lastShip, comparison }: Against): Earlier | Words {
  if (lastShip) return { reference: "lastShip", ...lastShip, counted: lastShip.score };
  if (lastShip === null) return GATE_WORDS.neverShipped;
  if (comparison) {
    const { before } = comparison;
    return { reference: "baseline", ...before, counted: countScore(before) };
  }
  return GATE_WORDS.notInBaseline;
}

function requireDrop(check: Judged, flags: GateFlags, against: Against): Ruling {
  const maxDrop = flags.maxDrop ?? 0;
  const asked = `--max-drop ${maxDrop}`;
  const missing = (why: Words) => ({
    asked,
    isMet: flags.missingBaseline === "pass",
    text: GATE_WORDS.noBaseline(why),
  });
  const earlier = findEarlier(against);
  if (!("reference" in earlier)) return missing(earlier);
  const { reference, score, counted, verdict, ruleset } = earlier;
  if (score === null || counted === null) return missing(GATE_WORDS.noScore(reference));
  if (verdict !== null && !CONCLUSIVE.includes(verdict))
    return missing(GATE_WORDS.noVerdict(reference, verdict));
  if (ruleset !== check.ruleset)
    return missing(GATE_WORDS.otherRuleset(reference, ruleset, check.ruleset));
  return {
    asked,
    isMet: counted - countScore(check) <= maxDrop,
    text: join(
      GATE_WORDS.drop(check.score, score, maxDrop),
      describeDoubt(check, counted - maxDrop),
    ),
  };
}

function refuseNew(flags: GateFlags, { comparison }: Against): Ruling {
  const asked = "--fail-on new";
  if (!comparison) {
    const text = GATE_WORDS.noBaseline(GATE_WORDS.notInBaseline);
    return { asked, isMet: flags.missingBaseline === "pass", text };
  }
  const { worse, unjudged } = comparison;
  const doubt = unjudged.length > 0 ? GATE_WORDS.unseen(unjudged.length) : NOTHING;
  return { asked, isMet: worse.length === 0, text: join(GATE_WORDS.newFindings(worse), doubt) };
}

/**
 * Decides between exit 0, 1 and 4. What was not judged earns nothing. A verdict that this version does not know decides
 * nothing, as `inconclusive` does.
 * @param against what `maxDrop` and `failOn` compare with
 * @param language of what the conditions say
 * @param accepted the findings that count as passed
 */
export function evaluateGate(
  check: Judged,
  flags: GateFlags,
  against: Against = {},
  language: ReportLanguage = "en",
  accepted: readonly Acceptance[] = [],
): Gate {
  if (accepted.length === 0) return decide(check, flags, against, language);
  const passed = acceptFindings(check, accepted);
  const gate = decide(passed, flags, acceptIn(against, accepted), language);
  return { ...gate, accepted: { score: passed.score, findings: accepted } };
}

function decide(check: Judged, flags: GateFlags, against: Against, language: ReportLanguage): Gate {
  const rulings = [
    ...(flags.minScore === undefined ? [] : [requireScore(check, flags.minScore)]),
    ...(flags.minCategory ?? []).map((minimum) => requireCategory(check, minimum)),
    ...(flags.require ?? []).map((id) => requirePass(check, id)),
    ...(flags.maxDrop === undefined ? [] : [requireDrop(check, flags, against)]),
    ...(flags.failOn === undefined ? [] : [refuseNew(flags, against)]),
  ];
  if (rulings.length === 0) return { conditions: [], exitCode: EXIT.done };
  const isDecided = CONCLUSIVE.includes(check.verdict);
  const undecided = {
    asked: "verdict",
    isMet: false,
    text: GATE_WORDS.undecided(check.verdict),
  };
  const conditions = [...rulings, ...(isDecided ? [] : [undecided])].map((ruling) => ({
    ...ruling,
    text: say(ruling.text, language),
  }));
  if (!isDecided) return { conditions, exitCode: EXIT.inconclusive };
  const isMet = conditions.every((condition) => condition.isMet);
  return { conditions, exitCode: isMet ? EXIT.done : EXIT.unmet };
}
