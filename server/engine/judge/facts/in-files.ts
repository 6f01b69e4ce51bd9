import type { Evidence } from "../../evidence/evidence.ts";
import type { FileFacts, FoundAddress } from "../../evidence/file.ts";
import { urlOf } from "../../evidence/page.ts";
import type { Reference } from "./references.ts";

/** The addresses that a page's own files hold, as references of the elements that load these files. */
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
