import type { Text } from "../../../base/language.ts";
import { findBlocked } from "../facts/blocked.ts";
import { enforcedPolicies } from "../facts/policy.ts";
import type { Blocked } from "../facts/refusal.ts";
import { describeReferences } from "../facts/references.ts";
import { findWholeHtml } from "../../evidence/page.ts";
import { type Rule, fail, pageHtml, partial, pass, unknown } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

const FIXES: Readonly<Record<Blocked["cause"], Text>> = {
  policy: {
    fr: "Ajoutez à cette directive l'origine du fichier ou le nonce de l'élément, ou l'empreinte d'un script en ligne ; si le fichier n'est pas voulu, retirez l'élément.",
    en: "Add to that directive the file's origin or the element's nonce, or an inline script's hash; if the file is not wanted, remove the element.",
  },
  sandbox: {
    fr: "Ajoutez à la directive sandbox ce qu'il y manque, ou retirez-la.",
    en: "Add to the sandbox directive what it lacks, or remove it.",
  },
  cors: {
    fr: "Faites envoyer cet en-tête par l'hôte du fichier, ou servez le fichier depuis votre origine.",
    en: "Have the file's host send that header, or serve the file from your own origin.",
  },
  corp: {
    fr: "Faites envoyer Cross-Origin-Resource-Policy: cross-origin par l'hôte du fichier, ou servez le fichier depuis votre origine.",
    en: "Have the file's host send Cross-Origin-Resource-Policy: cross-origin, or serve the file from your own origin.",
  },
  altered: {
    fr: "Recalculez integrity sur le fichier servi (et fixez sa version dans l'adresse), ou retirez cet attribut.",
    en: "Compute the integrity anew from the file that is served (and pin its version in the address), or remove the attribute.",
  },
  uncheckable: {
    fr: 'Ajoutez crossorigin="anonymous" à la balise : sans CORS, les navigateurs refusent un fichier d\'une autre origine qui a un integrity.',
    en: 'Add crossorigin="anonymous" to the tag: without CORS, browsers refuse a file of another origin that has an integrity.',
  },
};

export const blocked: Rule = {
  id: "asset.blocked",
  title: { fr: "Fichiers que les navigateurs acceptent", en: "Files that browsers accept" },
  measures: {
    fr: "Rien de ce que la page appelle ou contient n'est refusé par sa propre politique (CSP), par CORS, par une politique de ressource (CORP, COEP) ou à cause de son integrity. Échec : une feuille de style, un script du site ou celui qui remplit la page, tous ses scripts en ligne, la cible d'un formulaire ou l'élément base ; le reste vaut la moitié.",
    en: "Nothing that the page loads or contains is refused by its own policy (CSP), by CORS, by a resource policy (CORP, COEP) or because of its integrity. Failure: a style sheet, a script of the site or one that fills the page, all of its inline scripts, a form's target or the base element; the rest is worth half.",
  },
  matters: {
    fr: "Le navigateur bloque ce fichier chez chaque visiteur, même si le serveur le sert.",
    en: "The browser blocks this file for every visitor, even though the server serves it.",
  },
  fix: FIXES.policy,
  standard: {
    name: "CSP Level 3, 6.7.2",
    url: "https://www.w3.org/TR/CSP3/#matching-urls",
  },
  capReason: {
    fr: "Les navigateurs refusent une feuille de style, les scripts ou un formulaire de la page.",
    en: "Browsers refuse a style sheet, the scripts or a form of the page.",
  },
  parents: pageHtml,
  judge(evidence) {
    const found = findBlocked(evidence);
    const vital = found.filter(({ isVital }) => isVital);
    const [first] = vital.length > 0 ? vital : found;
    if (first && vital.length > 0) return fail(describeReferences(vital), FIXES[first.cause]);
    if (first) return partial("files", describeReferences(found), FIXES[first.cause]);
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    if (enforcedPolicies(evidence).some(({ isCut }) => isCut))
      return unknown({
        fr: "La politique est trop longue : seul son début a été gardé.",
        en: "The policy is too long: only its beginning was kept.",
      });
    return pass({
      fr: "Les navigateurs acceptent tout ce que la page appelle.",
      en: "Browsers accept all that the page loads.",
    });
  },
};
