/** The two-letter languages in the IANA registry (BCP 47), including deprecated ones. */
const REGISTERED = new Set(
  (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu " +
    "fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik in io is it iu iw ja ji jv jw ka kg ki kj " +
    "kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mo mr ms mt my na nb nd ne ng nl nn no nr nv ny " +
    "oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl " +
    "tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu"
  ).split(" "),
);
/** Country codes that are often mistaken for language codes, with the language that is meant. */
const OF_COUNTRIES: Readonly<Record<string, string>> = {
  al: "sq",
  at: "de",
  by: "be",
  cn: "zh",
  cz: "cs",
  dk: "da",
  gb: "en",
  ge: "ka",
  gr: "el",
  jp: "ja",
  me: "sr",
  mx: "es",
  ua: "uk",
  us: "en",
  vn: "vi",
};
/** Languages that a three-letter code of their variety may follow (RFC 5646, 2.2.2). */
const WITH_VARIETIES = new Set("ar kok lv ms sgn sw uz zh".split(" "));
/** RFC 5646, 2.1, without private tags and languages of more than 3 letters, none of which is registered. */
const LANGUAGE_TAG =
  /^(?<language>[a-z]{2,3}(?:-[a-z]{3}){0,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?<variants>(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*)(?<extensions>(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*)(?:-x(?:-[a-z\d]{1,8})+)?$/i;
/** Valid tags outside the grammar (RFC 5646, 2.1, irregular), and two regular ones. */
const IRREGULAR = new Set(
  "en-gb-oed i-ami i-bnn i-default i-enochian i-hak i-klingon i-lux i-mingo i-navajo i-pwn i-tao i-tay i-tsu no-bok no-nyn sgn-be-fr sgn-be-nl sgn-ch-de".split(
    " ",
  ),
);

function areDistinct(subtags: readonly string[]): boolean {
  return new Set(subtags).size === subtags.length;
}

function isLanguage(language: string): boolean {
  const [first = "", ...varieties] = language.split("-");
  if (first.length === 2 && !REGISTERED.has(first)) return false;
  return varieties.length === 0 || WITH_VARIETIES.has(first);
}

/** A variant, and the letter of an extension, may appear only once (RFC 5646, 2.2.5 and 2.2.6). */
export function isLanguageTag(tag: string): boolean {
  const lower = tag.toLowerCase();
  if (IRREGULAR.has(lower)) return true;
  const groups = LANGUAGE_TAG.exec(lower)?.groups;
  if (!groups?.["language"] || !isLanguage(groups["language"])) return false;
  const variants = (groups["variants"] ?? "").split("-").slice(1);
  const singletons = (groups["extensions"] ?? "").match(/(?<=-)[a-z\d](?=-)/g) ?? [];
  return areDistinct(variants) && areDistinct(singletons);
}

export function findMeantTag(tag: string): string | undefined {
  const hyphened = tag.replaceAll("_", "-");
  if (isLanguageTag(hyphened)) return hyphened;
  const [first = "", second = ""] = hyphened.toLowerCase().split("-");
  const meant = OF_COUNTRIES[first] ?? (second.length === 3 ? first : undefined);
  return meant !== undefined && isLanguageTag(meant) ? meant : undefined;
}

/** Scripts that one language uses far more than any other. */
const OF_SCRIPTS: readonly (readonly [script: RegExp, language: string])[] = [
  [/\p{Script=Hangul}/gu, "ko"],
  [/\p{Script=Han}/gu, "zh"],
  [/\p{Script=Cyrillic}/gu, "ru"],
  [/\p{Script=Arabic}/gu, "ar"],
  [/\p{Script=Hebrew}/gu, "he"],
  [/\p{Script=Greek}/gu, "el"],
  [/\p{Script=Thai}/gu, "th"],
  [/\p{Script=Devanagari}/gu, "hi"],
  [/\p{Script=Bengali}/gu, "bn"],
  [/\p{Script=Gurmukhi}/gu, "pa"],
  [/\p{Script=Gujarati}/gu, "gu"],
  [/\p{Script=Tamil}/gu, "ta"],
  [/\p{Script=Telugu}/gu, "te"],
  [/\p{Script=Kannada}/gu, "kn"],
  [/\p{Script=Malayalam}/gu, "ml"],
  [/\p{Script=Sinhala}/gu, "si"],
  [/\p{Script=Lao}/gu, "lo"],
  [/\p{Script=Khmer}/gu, "km"],
  [/\p{Script=Myanmar}/gu, "my"],
  [/\p{Script=Tibetan}/gu, "bo"],
  [/\p{Script=Georgian}/gu, "ka"],
  [/\p{Script=Armenian}/gu, "hy"],
  [/\p{Script=Ethiopic}/gu, "am"],
];
/** Letters that prove another language of the same script. The first match counts. */
const BY_LETTERS: Readonly<
  Record<string, readonly (readonly [letters: RegExp, language: string])[]>
> = {
  ru: [
    [/[әғқңұһ]/iu, "kk"],
    [/[өү]/iu, "mn"],
    [/ў/iu, "be"],
    [/[їєґ]/iu, "uk"],
    [/[ѓќѕ]/iu, "mk"],
    [/[ђћљњџј]/iu, "sr"],
    [/[ыэё]/iu, "ru"],
    [/ъ/iu, "bg"],
  ],
  ar: [
    [/[ټډړښځڼ]/u, "ps"],
    [/[ڵێۆڕ]/u, "ckb"],
    [/[ٹڈڑےں]/u, "ur"],
    [/[پچژگ]/u, "fa"],
  ],
  hi: [[/ळ/u, "mr"]],
};
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const VIETNAMESE = /[ạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹđơư]/giu;
const MIN_LETTERS = 10;
/** A character of Chinese, Japanese or Korean says as much as about three letters. */
const CJK = ["ko", "zh"];
const CJK_WEIGHT = 3;
/** Other languages use kana only in names. */
const MIN_KANA_SHARE = 0.1;
const MIN_VIETNAMESE_SHARE = 0.08;

const countOf = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;

/** Guesses the language by the script of most letters. Returns undefined if many languages share the letters. */
export function guessLanguage(text: string): string | undefined {
  const normal = text.normalize("NFC");
  const letters = countOf(normal, /\p{L}/gu);
  const kana = countOf(normal, KANA);
  const counts = OF_SCRIPTS.map(([script, language]) => ({
    language,
    count: countOf(normal, script) + (language === "zh" ? kana : 0),
  }));
  const [first] = counts.toSorted((one, other) => other.count - one.count);
  if (!first || first.count < MIN_LETTERS)
    return letters >= MIN_LETTERS && countOf(normal, VIETNAMESE) >= letters * MIN_VIETNAMESE_SHARE
      ? "vi"
      : undefined;
  const { language, count } = first;
  const weight = CJK.includes(language) ? CJK_WEIGHT : 1;
  if (count * weight <= letters - count) return undefined;
  if (language === "zh" && kana >= count * MIN_KANA_SHARE) return "ja";
  return BY_LETTERS[language]?.find(([proof]) => proof.test(normal))?.[1] ?? language;
}
