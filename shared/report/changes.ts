import type { Language, Text } from "../language.ts";
import type { ReportedCheck } from "./reported.ts";
import { findPageObstacle } from "./obstacles.ts";
import { isSingular, say, WORDS } from "./words.ts";
import { withoutSecrets } from "./addresses.ts";
import type { GatedReport } from "./accepted.ts";
import type { Comparison } from "./compare.ts";
import { GATE_WORDS } from "./gate-words.ts";

export type Compared = Pick<GatedReport, "check" | "comparison">;

export interface ChangeLine {
  readonly kind: "note" | "worse" | "mended" | "unjudged" | "unchanged";
  readonly text: string;
}

type Change = "worse" | "mended" | "unjudged";

const SINGULAR: Readonly<Record<Change | "unchanged", Text>> = {
  worse: { fr: "nouveau", en: "new" },
  mended: { fr: "corrigé", en: "fixed" },
  unjudged: WORDS.uncheckedOne,
  unchanged: { fr: "inchangé", en: "unchanged" },
};

const PLURAL: typeof SINGULAR = {
  worse: { fr: "nouveaux", en: "new" },
  mended: { fr: "corrigés", en: "fixed" },
  unjudged: WORDS.uncheckedMany,
  unchanged: { fr: "inchangés", en: "unchanged" },
};

const OTHER_PAGE: Text = { fr: "la référence est de", en: "the baseline is of" };

const ONLY_COMMON: Text = {
  fr: " : seules les règles communes sont comparées",
  en: ": only the rules of both are compared",
};

function nameChange(change: Change | "unchanged", count: number, language: Language): string {
  return say((isSingular(count, language) ? SINGULAR : PLURAL)[change], language);
}

/** What the baseline is, where it is of another page or ruleset. */
function describeBaseline(
  { before, isOtherPage }: Comparison,
  { ruleset }: ReportedCheck,
  language: Language,
): string[] {
  const judged = GATE_WORDS.otherRuleset("baseline", before.ruleset, ruleset);
  return [
    ...(isOtherPage ? [`${say(OTHER_PAGE, language)} ${withoutSecrets(before.url)}`] : []),
    ...(before.ruleset === ruleset ? [] : [say(judged, language) + say(ONLY_COMMON, language)]),
  ];
}

/**
 * What changed since the baseline: new, fixed, not judged any more, then how many are unchanged. A line for each finding,
 * or with `isGathered` for all that changed alike; one in all for what was not judged since the page was not.
 */
export function listChanges(
  { check, comparison }: Compared,
  language: Language,
  isGathered = false,
): ChangeLine[] {
  if (comparison === undefined) return [];
  if (comparison === null) return [{ kind: "note", text: say(GATE_WORDS.notInBaseline, language) }];
  const { unchangedCount } = comparison;
  const tell = (change: Change, ids: readonly string[]) => ({
    kind: change,
    text: `${nameChange(change, ids.length, language)} ${ids.join(", ")}`,
  });
  return [
    ...describeBaseline(comparison, check, language).map((text) => ({
      kind: "note" as const,
      text,
    })),
    ...(["worse", "mended", "unjudged"] as const).flatMap((change) => {
      const ids = comparison[change];
      if (ids.length === 0) return [];
      if (change === "unjudged" && findPageObstacle(check))
        return [
          { kind: change, text: `${ids.length} ${nameChange(change, ids.length, language)}` },
        ];
      return isGathered ? [tell(change, ids)] : ids.map((id) => tell(change, [id]));
    }),
    {
      kind: "unchanged",
      text: `${unchangedCount} ${nameChange("unchanged", unchangedCount, language)}`,
    },
  ];
}
