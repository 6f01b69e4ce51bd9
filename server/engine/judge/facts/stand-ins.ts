import * as z from "zod";
import { registeredName } from "../../../base/syntax/host-pattern.ts";
import table from "./stand-ins.json" with { type: "json" };

export const StandInKind = z.enum([
  "missing",
  "broken",
  "for_sale",
  "unfinished",
  "placeholder",
  "starter",
]);
export type StandInKind = z.infer<typeof StandInKind>;

const StandIn = z.strictObject({
  product: z.string(),
  /** A template's words are in place of a title, description or image. All other words are in place of a whole page. */
  kind: z.enum([...StandInKind.options, "template"]),
  /**
   * `part`: the words are a part of the title. `site`: they are its last part, in place of the site's name. `ending`: they end its only part that says anything. `rest`: so do they,
   * beside a part such as “Home”. `name`: the words are a part of the title, or a heading. `text`: they are anywhere in the text. `whole`: they are
   * the whole text.
   */
  in: z.enum([
    "title",
    "part",
    "site",
    "ending",
    "rest",
    "description",
    "image",
    "icon",
    "name",
    "text",
    "whole",
  ]),
  /** The page must contain all of these words. The URL of an image or icon must end in them. */
  words: z.array(z.string()).min(1),
  /** The size of an icon that sites replace under the same name. */
  bytes: z.int().optional(),
  source: z.string(),
  example: z.string(),
});
export type StandIn = z.infer<typeof StandIn>;

export const STAND_INS: readonly StandIn[] = z.array(StandIn).parse(table);

export function foldWords(words: string): string {
  return words
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[’‘´`]/g, "'")
    .replace(/[\s_]+/g, " ");
}

export function trimWords(words: string): string {
  return words.replace(/^[^\p{L}\p{N}]+|(?<=[\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, "");
}

const FOLDED = STAND_INS.map((standIn) => {
  const phrases = standIn.words.map(foldWords);
  return { standIn, phrases, whole: trimWords(phrases.join(" ")) };
});

const LAST_WORDS: readonly StandIn["in"][] = ["ending", "rest"];
const LAST_LETTERS: readonly StandIn["in"][] = ["image", "icon"];

/**
 * @param words up to 1,000 characters
 * @param bytes the size of an icon, if it is known
 */
export function findKnown(
  position: StandIn["in"],
  words: string,
  bytes?: number,
): StandIn | undefined {
  const folded = foldWords(words);
  const whole = trimWords(folded);
  const found = FOLDED.find((one) => {
    if (one.standIn.in !== position || (one.standIn.bytes ?? bytes) !== bytes) return false;
    if (position === "text") return one.phrases.every((phrase) => folded.includes(phrase));
    if (LAST_WORDS.includes(position)) return whole.endsWith(` ${one.whole}`);
    return LAST_LETTERS.includes(position)
      ? folded.trimEnd().endsWith(one.phrases.join(" "))
      : whole === one.whole;
  });
  return found?.standIn;
}

export function squeezeWords(words: string): string {
  return foldWords(words).replace(/[^\p{L}\p{N}]/gu, "");
}

export function nameOfHost(host: string): string {
  return squeezeWords(registeredName(host));
}

/** The host may add this many characters to the title, such as `js`, `app` or `blog`. */
const MAX_ADDED = 4;

/** Whether a one-word title is the name of the host, such as Astro on astro.build and Gatsby on gatsbyjs.com. */
export function isNameOfHost(title: string, host: string): boolean {
  const [own, said] = [nameOfHost(host), squeezeWords(title)];
  const isName = said !== "" && !/\s/.test(title.trim());
  return isName && own.startsWith(said) && own.length - said.length <= MAX_ADDED;
}
