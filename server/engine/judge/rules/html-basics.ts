import type { Evidence } from "../../evidence/evidence.ts";
import { metaContents } from "../facts/metas.ts";
import { pageHeader } from "../../evidence/page.ts";
import { type Rule, fail, pageHtml, pass, unknown } from "../rule.ts";

const SECURITY_HEADERS = [
  "strict-transport-security",
  "content-security-policy",
  "content-security-policy-report-only",
  "x-content-type-options",
  "x-frame-options",
  "referrer-policy",
  "permissions-policy",
  "cross-origin-opener-policy",
];

function isBare(evidence: Evidence): boolean {
  const { title = null, doctype = null } = evidence.page.body?.html ?? {};
  const metas = ["viewport", "content-security-policy", "referrer"];
  return (
    !title &&
    doctype === null &&
    metas.every((name) => metaContents(evidence, name).length === 0) &&
    SECURITY_HEADERS.every((name) => pageHeader(evidence, name).length === 0)
  );
}

export const basics: Rule = {
  id: "html.basics",
  title: { fr: "Page qui a l'essentiel", en: "Page that has the basics" },
  measures: {
    fr: "La page a au moins l'un de ceux-ci : un titre, un doctype, un viewport, un en-tête de sécurité.",
    en: "The page has at least one of these: a title, a doctype, a viewport, a security header.",
  },
  matters: {
    fr: "Une page sans rien de tout cela est une ébauche ou un fichier de test, pas un site en production.",
    en: "A page with none of them is a draft or a test file, not a site in production.",
  },
  fix: {
    fr: 'Donnez à la page un doctype, un titre et un viewport (<!doctype html>, <title>…</title>, <meta name="viewport" content="width=device-width, initial-scale=1">), puis les en-têtes de sécurité que demandent les règles hdr.',
    en: 'Give the page a doctype, a title and a viewport (<!doctype html>, <title>…</title>, <meta name="viewport" content="width=device-width, initial-scale=1">), then the security headers that the hdr rules ask for.',
  },
  standard: {
    name: "HTML, 4.2",
    url: "https://html.spec.whatwg.org/multipage/semantics.html#document-metadata",
  },
  capReason: {
    fr: "La page n'a ni titre, ni doctype, ni viewport, ni aucun en-tête de sécurité.",
    en: "The page has no title, no doctype, no viewport and no security header.",
  },
  parents: pageHtml,
  judge(evidence) {
    if (!evidence.page.body?.html)
      return unknown({ fr: "Le HTML n'a pas été lu.", en: "The HTML was not read." });
    return isBare(evidence)
      ? fail({
          fr: "Ni titre, ni doctype, ni viewport, ni en-tête de sécurité.",
          en: "No title, no doctype, no viewport, and no security header.",
        })
      : pass({
          fr: "La page a un titre, un doctype, un viewport ou un en-tête de sécurité.",
          en: "The page has a title, a doctype, a viewport or a security header.",
        });
  },
};
