import { metaContents, findPageReferrerPolicy } from "../facts/metas.ts";
import { listMembers, pageHeader } from "../../evidence/accessors.ts";
import { findMetaReferrerPolicy } from "../../evidence/referrer.ts";
import { findHeaderlessHost } from "../facts/platforms.ts";
import { fixNosniff, isNosniff, NOSNIFF_FIX } from "../facts/mistyped.ts";
import {
  addLine,
  type Rule,
  cut,
  fail,
  notApplicable,
  pageAnswer,
  pass,
  verbatim,
  htmlPart,
} from "../rule.ts";

export const nosniff: Rule = {
  id: "hdr.nosniff",
  title: { fr: "Types de fichiers imposés (nosniff)", en: "File types enforced (nosniff)" },
  measures: {
    fr: "X-Content-Type-Options vaut nosniff. S'il y a plusieurs valeurs, seule la première compte.",
    en: "X-Content-Type-Options is nosniff. If there are several values, only the first counts.",
  },
  why: {
    fr: "Un fichier envoyé par un visiteur peut être exécuté comme un script.",
    en: "A file uploaded by a visitor may be run as a script.",
  },
  fix: NOSNIFF_FIX,
  standard: {
    name: "Fetch, X-Content-Type-Options",
    url: "https://fetch.spec.whatwg.org/#x-content-type-options-header",
  },
  parents: pageAnswer,
  judge(evidence) {
    const values = pageHeader(evidence, "x-content-type-options");
    if (values.length === 0)
      return fail(
        {
          fr: "La page n'a pas d'en-tête X-Content-Type-Options.",
          en: "The page has no X-Content-Type-Options header.",
        },
        fixNosniff(evidence),
      );
    const shown = cut(values.join(", "), 150);
    const [first = ""] = values.join(",").split(",", 1);
    if (isNosniff(first)) return pass(verbatim(`X-Content-Type-Options: ${shown}`));
    return fail(
      {
        fr: `La première valeur de X-Content-Type-Options n'est pas nosniff : ${shown}.`,
        en: `The first value of X-Content-Type-Options is not nosniff: ${shown}.`,
      },
      fixNosniff(evidence),
    );
  },
};

const SAFE_META = '<meta name="referrer" content="strict-origin-when-cross-origin">';
const META_FIX = addLine(
  {
    fr: "Remplacez la balise meta referrer, qui l'emporte sur l'en-tête.",
    en: "Replace the referrer meta tag, which overrides the header.",
  },
  SAFE_META,
);
const NEW_META_FIX = addLine(
  {
    fr: "Ajoutez cette balise meta au début de <head> : elle l'emporte sur l'en-tête de l'hébergeur.",
    en: "Add this meta tag at the start of <head>: it overrides the header of the hosting provider.",
  },
  SAFE_META,
);
const LEAKING_POLICIES = ["unsafe-url", "no-referrer-when-downgrade"];

export const referrer: Rule = {
  id: "hdr.referrer",
  title: {
    fr: "URL envoyée aux autres sites (Referrer-Policy)",
    en: "URL sent to other sites (Referrer-Policy)",
  },
  measures: {
    fr: "La politique qui s'applique, qu'elle vienne de l'en-tête ou d'une balise meta, empêche l'envoi de l'URL complète aux autres sites. Sans politique, celle que les navigateurs appliquent par défaut convient.",
    en: "The policy that applies, from the header or a meta tag, keeps the full URL from being sent to other sites. Without a policy, the browsers' default is fine.",
  },
  why: {
    fr: "Les autres sites reçoivent l'URL complète de la page, jetons et recherches compris.",
    en: "Other sites receive the full URL of the page, including tokens and searches.",
  },
  fix: addLine(
    {
      fr: "Envoyez l'en-tête Referrer-Policy avec chaque réponse.",
      en: "Send the Referrer-Policy header with every response.",
    },
    "Referrer-Policy: strict-origin-when-cross-origin",
  ),
  standard: {
    name: "Referrer Policy, 8.1",
    url: "https://www.w3.org/TR/referrer-policy/#parse-referrer-policy-from-header",
  },
  parents: pageAnswer,
  judge(evidence) {
    const policy = findPageReferrerPolicy(evidence);
    const header = pageHeader(evidence, "referrer-policy");
    const meta = metaContents(evidence, "referrer");
    if (policy === undefined)
      return pass({
        fr: "Aucune politique valide : les navigateurs appliquent la leur (strict-origin-when-cross-origin).",
        en: "No valid policy: the browsers' default applies (strict-origin-when-cross-origin).",
      });
    const sources = [
      ...(header.length > 0 ? [`Referrer-Policy: ${header.join(", ")}`] : []),
      ...meta.map((content) => `<meta name="referrer" content="${content}">`),
    ];
    const shown = cut(sources.join(", "), 200);
    const found = {
      fr: `La politique ${policy} s'applique (${shown}).`,
      en: `The policy ${policy} applies (${shown}).`,
    };
    if (!LEAKING_POLICIES.includes(policy)) return pass(found);
    if (findMetaReferrerPolicy(meta) !== undefined) return fail(found, META_FIX);
    return findHeaderlessHost(evidence) === undefined ? fail(found) : fail(found, NEW_META_FIX);
  },
};

const ISOLATION = [
  "cross-origin-opener-policy",
  "cross-origin-embedder-policy",
  "cross-origin-resource-policy",
];

export const isolation: Rule = {
  id: "hdr.isolation",
  title: {
    fr: "Isolement entre origines (pour information)",
    en: "Cross-origin isolation (informational)",
  },
  measures: {
    fr: "Les valeurs de COOP, COEP et CORP, sans effet sur le score.",
    en: "The values of COOP, COEP and CORP, with no effect on the score.",
  },
  why: {
    fr: "Ces en-têtes isolent la page des fenêtres et des ressources des autres sites.",
    en: "These headers isolate the page from the windows and resources of other sites.",
  },
  fix: addLine(
    {
      fr: "Si aucun autre site n'ouvre la page pour communiquer avec elle, envoyez l'en-tête Cross-Origin-Opener-Policy.",
      en: "If no other site opens the page to communicate with it, send the Cross-Origin-Opener-Policy header.",
    },
    "Cross-Origin-Opener-Policy: same-origin-allow-popups",
  ),
  standard: htmlPart("opener policies", "browsers", "cross-origin-opener-policies"),
  parents: pageAnswer,
  judge(evidence) {
    const lines = ISOLATION.flatMap((name) =>
      pageHeader(evidence, name).map((value) => `${name}: ${value}`),
    );
    if (lines.length === 0)
      return notApplicable({ fr: "Ni COOP, ni COEP, ni CORP.", en: "No COOP, COEP or CORP." });
    return pass(verbatim(cut(lines.join(", "), 200)));
  },
};

export const permissions: Rule = {
  id: "hdr.permissions",
  title: {
    fr: "Permissions-Policy (pour information)",
    en: "Permissions-Policy (informational)",
  },
  measures: {
    fr: "Présence de Permissions-Policy, sans effet sur le score.",
    en: "Whether Permissions-Policy is sent, with no effect on the score.",
  },
  why: {
    fr: "Cet en-tête interdit à la page et à ses iframes l'accès aux capteurs dont elles n'ont pas besoin.",
    en: "This header denies the page and its frames access to the sensors that they do not need.",
  },
  fix: addLine(
    {
      fr: "Désactivez les capteurs inutilisés avec l'en-tête Permissions-Policy.",
      en: "Turn off unused sensors with the Permissions-Policy header.",
    },
    "Permissions-Policy: camera=(), microphone=(), geolocation=()",
  ),
  standard: {
    name: "Permissions Policy, 6.1",
    url: "https://www.w3.org/TR/permissions-policy/#permissions-policy-http-header-field",
  },
  parents: pageAnswer,
  judge(evidence) {
    const members = listMembers(pageHeader(evidence, "permissions-policy"));
    if (members.length > 0)
      return pass(verbatim(`Permissions-Policy: ${cut(members.join(", "), 200)}`));
    if (pageHeader(evidence, "feature-policy").length > 0)
      return notApplicable({
        fr: "Seul Feature-Policy est envoyé : les navigateurs ne le lisent plus, Permissions-Policy l'a remplacé.",
        en: "Only Feature-Policy is sent. Browsers no longer read it: Permissions-Policy has replaced it.",
      });
    return notApplicable({ fr: "Pas de Permissions-Policy.", en: "No Permissions-Policy." });
  },
};
