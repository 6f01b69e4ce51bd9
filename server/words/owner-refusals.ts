import type { ErrorParameters } from "../base/errors.ts";
import type { Text } from "../base/language.ts";

/** Two sentences: which file refuses public scans, and what to do. */
export function describeOwnerRefusal({
  host,
  file,
}: ErrorParameters["scan_refused_by_owner"]): Text {
  return {
    fr: `Le propriétaire de « ${host} » refuse les analyses publiques de son site, dans ${file}. Modifiez ce fichier si le site est le vôtre, ou vérifiez la page depuis un compte, que ce refus ne concerne pas.`,
    en: `The owner of “${host}” refuses public scans of the site, in ${file}. Change this file if the site is yours, or check the page from an account, which the refusal does not concern.`,
  };
}
