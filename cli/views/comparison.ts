import type { GatedCheck } from "../check/checked.ts";
import { GATE_WORDS } from "../check/gate-words.ts";
import type { Io, Screen } from "../terminal/io.ts";
import { cleanText } from "../terminal/clean.ts";
import { hang } from "../terminal/layout.ts";
import type { ReportLanguage, Words } from "../../shared/report/reported.ts";
import { isSingular, say } from "../../shared/report/words.ts";

type Chalk = Screen["chalk"];

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

/** What changed since the baseline, a line a finding: new, mended, not judged any more, then how many are unchanged. */
function listChanges({ check, comparison }: GatedCheck, language: ReportLanguage): Line[] {
  if (comparison === undefined) return [];
  if (comparison === null) return [{ text: say(GATE_WORDS.notInBaseline, language), style: plain }];
  const { before, unchangedCount } = comparison;
  const isOther = before.ruleset !== check.ruleset;
  const ruleset = GATE_WORDS.otherRuleset("baseline", before.ruleset, check.ruleset);
  return [
    ...(isOther ? [say(ruleset, language) + say(ONLY_COMMON, language)] : []).map((text) => ({
      text,
      style: plain,
    })),
    ...(["worse", "mended", "unjudged"] as const).flatMap((change) =>
      comparison[change].map((id) => ({
        text: `${say(CHANGES[change], language)} ${id}`,
        style: STYLES[change],
      })),
    ),
    { text: countUnchanged(unchangedCount, language), style: plain },
  ];
}

const ONLY_COMMON: Words = {
  fr: " : seules les règles communes sont comparées",
  en: ": only the rules of both are compared",
};

/** Notes what changed since the baseline, if one was given. */
export async function noteComparison(
  io: Io,
  checked: GatedCheck,
  language: ReportLanguage,
  subject = "",
): Promise<void> {
  for (const { text } of listChanges(checked, language))
    await io.note(cleanText(`shipscore: ${subject}${text}`));
}

/** What changed since the baseline, as lines of a page. */
export function formatComparison(
  checked: GatedCheck,
  { chalk, columns }: Screen,
  language: ReportLanguage,
  subject = "",
): string[] {
  return listChanges(checked, language).flatMap(({ text, style }) =>
    hang("", subject + text, columns, style(chalk)),
  );
}
