import type { Language, Text } from "../language.ts";
import type { Acceptance } from "../acceptance.ts";
import type { LastShip } from "../last-ship.ts";
import type { Comparison } from "./compare.ts";
import { GATE_WORDS, type Reference } from "./gate-words.ts";
import {
  describeObstacles,
  isUnjudged,
  listObstacles,
  type Obstacle,
  sumOf,
  tallyCategory,
} from "./obstacles.ts";
import { acceptFindings } from "./passed.ts";
import type { Opened, ReportedCheck } from "./reported.ts";
import { describeStatus, say } from "./words.ts";

/** Without any condition, the gate is open. */
export interface GateFlags {
  readonly minScore?: number;
  readonly minCategory?: readonly CategoryMinimum[];
  readonly require?: readonly string[];
  readonly maxDrop?: number;
  readonly failOnNew?: boolean;
  readonly missingBaseline?: "fail" | "pass";
}

export interface CategoryMinimum {
  readonly id: string;
  readonly points: number;
}

type Scored = Pick<Opened<LastShip>, "score" | "verdict" | "ruleset">;

export interface Against {
  /** Null if nothing was deployed to production. */
  readonly lastShip?: Scored | null;
  /** Null if the baseline does not have the page. */
  readonly comparison?: Comparison | null;
  /** Without acceptances, since the score of the last production deployment has none. */
  readonly unaccepted?: Judged;
}

/** `asked` is the condition as its flag states it; `brief` is a failure in few words. */
export interface Condition {
  readonly asked: string;
  readonly isMet: boolean;
  readonly brief: string;
  readonly text: string;
}

export interface Accepted {
  readonly score: number;
  readonly findings: readonly Acceptance[];
}

/** `undecided`: the verdict is inconclusive or unknown. */
export interface Gate {
  readonly conditions: readonly Condition[];
  readonly result: "met" | "unmet" | "undecided";
  readonly accepted?: Accepted;
}

type Judged = Pick<
  ReportedCheck,
  "score" | "scoreRange" | "coverage" | "verdict" | "ruleset" | "categories" | "findings" | "caps"
>;

interface Ruling {
  readonly isMet: boolean;
  readonly text: Text;
}

const unmet = (text: Text): Ruling => ({ isMet: false, text });

const CONCLUSIVE: readonly string[] = ["ship", "ship_with_warnings", "do_not_ship"];
const PASSING: readonly string[] = ["pass", "not_applicable", "accepted"];

const NOTHING: Text = { fr: "", en: "" };

const inBoth = (describe: (language: Language) => string): Text => ({
  fr: describe("fr"),
  en: describe("en"),
});

const join = (one: Text, other: Text) => inBoth((language) => one[language] + other[language]);

const nameObstacles = (obstacles: readonly Obstacle[]) =>
  inBoth((language) => describeObstacles(obstacles, language));

/** Blocked findings count as earned in the score, but were not assessed. */
function countScore({ score, categories, findings }: Judged): number {
  const blocked = sumOf(findings.filter(isUnjudged), "earned");
  return blocked > 0 ? Math.min(score, Math.floor(sumOf(categories, "earned") - blocked)) : score;
}

function describeDoubt(check: Judged, leastAsked: number): Text {
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
    isMet: countScore(check) >= minScore,
    text: join(GATE_WORDS.score(check.score, minScore), describeDoubt(check, minScore)),
  };
}

function requireCategory(check: Judged, { id, points: least }: CategoryMinimum): Ruling {
  const category = check.categories.find((each) => each.id === id);
  if (!category) return unmet(GATE_WORDS.noCategory(id));
  const { earned, points, unjudged, unjudgedPoints, isJudged } = tallyCategory(check, category);
  const isMet = earned >= least;
  const why = nameObstacles(listObstacles(check, unjudged));
  if (!isJudged) return { isMet, text: GATE_WORDS.notChecked(id, why) };
  const isSure = isMet || unjudged.length === 0;
  const doubt = isSure ? NOTHING : GATE_WORDS.categoryDoubt(unjudgedPoints, why);
  return { isMet, text: join(GATE_WORDS.category(id, earned, points, least), doubt) };
}

function requirePass(check: Judged, id: string): Ruling {
  const own = check.findings.filter((finding) => finding.id === id || finding.category === id);
  if (own.length === 0) return unmet(GATE_WORDS.noFinding(id));
  const others = own.filter(({ status }) => !PASSING.includes(status));
  if (others.length === 0) return { isMet: true, text: GATE_WORDS.passes(id) };
  const obstacles = listObstacles(check, own);
  if (own.every(isUnjudged) && obstacles.every(({ root }) => root.id !== id))
    return unmet(GATE_WORDS.notChecked(id, nameObstacles(obstacles)));
  const seen = inBoth((language) =>
    others
      .map((one) => (one.id === id ? "" : `${one.id} `) + describeStatus(one.status, language))
      .join(", "),
  );
  return unmet(GATE_WORDS.mustPass(id, seen));
}

interface Earlier extends Scored {
  readonly reference: Reference;
  /** The score without unassessed points. */
  readonly counted: number | null;
}

function findEarlier({ lastShip, comparison }: Against): Earlier | Text {
  if (lastShip) return { reference: "lastShip", ...lastShip, counted: lastShip.score };
  if (lastShip === null) return GATE_WORDS.neverShipped;
  if (comparison) {
    const { before } = comparison;
    return { reference: "baseline", ...before, counted: countScore(before) };
  }
  return GATE_WORDS.notInBaseline;
}

const missing = ({ missingBaseline }: GateFlags, why: Text): Ruling => ({
  isMet: missingBaseline === "pass",
  text: GATE_WORDS.noBaseline(why),
});

function requireDrop(check: Judged, maxDrop: number, flags: GateFlags, against: Against): Ruling {
  const earlier = findEarlier(against);
  if (!("reference" in earlier)) return missing(flags, earlier);
  const { reference, score, counted, verdict, ruleset } = earlier;
  if (score === null || counted === null) return missing(flags, GATE_WORDS.noScore(reference));
  if (verdict !== null && !CONCLUSIVE.includes(verdict))
    return missing(flags, GATE_WORDS.noVerdict(reference, verdict));
  if (ruleset !== check.ruleset)
    return missing(flags, GATE_WORDS.otherRuleset(reference, ruleset, check.ruleset));
  const now = (reference === "lastShip" && against.unaccepted) || check;
  return {
    isMet: counted - countScore(now) <= maxDrop,
    text: join(GATE_WORDS.drop(now.score, score, maxDrop), describeDoubt(now, counted - maxDrop)),
  };
}

function refuseNew(flags: GateFlags, { comparison }: Against): Ruling {
  if (!comparison) return missing(flags, GATE_WORDS.notInBaseline);
  const { worse, unjudged } = comparison;
  const doubt = unjudged.length > 0 ? GATE_WORDS.unseen(unjudged.length) : NOTHING;
  return { isMet: worse.length === 0, text: join(GATE_WORDS.newFindings(worse), doubt) };
}

/** Acceptances apply to the baseline too, so that they do not hide a lower score. */
function acceptIn(against: Against, accepted: readonly Acceptance[]): Against {
  const { comparison } = against;
  if (!comparison) return against;
  const before = acceptFindings(comparison.before, accepted);
  const worse = comparison.worse.filter((id) => accepted.every(({ rule }) => rule !== id));
  return { ...against, comparison: { ...comparison, before, worse } };
}

/**
 * Unassessed findings earn nothing. A verdict that this version does not know decides nothing, like `inconclusive`.
 * @param accepted the findings that count as passed
 */
export function evaluateGate(
  check: Judged,
  flags: GateFlags,
  against: Against = {},
  language: Language = "en",
  accepted: readonly Acceptance[] = [],
): Gate {
  if (accepted.length === 0) return evaluateConditions(check, flags, against, language);
  const passed = acceptFindings(check, accepted);
  const beside = { ...acceptIn(against, accepted), unaccepted: check };
  const gate = evaluateConditions(passed, flags, beside, language);
  return { ...gate, accepted: { score: passed.score, findings: accepted } };
}

function evaluateConditions(
  check: Judged,
  flags: GateFlags,
  against: Against,
  language: Language,
): Gate {
  const { minScore, minCategory = [], require = [], maxDrop, failOnNew } = flags;
  const conditions: Condition[] = [];
  const add = (asked: string, brief: string, { isMet, text }: Ruling) =>
    conditions.push({ asked, brief, isMet, text: say(text, language) });
  if (minScore !== undefined)
    add(`--min-score ${minScore}`, `score under ${minScore}`, requireScore(check, minScore));
  for (const one of minCategory)
    add(
      `--min-category ${one.id}=${one.points}`,
      `${one.id} under ${one.points}`,
      requireCategory(check, one),
    );
  for (const id of require) add(`--require ${id}`, id, requirePass(check, id));
  if (maxDrop !== undefined)
    add(
      `--max-drop ${maxDrop}`,
      `drop over ${maxDrop}`,
      requireDrop(check, maxDrop, flags, against),
    );
  if (failOnNew)
    add("--fail-on-new", `new ${against.comparison?.worse.join(", ")}`, refuseNew(flags, against));
  if (conditions.length === 0) return { conditions, result: "met" };
  if (CONCLUSIVE.includes(check.verdict))
    return { conditions, result: conditions.every(({ isMet }) => isMet) ? "met" : "unmet" };
  add("verdict", check.verdict, unmet(GATE_WORDS.undecided(check.verdict)));
  return { conditions, result: "undecided" };
}
