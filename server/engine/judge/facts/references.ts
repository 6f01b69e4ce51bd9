import type { Language, Text } from "../../../../shared/language.ts";
import { countOthers, WORDS } from "../../../../shared/report/words.ts";
import { cut } from "../rule.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { FileFacts, FoundAddress } from "../../evidence/html.ts";
import { urlOf } from "../../evidence/accessors.ts";

export interface Reference {
  readonly url: string | Text;
  readonly tag: string;
  readonly line: number;
  /** The file that has this line. If absent or null, the page has it. */
  readonly in?: string | null;
  readonly answer?: Text;
}

const SHOWN = 3;
const LINE = { fr: "ligne", en: "line" };

function describeReference(reference: Reference, language: Language): string {
  const { url, tag, line, answer } = reference;
  const outcome = answer === undefined ? "" : ` → ${cut(answer[language], 60)}`;
  const shown = typeof url === "string" ? url : url[language];
  const place = reference.in ? cut(urlOf(reference.in).pathname, 80) : `<${tag}>`;
  return `${cut(shown, 120)}${outcome} (${place}, ${LINE[language]} ${line})`;
}

export function nameOthers(count: number): Text {
  const others = countOthers(count);
  return count <= 0 ? { fr: "", en: "" } : { fr: `, et ${others.fr}`, en: `, and ${others.en}` };
}

export function describeReferences(references: readonly Reference[], what?: Text): Text {
  const first = references.slice(0, SHOWN);
  const others = nameOthers(references.length - first.length);
  const list = (language: Language): string =>
    (what ? what[language] + WORDS.colon[language] : "") +
    first.map((reference) => describeReference(reference, language)).join(", ");
  return { fr: `${list("fr")}${others.fr}.`, en: `${list("en")}${others.en}.` };
}

export function listInFiles<Found extends FoundAddress>(
  { assets }: Evidence,
  find: (file: FileFacts) => readonly Found[],
): (Found & Reference)[] {
  return assets.flatMap(({ url, tag, line, file }) =>
    (file ? find(file) : []).map((found) => {
      const path = urlOf(url).pathname;
      const answer = {
        fr: `dans ${path}, ligne ${found.line}`,
        en: `in ${path}, line ${found.line}`,
      };
      return { ...found, tag, line, answer };
    }),
  );
}
