import type { ReportedCheck, ReportLanguage } from "./reported.ts";

type Circumstances = Pick<ReportedCheck, "preview" | "scoreRange" | "coverage">;

/** What a score must be read with: a preview, a range, points that were not judged. Empty for a full check. */
export function listCircumstances(
  { preview, scoreRange: { min, max }, coverage }: Circumstances,
  language: ReportLanguage = "en",
): string[] {
  const isFrench = language === "fr";
  return [
    ...(preview ? [isFrench ? "comme préversion" : "as a preview"] : []),
    ...(min === max ? [] : [isFrench ? `entre ${min} et ${max}` : `between ${min} and ${max}`]),
    ...(coverage === 100
      ? []
      : [isFrench ? `${coverage}\u00a0% des points jugés` : `${coverage}% of the points judged`]),
  ];
}
