import type { GatedCheck } from "../check/checked.ts";
import type { Comparison } from "../check/compare.ts";
import { GATE_WORDS } from "../check/gate-words.ts";
import type { ReceivedCheck } from "../client/received.ts";
import type { Screen } from "../terminal/io.ts";
import { hang } from "../terminal/layout.ts";
import type { ReportLanguage, Words } from "../../shared/report/reported.ts";
import { isSingular, say } from "../../shared/report/words.ts";

type Chalk = Screen["chalk"];
type Compared = Pick<GatedCheck, "check" | "comparison">;

interface Line {
  readonly text: string;
  readonly style: (chalk: Chalk) => Chalk;
}

const CHANGES = {
  worse: { fr: "nouveau", en: "new" },
  mended: { fr: "corrigé", en: "mended" },
  unjudged: { fr: "non jugé", en: "not judged" },
} as const satisfies Readonly<Record<string, Words>>;

const UNCHANGED: Words = { fr: "inchangé", en: "unchanged" };

const OTHER_PAGE: Words = { fr: "la référence est de", en: "the baseline is of" };

const ONLY_COMMON: Words = {
  fr: " : seules les règles communes sont comparées",
  en: ": only the rules of both are compared",
};

const STYLES: Readonly<Record<keyof typeof CHANGES, Line["style"]>> = {
  worse: (chalk) => chalk.red,
  mended: (chalk) => chalk.green,
  unjudged: (chalk) => chalk.yellow,
};

const plain: Line["style"] = (chalk) => chalk.dim;

function countUnchanged(count: number, language: ReportLanguage): string {
  const ending = language === "fr" && !isSingular(count, "fr") ? "s" : "";
  return `${count} ${say(UNCHANGED, language)}${ending}`;
}

/** What the baseline is, where it is of another page or ruleset. */
function describeBaseline(
  { before, isOtherPage }: Comparison,
  { ruleset }: ReceivedCheck,
  language: ReportLanguage,
): string[] {
  const judged = GATE_WORDS.otherRuleset("baseline", before.ruleset, ruleset);
  return [
    ...(isOtherPage ? [`${say(OTHER_PAGE, language)} ${before.url}`] : []),
    ...(before.ruleset === ruleset ? [] : [say(judged, language) + say(ONLY_COMMON, language)]),
  ];
}

/** What changed since the baseline, a line a finding: new, mended, not judged any more, then how many are unchanged. */
export function listChanges({ check, comparison }: Compared, language: ReportLanguage): Line[] {
  if (comparison === undefined) return [];
  if (comparison === null) return [{ text: say(GATE_WORDS.notInBaseline, language), style: plain }];
  const { unchangedCount } = comparison;
  const notes = describeBaseline(comparison, check, language);
  return [
    ...notes.map((text) => ({ text, style: plain })),
    ...(["worse", "mended", "unjudged"] as const).flatMap((change) =>
      comparison[change].map((id) => ({
        text: `${say(CHANGES[change], language)} ${id}`,
        style: STYLES[change],
      })),
    ),
    { text: countUnchanged(unchangedCount, language), style: plain },
  ];
}

/** What changed since the baseline, as lines of a page. */
export function formatComparison(
  checked: Compared,
  language: ReportLanguage,
  { chalk, columns }: Screen,
  subject = "",
): string[] {
  return listChanges(checked, language).flatMap(({ text, style }) =>
    hang("", subject + text, columns, style(chalk)),
  );
}
