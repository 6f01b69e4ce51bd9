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
  readonly kind: "note" | "worse" | "fixed" | "unjudged" | "unchanged";
  readonly text: string;
}

type Change = "worse" | "fixed" | "unjudged";

const SINGULAR: Readonly<Record<Change | "unchanged", Text>> = {
  worse: { fr: "nouveau", en: "new" },
  fixed: { fr: "corrigé", en: "fixed" },
  unjudged: WORDS.uncheckedOne,
  unchanged: { fr: "inchangé", en: "unchanged" },
};

const PLURAL: typeof SINGULAR = {
  worse: { fr: "nouveaux", en: "new" },
  fixed: { fr: "corrigés", en: "fixed" },
  unjudged: WORDS.uncheckedMany,
  unchanged: { fr: "inchangés", en: "unchanged" },
};

const OTHER_PAGE: Text = { fr: "la référence porte sur", en: "the baseline is for" };

const ONLY_COMMON: Text = {
  fr: " : seules les règles communes sont comparées",
  en: ": only the rules that both have are compared",
};

function nameChange(change: Change | "unchanged", count: number, language: Language): string {
  return say((isSingular(count, language) ? SINGULAR : PLURAL)[change], language);
}

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

/** If the page itself was not assessed, the findings that are no longer assessed are counted, not listed. */
export function listChanges(
  { check, comparison }: Compared,
  language: Language,
  isGrouped = false,
): ChangeLine[] {
  if (comparison === undefined) return [];
  if (comparison === null) return [{ kind: "note", text: say(GATE_WORDS.notInBaseline, language) }];
  const { unchangedCount } = comparison;
  const describeChange = (change: Change, ids: readonly string[]) => ({
    kind: change,
    text: `${nameChange(change, ids.length, language)} ${ids.join(", ")}`,
  });
  return [
    ...describeBaseline(comparison, check, language).map((text) => ({
      kind: "note" as const,
      text,
    })),
    ...(["worse", "fixed", "unjudged"] as const).flatMap((change) => {
      const ids = comparison[change];
      if (ids.length === 0) return [];
      if (change === "unjudged" && findPageObstacle(check))
        return [
          { kind: change, text: `${ids.length} ${nameChange(change, ids.length, language)}` },
        ];
      return isGrouped
        ? [describeChange(change, ids)]
        : ids.map((id) => describeChange(change, [id]));
    }),
    {
      kind: "unchanged",
      text: `${unchangedCount} ${nameChange("unchanged", unchangedCount, language)}`,
    },
  ];
}
