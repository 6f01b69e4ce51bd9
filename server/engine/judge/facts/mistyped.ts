import type { Text } from "../../../../shared/language.ts";
import { countOthers } from "../../../../shared/report/words.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { getAnswer, pageUrl, urlOf } from "../../evidence/accessors.ts";
import { addLine, type Fix, cut } from "../rule.ts";
import { JAVASCRIPT } from "../../../base/syntax/media-type.ts";
import { readContentType } from "./content-type.ts";

/** The types that nosniff requires (Fetch, 3.7.1). */
const TYPES: ReadonlyMap<string, RegExp> = new Map([
  ["script", JAVASCRIPT],
  ["style", /^text\/css$/],
]);

export function isNosniff(value: string): boolean {
  return value.trim().toLowerCase() === "nosniff";
}

const NOSNIFF = "X-Content-Type-Options: nosniff";
export const NOSNIFF_FIX = addLine(
  {
    fr: "Envoyez l'en-tête X-Content-Type-Options avec chaque réponse.",
    en: "Send the X-Content-Type-Options header with every response.",
  },
  NOSNIFF,
);

export function findMistyped(evidence: Evidence, kinds: readonly string[]): readonly string[] {
  const { origin } = pageUrl(evidence);
  return evidence.assets
    .filter(({ url, kind, status, headers }) => {
      const isRightType = TYPES.get(kind)?.test(readContentType(headers).essence);
      return (
        kinds.includes(kind) &&
        status === 200 &&
        isRightType === false &&
        urlOf(url).origin === origin
      );
    })
    .map(({ url }) => urlOf(url).pathname);
}

/** The site must send the types that browsers guess today, for the page or its files, before it sends nosniff. */
export function fixNosniff(evidence: Evidence): Fix {
  const isUntyped = readContentType(getAnswer(evidence).headers).essence === "";
  const page = isUntyped ? [pageUrl(evidence).pathname] : [];
  const [first, ...others] = [...page, ...findMistyped(evidence, ["script", "style"])];
  if (first === undefined) return NOSNIFF_FIX;
  const shown = cut(first, 100);
  const rest = countOthers(others.length);
  const more: Text =
    others.length === 0 ? { fr: "", en: "" } : { fr: ` (et ${rest.fr})`, en: ` (and ${rest.en})` };
  return {
    fr: `Envoyez d'abord avec leur type (text/html, text/javascript, text/css) les fichiers dont les navigateurs devinent le type, comme ${shown}${more.fr}. Envoyez ensuite l'en-tête ${NOSNIFF}.`,
    en: `First send the files whose type browsers guess, such as ${shown}${more.en}, with their type (text/html, text/javascript, text/css). Then send the ${NOSNIFF} header.`,
  };
}
