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
  /** A template's words replace a title or similar; all others replace a whole page. */
  kind: z.enum([...StandInKind.options, "template"]),
  /** `name`: a part of the title, or a heading. `text`: anywhere in the text. `whole`: all of the text. */
  in: z.enum(["title", "description", "image", "name", "text", "whole"]),
  /** All of them must be present. An image's address must end in them. */
  words: z.array(z.string()).min(1),
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

/** @param words up to 1,000 characters */
export function findKnown(position: StandIn["in"], words: string): StandIn | undefined {
  const folded = foldWords(words);
  const whole = trimWords(folded);
  const found = FOLDED.find((one) => {
    if (one.standIn.in !== position) return false;
    if (position === "text") return one.phrases.every((phrase) => folded.includes(phrase));
    return position === "image" ? folded.endsWith(one.whole) : whole === one.whole;
  });
  return found?.standIn;
}

export function squeezeWords(words: string): string {
  return foldWords(words).replace(/[^\p{L}\p{N}]/gu, "");
}

export function nameOfHost(host: string): string {
  return squeezeWords(registeredName(host));
}

/** Room for `js`, `app` or `blog`. */
const MAX_ADDED = 4;

/** Whether a one-word title is the name of the host, such as Astro on astro.build and Gatsby on gatsbyjs.com. */
export function isNameOfHost(title: string, host: string): boolean {
  const [own, said] = [nameOfHost(host), squeezeWords(title)];
  const isName = said !== "" && !/\s/.test(title.trim());
  return isName && own.startsWith(said) && own.length - said.length <= MAX_ADDED;
}
