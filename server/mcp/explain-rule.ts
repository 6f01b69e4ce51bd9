import { countEdits } from "../../shared/edits.ts";
import { ExplainRuleInput, ExplainRuleResult } from "../../shared/tools.ts";
import { listFixLines } from "../../shared/report/costs.ts";
import { describePoints, WORDS } from "../../shared/report/words.ts";
import { AppError } from "../base/errors.ts";
import type { RuledRow } from "../engine/judge/ruleset.ts";
import type { Language, Text } from "../../shared/language.ts";
import { defineTool, READS } from "./tool.ts";
import { createLine } from "./results.ts";

/** `csp` finds `hdr.csp`. */
function findNearest(wanted: string, ids: readonly string[]): string {
  const typed = wanted.trim().toLowerCase();
  const ranked = ids.map((id) => {
    const isPart = typed.length > 1 && (id.includes(typed) || typed.includes(id));
    return { id, rank: countEdits(typed, id) - (isPart ? 100 : 0) };
  });
  return ranked.toSorted((one, other) => one.rank - other.rank)[0]?.id ?? "";
}

const LABELS = {
  points: { fr: "Points", en: "Points" },
  cap: { fr: "Plafond en cas d'échec", en: "Cap when it fails" },
  fixLine: { fr: "Correction à coller", en: "Fix to paste" },
  standard: { fr: "Référence", en: "Standard" },
  docs: { fr: "Documentation", en: "Documentation" },
} satisfies Record<string, Text>;

function explain({ id, category, points, cap, rule }: RuledRow, language: Language) {
  return {
    id,
    title: rule.title[language],
    category,
    points,
    cap,
    measures: rule.measures[language],
    matters: rule.why[language],
    fix: rule.fix[language],
    fixLine: rule.fix.lines?.join("\n") ?? null,
    standard: { ...rule.standard },
    docsUrl: `/docs/rules#${id}`,
  };
}

function writeRule(rule: ExplainRuleResult, language: Language): string {
  const line = createLine(language);
  return [
    line(`${rule.id} (${rule.category})`, rule.title),
    line(LABELS.points, describePoints(rule.points, language)),
    ...(rule.cap === null ? [] : [line(LABELS.cap, rule.cap)]),
    line(WORDS.measures, rule.measures),
    line(WORDS.why, rule.matters),
    line(WORDS.fix, rule.fix),
    ...listFixLines(rule).map((fixLine) => line(LABELS.fixLine, fixLine)),
    line(LABELS.standard, `${rule.standard.name}, ${rule.standard.url}`),
    line(LABELS.docs, rule.docsUrl),
  ].join("\n");
}

/** The rules load on the first call. */
export const explainRuleTool = defineTool({
  name: "explain_rule",
  title: "Explain a rule",
  description:
    "Explains a rule of the Ship Score by its ID, such as hdr.csp: what is checked, why it matters, how to fix it, and the standard behind it. Use it when the fix of a run_check finding is not enough.",
  input: ExplainRuleInput,
  output: ExplainRuleResult,
  annotations: READS,
  async call(_deps, context, input) {
    const { RULESET } = await import("../engine/judge/ruleset.ts");
    const language = input.language ?? context.language;
    const row = RULESET.rows.find(({ id }) => id === input.id);
    if (row === undefined) {
      const nearest = findNearest(
        input.id,
        RULESET.rows.map(({ id }) => id),
      );
      throw new AppError("rule_not_found", { nearest });
    }
    const structured = explain(row, language);
    return { structured, text: writeRule(structured, language) };
  },
});
