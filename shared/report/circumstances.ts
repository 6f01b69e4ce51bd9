import type { Language, Text } from "../language.ts";
import { isUnjudged, sumOf } from "./obstacles.ts";
import type { ReportedCheck } from "./reported.ts";
import { describePoints, isSingular, labelText, namePoints } from "./words.ts";

type Circumstances = Pick<ReportedCheck, "preview" | "scoreRange" | "findings">;

/** `3 rules (5 points) could not be checked`. */
function describeUnchecked(
  findings: ReportedCheck["findings"],
  language: Language,
): string | undefined {
  const unchecked = findings.filter((finding) => finding.points > 0 && isUnjudged(finding));
  const count = unchecked.length;
  const sum = sumOf(unchecked, "points");
  const points = `${describePoints(sum, language)} ${namePoints(sum, language)}`;
  const isOne = isSingular(count, language);
  const words: Text = {
    fr: `${count} ${isOne ? "règle" : "règles"} (${points}) ${isOne ? "n'a" : "n'ont"} pas pu être ${isOne ? "vérifiée" : "vérifiées"}`,
    en: `${count} ${isOne ? "rule" : "rules"} (${points}) could not be checked`,
  };
  return count === 0 ? undefined : words[language];
}

export function listCircumstances(
  { preview, scoreRange: { min, max }, findings }: Circumstances,
  language: Language = "en",
): string[] {
  const range = { fr: `entre ${min} et ${max}`, en: `between ${min} and ${max}` }[language];
  const unchecked = describeUnchecked(findings, language);
  const sure = min === max ? unchecked : range;
  return [
    preview ? { fr: "en tant qu'aperçu", en: "as a preview" }[language] : undefined,
    sure === range && unchecked ? labelText(range, unchecked, language) : sure,
  ].filter((said) => said !== undefined);
}
