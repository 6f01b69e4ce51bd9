import { dictionary } from "@zxcvbn-ts/language-common";

/** Passwords that many people use, and words to make some of; a megabyte, so imported late. */
const COMMON: ReadonlySet<string> = new Set(
  [...dictionary["passwords-common"], ...dictionary["diceware-common"]].map((word) =>
    word.toLowerCase(),
  ),
);

/** What a text repeats, as `abc` in `abcabc`; the text itself if it repeats nothing. */
const unitOf = (text: string) => text.slice(0, `${text}${text}`.indexOf(text, 1));

const wordOf = (text: string) => text.replace(/[^\p{L}]+$/u, "");

/** True for a common password or word in lower case, alone, repeated, or followed by digits and signs. */
export function isCommonPassword(lower: string): boolean {
  const [unit, word] = [unitOf(lower), wordOf(lower)];
  return [lower, unit, word, unitOf(word), wordOf(unit)].some((each) => COMMON.has(each));
}
