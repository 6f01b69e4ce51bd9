import type { ReceivedCheck } from "../client/received.ts";
import type { ReportLanguage, Words } from "../../shared/report/reported.ts";
import { isSingular, say } from "../../shared/report/words.ts";
import { withoutSecrets } from "./addresses.ts";
import type { GatedCheck } from "./checked.ts";
import type { Comparison } from "./compare.ts";
import { GATE_WORDS } from "./gate-words.ts";

export type Compared = Pick<GatedCheck, "check" | "comparison">;

/** A line about what changed. */
export interface ChangeLine {
  readonly kind: "note" | "worse" | "mended" | "unjudged" | "unchanged";
  readonly text: string;
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
    ...(isOtherPage ? [`${say(OTHER_PAGE, language)} ${withoutSecrets(before.url)}`] : []),
    ...(before.ruleset === ruleset ? [] : [say(judged, language) + say(ONLY_COMMON, language)]),
  ];
}

/** What changed since the baseline, a line a finding: new, mended, not judged any more, then how many are unchanged. */
export function listChanges(
  { check, comparison }: Compared,
  language: ReportLanguage,
): ChangeLine[] {
  if (comparison === undefined) return [];
  if (comparison === null) return [{ kind: "note", text: say(GATE_WORDS.notInBaseline, language) }];
  const { unchangedCount } = comparison;
  const notes = describeBaseline(comparison, check, language);
  return [
    ...notes.map((text) => ({ kind: "note" as const, text })),
    ...(["worse", "mended", "unjudged"] as const).flatMap((change) =>
      comparison[change].map((id) => ({
        kind: change,
        text: `${say(CHANGES[change], language)} ${id}`,
      })),
    ),
    { kind: "unchanged", text: countUnchanged(unchangedCount, language) },
  ];
}
