import type { ReportedCheck, ReportLanguage, Words } from "./reported.ts";

type Circumstances = Pick<ReportedCheck, "preview" | "scoreRange" | "coverage">;

/** What a score must be read with: a preview, a range, points that were not judged. Empty for a full check. */
export function listCircumstances(
  { preview, scoreRange: { min, max }, coverage }: Circumstances,
  language: ReportLanguage = "en",
): string[] {
  const said: Words[] = [
    ...(preview ? [{ fr: "comme préversion", en: "as a preview" }] : []),
    ...(min === max ? [] : [{ fr: `entre ${min} et ${max}`, en: `between ${min} and ${max}` }]),
    ...(coverage === 100
      ? []
      : [{ fr: `${coverage}\u00a0% des points jugés`, en: `${coverage}% of the points judged` }]),
  ];
  return said.map((words) => words[language]);
}
