import type { Language, Text } from "../../../shared/language.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { findAnswer, pageHeader } from "../evidence/accessors.ts";
import { describeHeaderless, findHeaderlessHost, findPlatform } from "./facts/platforms.ts";
import { describeSender, findWebServer } from "./facts/web-server.ts";
import {
  type Cap,
  type Category,
  type CheckResult,
  type Finding,
  CategoryId,
} from "../../../shared/check.ts";
import { computeVerdict } from "../../../shared/verdict.ts";
import { type Fix, type Judgement, cut, followFix, unknown } from "./rule.ts";
import { RULESET, type RuledRow, type Ruleset } from "./ruleset.ts";

const HEADER = /^(?<name>[A-Za-z-]+): (?<value>.+)$/;

/** Rules whose header belongs in every response of the page. */
const OF_PAGE = /^(?:hdr\.|asset\.mixed$)/;
const OF_CACHE = /^perf\.cache-/;

interface Place {
  readonly of: string;
  /** Whether the host sends no headers for its customers. */
  readonly isRefused: boolean;
  readonly fix: Fix;
}

/** Returns undefined if the page already has the header, because the line would add a second one. */
function findHeaderPlace(evidence: Evidence, id: string, fix: Fix): Place | undefined {
  const { name = "", value = "" } = HEADER.exec(fix.lines?.[0] ?? "")?.groups ?? {};
  const answer = findAnswer(evidence);
  if (name === "" || !answer || !(OF_PAGE.test(id) || OF_CACHE.test(id))) return undefined;
  const headerless = findHeaderlessHost(evidence);
  if (headerless !== undefined)
    return { of: headerless, isRefused: true, fix: describeHeaderless(headerless) };
  if (OF_CACHE.test(id) || pageHeader(evidence, name.toLowerCase()).length > 0) return undefined;
  const platform = findPlatform(answer.headers);
  if (platform?.headers) return { of: platform.name, isRefused: false, fix: platform.headers };
  const sender = describeSender(answer, name, value);
  return sender && { of: findWebServer(answer)?.name ?? "", isRefused: false, fix: sender };
}

/** The titles of the findings that first gave a fix, or the place of a header. A report says it only once. */
type Said = Map<string, Text>;

/** Returns the title of the finding that has said this, or undefined if this finding is the first. */
function findFirst(words: string, title: Text, said: Said): Text | undefined {
  const first = said.get(words);
  if (!first) said.set(words, title);
  return first;
}

function sayPlace({ of, isRefused, fix }: Place, title: Text, said: Said): Fix {
  const first = findFirst(fix.en, title, said);
  if (!first) return fix;
  const { lines } = fix;
  const start = isRefused
    ? { fr: `${of} ne peut pas l'envoyer non plus :`, en: `${of} cannot send it either:` }
    : { fr: `Pour ${of},`, en: `For ${of},` };
  const words = {
    fr: `${start.fr} voyez la correction de « ${first.fr} ».`,
    en: `${start.en} see the fix of “${first.en}”.`,
  };
  return lines ? { ...words, lines } : words;
}

const RULE_FAILED = {
  fr: "Non évaluée : erreur interne de la règle sur cette page.",
  en: "Not assessed: the rule itself crashed on this page.",
};

interface JudgedRow {
  readonly row: RuledRow;
  readonly judgement: Judgement;
  readonly earned: number;
  readonly blocker?: RuledRow;
  readonly error?: unknown;
}

type Inherited = Pick<JudgedRow, "judgement" | "blocker">;

function inheritFrom(parent: JudgedRow): Inherited | undefined {
  const { status, found } = parent.judgement;
  if (status === "unknown") return { judgement: { status, found } };
  if (status !== "fail" && status !== "blocked") return undefined;
  const blocker = parent.blocker ?? parent.row;
  const { fr, en } = blocker.rule.title;
  const why = {
    fr: `Rien à évaluer tant que « ${fr} » est en échec.`,
    en: `Nothing to assess while “${en}” fails.`,
  };
  return { judgement: { status: "blocked", found: why }, blocker };
}

function yieldTo({ row, judgement }: JudgedRow): Inherited[] {
  if (!isCostly(judgement)) return [];
  const { fr, en } = row.rule.title;
  const why = {
    fr: `Rien à évaluer tant que « ${fr} » coûte des points.`,
    en: `Nothing to assess while “${en}” costs points.`,
  };
  return [{ judgement: { status: "blocked", found: why }, blocker: row }];
}

/** An unknown costs as much as its worst outcome: that of its grade, or else that of the rule. */
function earnedPoints(row: RuledRow, { status, grade = "" }: Judgement): number {
  if (status === "fail") return 0;
  if (status === "unknown" && grade === "")
    return row.statuses.includes("fail") ? 0 : Math.min(...Object.values(row.partial), row.points);
  if (status !== "partial" && status !== "unknown") return row.points;
  const points = row.partial[grade];
  if (points === undefined) throw new Error(`${row.id} has no grade ${grade}`);
  return points;
}

export interface Judged {
  readonly evidence: Evidence;
  readonly ruleset: Ruleset;
  readonly rows: readonly JudgedRow[];
}

/** A rule that throws gets the status unknown. Parents without a row are ignored. */
export function judge(evidence: Evidence, ruleset: Ruleset = RULESET): Judged {
  const { rows } = ruleset;
  const judged = new Map<string, JudgedRow>();

  function judgeRow(row: RuledRow): JudgedRow {
    const known = judged.get(row.id);
    if (known) return known;
    const result = tryRow(row);
    judged.set(row.id, result);
    return result;
  }

  function tryRow(row: RuledRow): JudgedRow {
    try {
      const inherited = row.rule
        .parents(evidence)
        .map((id) => rows.find((other) => other.id === id))
        .flatMap((parent) => (parent && inheritFrom(judgeRow(parent))) ?? []);
      const rival = rows.find(({ id }) => id === row.rule.yieldsTo);
      if (rival) inherited.push(...yieldTo(judgeRow(rival)));
      const found = inherited.find(({ judgement }) => judgement.status === "blocked") ??
        inherited[0] ?? { judgement: row.rule.judge(evidence) };
      return { row, ...found, earned: earnedPoints(row, found.judgement) };
    } catch (error) {
      return { row, judgement: unknown(RULE_FAILED), earned: 0, error };
    }
  }

  return { evidence, ruleset, rows: rows.map(judgeRow) };
}

function findFix({ row, judgement }: JudgedRow, evidence: Evidence, said: Said): Fix | undefined {
  const { title } = row.rule;
  const fix = judgement.fix ?? (isCostly(judgement) ? row.rule.fix : undefined);
  if (!fix) return undefined;
  const first = findFirst([fix.en, ...(fix.lines ?? [])].join("\n"), title, said);
  if (first)
    return {
      fr: `Voyez la correction de « ${first.fr} ».`,
      en: `See the fix of “${first.en}”.`,
    };
  const isKnown = judgement.status !== "unknown";
  const place = isKnown ? findHeaderPlace(evidence, row.id, fix) : undefined;
  return place ? followFix(fix, sayPlace(place, title, said)) : fix;
}

const isCostly = ({ status }: Judgement) => status === "fail" || status === "partial";

function describeFinding(
  judged: JudgedRow,
  language: Language,
  evidence: Evidence,
  said: Said,
): Finding {
  const { row, judgement, blocker } = judged;
  const { rule } = row;
  const fix = findFix(judged, evidence, said);
  return {
    id: row.id,
    category: row.category,
    status: judgement.status,
    earned: judged.earned,
    points: row.points,
    title: rule.title[language],
    evidence: cut(judgement.found[language], 600),
    why: isCostly(judgement) ? rule.why[language] : "",
    fix: fix?.[language] ?? "",
    fixLine: fix?.lines?.join("\n") ?? null,
    docsUrl: `/docs/rules#${row.id}`,
    ...(blocker && { blockedBy: blocker.id }),
  };
}

function describeCaps(rows: readonly JudgedRow[], language: Language): Cap[] {
  return rows
    .flatMap(({ row, judgement }) => {
      const reason = row.rule.capReason?.[language];
      if (judgement.status !== "fail" || row.cap === null || reason === undefined) return [];
      return [{ findingId: row.id, limit: row.cap, reason }];
    })
    .toSorted((one, other) => one.limit - other.limit);
}

/** Floating-point numbers add up exactly here, because points are multiples of 0.5. */
function sumPoints(findings: readonly Finding[], key: "earned" | "points"): number {
  return findings.reduce((sum, finding) => sum + finding[key], 0);
}

function sumCategories(findings: readonly Finding[]): Category[] {
  return CategoryId.options.map((id) => {
    const own = findings.filter((finding) => finding.category === id);
    return { id, earned: sumPoints(own, "earned"), points: sumPoints(own, "points") };
  });
}

/**
 * Pure: the same evidence, ruleset and language give the same bytes. `score` is the sum of the earned points, rounded
 * down and limited by the lowest cap. An unknown rule adds the points of its worst outcome to `score`, and all its points to
 * `scoreRange.max`.
 */
export function scoreOf({ evidence, ruleset, rows }: Judged, language: Language): CheckResult {
  const said: Said = new Map();
  const findings = rows.map((one) => describeFinding(one, language, evidence, said));
  const caps = describeCaps(rows, language);
  const limit = caps[0]?.limit ?? 100;
  const earned = sumPoints(findings, "earned");
  const open = findings.filter(({ status }) => status === "unknown");
  const unknownPoints = sumPoints(open, "points") - sumPoints(open, "earned");
  const score = Math.floor(Math.min(earned, limit));
  const most = Math.floor(Math.min(earned + unknownPoints, limit));
  const coverage = Math.floor(100 - unknownPoints);
  return {
    score,
    scoreRange: { min: score, max: most },
    coverage,
    verdict: computeVerdict(score, most, coverage, limit),
    ruleset: ruleset.version,
    caps,
    categories: sumCategories(findings),
    findings,
  };
}

export function scoreEvidence(
  evidence: Evidence,
  language: Language,
  ruleset: Ruleset = RULESET,
): CheckResult {
  return scoreOf(judge(evidence, ruleset), language);
}
