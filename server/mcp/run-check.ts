import { Check, type Finding, type FindingStatus, type Timings } from "../../shared/check.ts";
import { listCircumstances } from "../../shared/report/circumstances.ts";
import { listCosts, listFixLines } from "../../shared/report/costs.ts";
import { countUnjudged, listObstacles } from "../../shared/report/obstacles.ts";
import type { ReportedFinding } from "../../shared/report/reported.ts";
import { describePoints, STATUSES, TIMINGS, WORDS } from "../../shared/report/words.ts";
import { RunCheckInput, RunCheckResult } from "../../shared/tools.ts";
import type { Language, Text } from "../../shared/language.ts";
import {
  createLine,
  cutLine,
  fitResult,
  PAGE_DATA,
  PAGE_TEXT_LENGTH,
  pageText,
} from "./results.ts";
import { defineTool, type ToolResult } from "./tool.ts";
import { runCheck } from "../checks/check.ts";

const LABELS = {
  page: { fr: "Page", en: "Page" },
  score: { fr: "Score", en: "Score" },
  verdict: { fr: "Verdict", en: "Verdict" },
  cap: { fr: "Plafond", en: "Cap" },
  costs: {
    fr: "Points perdus (obtenus/possibles) : d'abord les plafonds, puis les plus grandes pertes",
    en: "Points lost (earned/possible): caps first, then the biggest losses",
  },
  passed: {
    fr: "Aucun point perdu (règles réussies ou sans objet)",
    en: "No points lost (passed or not applicable)",
  },
  check: { fr: "Vérification", en: "Check" },
  quota: { fr: "Quota du mois", en: "Monthly quota" },
  more: { fr: "Détail d'une règle", en: "More about a rule" },
} satisfies Record<string, Text>;

const FIX_LINE: Text = { fr: "Correction à coller", en: "Fix to paste" };
const NONE: Text = { fr: "aucune", en: "none" };
const EXPLAIN: Text = {
  fr: "l'outil explain_rule, ou /docs/rules#IDENTIFIANT sur le serveur",
  en: "the explain_rule tool, or /docs/rules#ID on the server",
};

type Blocked = ReadonlyMap<string, string>;
type Line = ReturnType<typeof createLine>;

/** Indents the lines, so that no text of a page begins a line. */
function writeAdvice(evidence: string, findings: readonly ReportedFinding[], line: Line): string[] {
  const fixes = new Set(findings.map(({ fix }) => fix).filter((fix) => fix !== ""));
  const fixLines = new Set(findings.flatMap(listFixLines));
  return [
    line(WORDS.found, evidence),
    ...[...fixes].map((fix) => line(WORDS.fix, fix)),
    ...[...fixLines].map((fixLine) => line(FIX_LINE, fixLine)),
  ].map((words) => ` ${words}`);
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

/** Groups the rules by the failure that blocks them, since one failure often blocks many rules. */
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
  fr: `Rien à évaluer tant que ${id} est en échec`,
  en: `Nothing to assess while ${id} fails`,
});

/** Blocked rules cost nothing either. They are listed by the failure that blocks them. */
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
    fr: `${quota.used} sur ${quota.limit}, il en reste ${quota.remaining}`,
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

/** These lines must be enough to act on. `blocked` maps a finding's id to the id of the failure that blocks it. */
function writeCheck(check: RunCheckResult, blocked: Blocked, language: Language): string {
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

const lossOf = ({ earned, points }: Finding) => points - earned;

type ShownFinding = RunCheckResult["findings"][number];
type Texts = Pick<RunCheckResult, "caps" | "findings">;

/** Leaves out a finding's lines to paste if one of them would change. */
const mapTexts = ({ caps, findings }: Texts, change: (text: string) => string): Texts => ({
  caps: caps.map((cap) => ({ ...cap, reason: change(cap.reason) })),
  findings: findings.map((finding) => ({
    ...finding,
    title: change(finding.title),
    evidence: change(finding.evidence),
    ...(finding.why !== undefined && { why: change(finding.why) }),
    fix: change(finding.fix),
    fixLine: listFixLines(finding).every((line) => line === change(line))
      ? (finding.fixLine ?? null)
      : null,
  })),
});

/** Lines to paste count together: many short lines are long too. */
function shorten(shown: ShownFinding, maxLength: number): ShownFinding {
  const { fixLine, why: _, ...finding } = shown;
  return fixLine && fixLine.length <= maxLength ? { ...finding, fixLine } : finding;
}

function sortCheck(check: Check): RunCheckResult {
  const costly = check.findings
    .filter((one) => lossOf(one) > 0)
    .toSorted((one, other) => lossOf(other) - lossOf(one));
  return {
    ...check,
    finalUrl: pageText(check.finalUrl),
    ...mapTexts({ caps: check.caps, findings: costly }, pageText),
    passed: check.findings.filter((one) => lossOf(one) <= 0).map(({ id }) => id),
  };
}

/** Maps the id of each blocked finding to the id of the failure that blocks it. */
const listBlocked = ({ findings }: Check): Map<string, string> =>
  new Map(
    findings.flatMap(({ id, status, blockedBy }) =>
      status === "blocked" && blockedBy !== undefined ? [[id, blockedBy] as const] : [],
    ),
  );

/** URLs keep at least this many characters, so that the page can be recognized. */
const URL_LENGTH = 300;

/** If the result is too long, cuts every text at the same length. Also leaves out the reasons and any lines to paste that would be cut. */
export function reportCheck(check: Check, language: Language): ToolResult<RunCheckResult> {
  const [sorted, blocked] = [sortCheck(check), listBlocked(check)];
  return fitResult(PAGE_TEXT_LENGTH, (maxLength) => {
    const { caps, findings } = mapTexts(sorted, (text) => cutLine(text, maxLength));
    const isWhole = maxLength === PAGE_TEXT_LENGTH;
    const cutUrl = (url: string) => (isWhole ? url : cutLine(url, Math.max(maxLength, URL_LENGTH)));
    const structured = {
      ...sorted,
      url: cutUrl(sorted.url),
      finalUrl: cutUrl(sorted.finalUrl),
      caps,
      findings: isWhole ? findings : findings.map((one) => shorten(one, maxLength)),
    };
    return { structured, text: writeCheck(structured, blocked, language) };
  });
}

export const runCheckTool = defineTool({
  name: "run_check",
  title: "Check a URL",
  description:
    "Checks a public https URL now and returns its Ship Score from 0 to 100, with what costs points and how to fix it. Each call counts one check against the monthly quota.",
  input: RunCheckInput,
  output: RunCheckResult,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  async call(deps, { actor, signal, onStep, ...context }, input) {
    const { url, preview, language = context.language } = input;
    const answer = await runCheck(deps, actor, {
      request: { url, preview, headers: {} },
      language,
      signal,
      onStep,
    });
    return reportCheck(Check.parse(JSON.parse(answer)), language);
  },
});
