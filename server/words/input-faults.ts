import type { InputFault } from "../base/input-fault.ts";
import type { Text } from "../base/language.ts";

type Said = Extract<InputFault, `gate_${string}` | `accepted_${string}` | `preview_${string}`>;

/** What is wrong with a condition of a gate, a finding that is to be accepted, or what is said of previews. */
export const INPUT_FAULTS: Readonly<Record<Said, Text>> = {
  preview_hosts_invalid: {
    fr: "Donnez de 1 à 20 hôtes, séparés par des virgules, comme mon-site-*.vercel.app.",
    en: "Give 1 to 20 hosts, separated by commas, such as my-site-*.vercel.app.",
  },
  preview_hosts_open: {
    fr: "Avec des en-têtes, un hôte sous un suffixe public a un nom à lui à côté de l'astérisque, comme mon-site-*.vercel.app : sinon, ils iraient à n'importe qui.",
    en: "With headers, a host under a public suffix has text of its own beside *, such as my-site-*.vercel.app: they would go to anybody's otherwise.",
  },
  preview_headers_invalid: {
    fr: "Donnez une ligne « NOM: VALEUR » par en-tête : x-vercel-protection-bypass, cf-access-client-id ou cf-access-client-secret.",
    en: "Give a line NAME: VALUE for each header: x-vercel-protection-bypass, cf-access-client-id or cf-access-client-secret.",
  },
  gate_number_invalid: {
    fr: "Donnez un nombre entier de 0 à 100.",
    en: "Give a whole number from 0 to 100, or none.",
  },
  gate_category_invalid: {
    fr: "Donnez des points que la catégorie peut obtenir, comme headers=12, tls=16.",
    en: "Give points that the category can earn, such as headers=12, or none.",
  },
  gate_rule_unknown: {
    fr: "Donnez des règles ou des catégories, séparées par des virgules, comme hdr.hsts, tls.",
    en: "Give rules or categories, separated by commas, such as hdr.hsts,tls.",
  },
  accepted_rule_unknown: {
    fr: "Donnez une règle, comme hdr.csp. Celles de reach ne peuvent pas être acceptées.",
    en: "Give a rule, such as hdr.csp. Those of reach cannot be accepted.",
  },
  accepted_reason_invalid: {
    fr: "Donnez une raison d'une ligne, de 300 caractères au plus.",
    en: "Give a reason on one line, of at most 300 characters.",
  },
  accepted_until_invalid: {
    fr: "Donnez une date d'ici un an au plus, comme 2027-03-31.",
    en: "Give a date from today to a year from now, such as 2027-03-31.",
  },
  accepted_page_invalid: {
    fr: "Donnez le chemin d'une page, comme /pricing, ou de plusieurs, comme /legacy/*.",
    en: "Give the path of a page, such as /pricing, or of several, such as /legacy/*.",
  },
};
