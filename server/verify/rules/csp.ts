import { pageHeader } from "../page.ts";
import { enforcedPolicies, findBypasses, isStrict, parsePolicies } from "../policy.ts";
import { type Rule, cut, fail, pageAnswer, partial, pass, text } from "../rule.ts";

const STRICT_POLICY =
  "Content-Security-Policy: script-src 'nonce-{random}' 'strict-dynamic'; object-src 'none'; base-uri 'none'";

export const csp: Rule = {
  id: "hdr.csp",
  title: text("Politique de sécurité du contenu (CSP)", "Content security policy (CSP)"),
  measures: text(
    "Une seule échelle : aucune politique, en mode rapport seul, appliquée mais contournable (constats HIGH de csp_evaluator), appliquée sans contournement connu, stricte (nonce ou empreinte, aucun hôte). Les politiques de l'en-tête et des metas s'ajoutent.",
    "One scale: no policy, report-only, enforced but open to bypasses (HIGH findings of csp_evaluator), enforced with none known, strict (nonce or hash, no host). The policies of headers and metas add up.",
  ),
  matters: text(
    "Une politique stricte arrête un script injecté par une faille de la page ou d'un tiers.",
    "A strict policy stops a script injected through a flaw of the page or of a third party.",
  ),
  fix: text(`Envoyez : ${STRICT_POLICY}`, `Send: ${STRICT_POLICY}`),
  standard: { name: "CSP Level 3", url: "https://www.w3.org/TR/CSP3/" },
  parents: pageAnswer,
  judge(evidence) {
    const policies = enforcedPolicies(evidence);
    const reported = parsePolicies(pageHeader(evidence, "content-security-policy-report-only"));
    const source = cut(
      (policies.length > 0 ? policies : reported).map((one) => one.source).join(", "),
      200,
    );
    if (policies.length === 0 && reported.length === 0)
      return fail(text("Aucune politique de sécurité du contenu.", "No content security policy."));
    if (policies.length === 0)
      return partial(
        "report_only",
        text(
          `La politique n'est qu'en mode rapport : ${source}.`,
          `The policy is report-only: ${source}.`,
        ),
        text(
          "Une fois les rapports vides, envoyez la même politique dans Content-Security-Policy.",
          "Once the reports run dry, send the same policy in Content-Security-Policy.",
        ),
      );
    const bypasses = findBypasses(policies);
    if (bypasses.length > 0) {
      const open = cut(bypasses.join(", "), 150);
      return partial(
        "bypassable",
        text(
          `La politique se contourne par ${open} : ${source}.`,
          `The policy can be bypassed through ${open}: ${source}.`,
        ),
      );
    }
    if (policies.some(isStrict))
      return pass(text(`Politique stricte : ${source}.`, `Strict policy: ${source}.`));
    return partial(
      "allow_list",
      text(
        `La politique laisse entrer les scripts selon leur hôte : ${source}.`,
        `The policy lets scripts in by their host: ${source}.`,
      ),
    );
  },
};
