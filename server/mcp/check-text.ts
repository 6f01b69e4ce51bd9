import type { FindingStatus, Timings } from "../../shared/check.ts";
import { listCircumstances } from "../../shared/report/circumstances.ts";
import { listCosts } from "../../shared/report/costs.ts";
import { countUnjudged, listObstacles } from "../../shared/report/obstacles.ts";
import type { ReportedFinding } from "../../shared/report/reported.ts";
import { describePoints, STATUSES, TIMINGS, WORDS } from "../../shared/report/words.ts";
import type { RunCheckResult } from "../../shared/tools.ts";
import type { Language, Text } from "../base/language.ts";
import { pageText } from "./page-text.ts";
import { createLine, PAGE_DATA } from "./words.ts";

const LABELS = {
  page: { fr: "Page", en: "Page" },
  score: { fr: "Score", en: "Score" },
  verdict: { fr: "Verdict", en: "Verdict" },
  cap: { fr: "Plafond", en: "Cap" },
  costs: {
    fr: "Points perdus (gagnés/possibles), plafonds d'abord, puis la plus grande perte",
    en: "Points lost (earned/possible), caps first, then the greatest loss",
  },
  passed: {
    fr: "Rien perdu (réussi ou sans objet)",
    en: "Nothing lost (passed or not applicable)",
  },
  check: { fr: "Vérification", en: "Check" },
  quota: { fr: "Quota du mois", en: "Quota of the month" },
  more: { fr: "Tout sur une règle", en: "All about a rule" },
} satisfies Record<string, Text>;

const FIX_LINE: Text = { fr: "Remède à coller", en: "Fix to paste" };
const NONE: Text = { fr: "aucun", en: "none" };
const EXPLAIN: Text = {
  fr: "l'outil explain_rule, ou /docs/rules#IDENTIFIANT sur le serveur",
  en: "the tool explain_rule, or /docs/rules#ID on the server",
};

type Blocked = ReadonlyMap<string, string>;
type Line = ReturnType<typeof createLine>;

/** What one or several findings have seen, and the fix of each. Indented, so that no text of a page begins a line. */
function writeAdvice(evidence: string, findings: readonly ReportedFinding[], line: Line): string[] {
  const fixes = new Set(findings.map(({ fix }) => fix).filter((fix) => fix !== ""));
  const fixLines = new Set(findings.flatMap(({ fixLine }) => fixLine ?? []));
  return [
    line(WORDS.seen, evidence),
    ...[...fixes].map((fix) => line(WORDS.fix, fix)),
    ...[...fixLines].map((fixLine) => line(FIX_LINE, fixLine)),
  ].map((words) => `  ${words}`);
}

function writeHead(check: RunCheckResult, language: Language, line: Line): string[] {
  const page = pageText(check.url);
  return [
    line(LABELS.page, page),
    ...(check.finalUrl === page ? [] : [line(WORDS.readAt, check.finalUrl)]),
    line(LABELS.score, [`${check.score}/100`, ...listCircumstances(check, language)].join(", ")),
    line(LABELS.verdict, check.verdict),
    ...check.caps.map(({ findingId, limit, reason }) =>
      line(LABELS.cap, `${limit} (${findingId}), ${reason}`),
    ),
  ];
}

function writeCosts(check: RunCheckResult, language: Language, line: Line): string[] {
  const points = (number: number) => describePoints(number, language);
  const costs = listCosts(check);
  const lines = costs.flatMap((finding) => {
    const { id, earned, points: possible, status, title } = finding;
    const result = `${points(earned)}/${points(possible)}, ${STATUSES[status as FindingStatus][language]}`;
    return [line(`- ${id} (${result})`, title), ...writeAdvice(finding.evidence, [finding], line)];
  });
  return [line(LABELS.costs, costs.length), ...lines];
}

/** Rules that were not judged for one reason stand together: often a single failure keeps many from being judged. */
function writeUnjudged(check: RunCheckResult, language: Language, line: Line): string[] {
  return listObstacles(check).flatMap((obstacle) => {
    const names = obstacle.findings.map(
      ({ id, points, title }) => `${id} (${describePoints(points, language)}) ${title}`,
    );
    return [
      line(countUnjudged(obstacle, language), names.join("; ")),
      ...writeAdvice(obstacle.root.evidence, obstacle.findings, line),
    ];
  });
}

const describeBlocker = (id: string): Text => ({
  fr: `Rien à juger tant que ${id} échoue`,
  en: `Nothing to judge while ${id} fails`,
});

/** The rest, apart from what a failure left nothing to judge of, which costs nothing either. */
function writePassed({ passed }: RunCheckResult, blocked: Blocked, language: Language, line: Line) {
  const blockers = new Set(passed.flatMap((id) => blocked.get(id) ?? []));
  const free = passed.filter((id) => !blocked.has(id));
  return [
    ...[...blockers].map((blocker) => {
      const ids = passed.filter((id) => blocked.get(id) === blocker);
      return line(describeBlocker(blocker), ids.join(", "));
    }),
    line(LABELS.passed, free.join(", ") || NONE[language]),
  ];
}

function writeFacts(check: RunCheckResult, language: Language, line: Line): string[] {
  const points = (number: number) => describePoints(number, language);
  const { quota } = check;
  const sums = check.categories.map(
    (one) => `${one.id} ${points(one.earned)}/${points(one.points)}`,
  );
  const steps = Object.entries(check.timings).flatMap(([step, ms]) =>
    ms === null ? [] : `${TIMINGS[step as keyof Timings][language]} ${points(ms)} ms`,
  );
  const record = [check.id, check.checkedAt, `${points(check.durationMs)} ms`, check.ruleset];
  const use: Text = {
    fr: `${quota.used} sur ${quota.limit}, reste ${quota.remaining}`,
    en: `${quota.used} of ${quota.limit}, ${quota.remaining} left`,
  };
  return [
    line(WORDS.categories, sums.join(", ")),
    line(WORDS.timings, steps.join(", ") || WORDS.notReached[language]),
    line(LABELS.check, record.join(", ")),
    line(LABELS.quota, use[language]),
    line(LABELS.more, EXPLAIN[language]),
  ];
}

/**
 * The result as lines that are enough to act on, under the words that say whose they are. `blocked`: the id of the
 * failure that blocks a finding, by the finding's id.
 */
export function writeCheck(check: RunCheckResult, blocked: Blocked, language: Language): string {
  const line = createLine(language);
  return [
    PAGE_DATA[language],
    ...writeHead(check, language, line),
    ...writeCosts(check, language, line),
    ...writeUnjudged(check, language, line),
    ...writePassed(check, blocked, language, line),
    ...writeFacts(check, language, line),
  ].join("\n");
}
