/** API errors are always French. */
export const LANGUAGES = ["fr", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { fr: "Français", en: "English" };

export type Text = Readonly<Record<Language, string>>;

/** `paris and virginia`. */
export const joinNames = (names: readonly string[], language: Language): string =>
  new Intl.ListFormat(language === "en" ? "en-GB" : language).format(names);

export const isLanguage = (text: string | undefined): text is Language =>
  LANGUAGES.some((language) => language === text);

/** French, unless `Accept-Language` gives English a higher weight (RFC 9110, section 12.5.4). */
export function preferredLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return "fr";
  const weights: Record<Language, number> = { fr: 0, en: 0 };
  for (const range of acceptLanguage.split(",")) {
    const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const weight = Number(
      parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1,
    );
    const language = tag.split("-")[0];
    if (isLanguage(language)) weights[language] = Math.max(weights[language], weight || 0);
  }
  return weights.en > weights.fr ? "en" : "fr";
}
