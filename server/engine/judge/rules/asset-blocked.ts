import type { Text } from "../../../../shared/language.ts";
import { findBlocked } from "../facts/blocked.ts";
import { enforcedPolicies } from "../facts/policy.ts";
import type { Blocked } from "../facts/block.ts";
import { describeReferences } from "../facts/references.ts";
import { findWholeHtml } from "../../evidence/accessors.ts";
import { type Rule, fail, pageHtml, partial, pass, unknown } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

const FIXES: Readonly<Record<Blocked["cause"], Text>> = {
  policy: {
    fr: "Ajoutez à cette directive l'origine du fichier, le nonce de l'élément ou l'empreinte du script en ligne. Si la page n'a pas besoin de l'élément, retirez-le.",
    en: "Add to this directive the origin of the file, the nonce of the element or the hash of the inline script. If the page does not need the element, remove it.",
  },
  sandbox: {
    fr: "Ajoutez à la directive sandbox le mot-clé qui lui manque, ou retirez-la.",
    en: "Add the missing keyword to the sandbox directive, or remove this directive.",
  },
  cors: {
    fr: "Faites envoyer cet en-tête par l'hôte du fichier, ou servez le fichier depuis votre origine.",
    en: "Have the file's host send this header, or serve the file from your own origin.",
  },
  corp: {
    fr: "Faites envoyer Cross-Origin-Resource-Policy: cross-origin par l'hôte du fichier, ou servez le fichier depuis votre origine.",
    en: "Have the file's host send Cross-Origin-Resource-Policy: cross-origin, or serve the file from your own origin.",
  },
  altered: {
    fr: "Recalculez integrity à partir du fichier servi (et fixez sa version dans l'URL), ou retirez l'attribut integrity.",
    en: "Recompute integrity from the file that is served (and pin its version in the URL), or remove the integrity attribute.",
  },
  unproven: {
    fr: "Ajoutez à l'élément integrity, avec l'empreinte du fichier, et crossorigin. Sinon, retirez script de blocked-destinations dans Integrity-Policy.",
    en: "Add to the element integrity, with the hash of the file, and crossorigin. Otherwise, remove script from blocked-destinations in Integrity-Policy.",
  },
  uncheckable: {
    fr: "Ajoutez crossorigin=\"anonymous\" à l'élément : sans CORS, les navigateurs bloquent un fichier d'une autre origine qui a un attribut integrity.",
    en: 'Add crossorigin="anonymous" to the element: without CORS, browsers block a file of another origin that has an integrity attribute.',
  },
};

const BLOCKED = { fr: "Bloqués par les navigateurs", en: "Blocked by browsers" };

export const blocked: Rule = {
  id: "asset.blocked",
  title: { fr: "Fichiers et scripts bloqués", en: "Blocked files and scripts" },
  measures: {
    fr: "Les navigateurs ne bloquent rien de ce que la page charge ou contient. Les causes possibles sont sa politique (CSP), CORS, une politique de ressource (CORP, COEP), integrity et Integrity-Policy. La règle échoue s'ils bloquent une feuille de style, un script du site, le script qui remplit la page ou tous les scripts en ligne. Elle échoue aussi s'ils bloquent la cible d'un formulaire ou l'élément base. Tout autre blocage coûte la moitié des points.",
    en: "Browsers block nothing that the page loads or contains, whether because of its policy (CSP), CORS, a resource policy (CORP, COEP), integrity or Integrity-Policy. The rule fails if they block a style sheet, a script of the site, the script that fills the page, or all inline scripts. It also fails if they block a form's target or the base element. Any other block earns half the points.",
  },
  why: {
    fr: "Ce blocage touche tous les visiteurs, même si le serveur répond.",
    en: "This block affects every visitor, even though the server responds.",
  },
  fix: FIXES.policy,
  standard: {
    name: "CSP Level 3, 6.7.2",
    url: "https://www.w3.org/TR/CSP3/#matching-urls",
  },
  capReason: {
    fr: "Les navigateurs bloquent une feuille de style, les scripts ou un formulaire de la page.",
    en: "Browsers block a style sheet, the scripts or a form of the page.",
  },
  parents: pageHtml,
  judge(evidence) {
    const found = findBlocked(evidence);
    const vital = found.filter(({ isVital }) => isVital);
    const [first] = vital.length > 0 ? vital : found;
    if (first && vital.length > 0)
      return fail(describeReferences(vital, BLOCKED), FIXES[first.cause]);
    if (first) return partial("files", describeReferences(found, BLOCKED), FIXES[first.cause]);
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    if (enforcedPolicies(evidence).some(({ isCut }) => isCut))
      return unknown({
        fr: "La politique est trop longue pour être évaluée, et seul son début a été conservé.",
        en: "The policy is too long to be assessed, and only its beginning was kept.",
      });
    return pass({
      fr: "Les navigateurs ne bloquent rien de ce que la page charge.",
      en: "Browsers block nothing that the page loads.",
    });
  },
};
