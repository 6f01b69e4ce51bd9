import { pageHeader } from "../../evidence/accessors.ts";
import { findSources, parsePolicies } from "../facts/policy.ts";
import type { Fix, Judgement, Rule } from "../rule.ts";
import { addLine, cut, fail, pageAnswer, pass, unknown, verbatim } from "../rule.ts";
import { isAnyHost } from "../facts/source-expression.ts";

/** Browsers block frames on other sites if the header has one known value or two conflicting values (HTML, 7.5.1). */
function closesFrames(options: readonly string[]): boolean {
  const values = new Set(
    options
      .join(",")
      .split(",")
      .map((value) => value.trim().toLowerCase()),
  );
  if (values.has("deny") || values.has("sameorigin")) return true;
  return values.size > 1 && values.has("allowall");
}

function judgeOptions(options: readonly string[]): Judgement {
  if (options.length === 0)
    return fail({
      fr: "La page n'a ni frame-ancestors ni X-Frame-Options.",
      en: "The page has neither frame-ancestors nor X-Frame-Options.",
    });
  const shown = cut(options.join(", "), 150);
  if (closesFrames(options)) return pass(verbatim(`X-Frame-Options: ${shown}`));
  return fail(
    {
      fr: `Les navigateurs ignorent cette valeur de X-Frame-Options : ${shown}.`,
      en: `Browsers ignore this value of X-Frame-Options: ${shown}.`,
    },
    fixOptions(options),
  );
}

/** ALLOW-FROM named the one site that may frame the page; frame-ancestors replaces it. */
function fixOptions(options: readonly string[]): Fix {
  const [, site] =
    /^allow-from[\s:=]+(https:\/\/(?:\*\.)?[\w.-]+(?::\d+)?)(?:[\s,;/]|$)/i.exec(
      options[0]?.trim() ?? "",
    ) ?? [];
  if (site === undefined) return FRAMING_FIX;
  const line = `Content-Security-Policy: frame-ancestors 'self' ${cut(site, 100)}`;
  return addLine(
    {
      fr: "Remplacez X-Frame-Options par une politique frame-ancestors qui autorise ce site.",
      en: "Replace X-Frame-Options with a frame-ancestors policy that allows this site.",
    },
    line,
  );
}

const OWN_FRAMES = "Content-Security-Policy: frame-ancestors 'self'";
/** The site can add this policy to any other, because browsers enforce both. */
const FRAMING_FIX = addLine(
  {
    fr: "Envoyez cette politique frame-ancestors, même en plus d'une autre. Après 'self', ajoutez tout autre site qui doit afficher la page dans une iframe.",
    en: "Send this frame-ancestors policy, even in addition to another. After 'self', add any other site that has to frame the page.",
  },
  OWN_FRAMES,
);

export const framing: Rule = {
  id: "hdr.framing",
  title: {
    fr: "Affichage dans une iframe (clickjacking)",
    en: "Framing by other sites (clickjacking)",
  },
  measures: {
    fr: "La politique contient un frame-ancestors qui n'autorise pas tous les hôtes, ou X-Frame-Options vaut DENY ou SAMEORIGIN. Si frame-ancestors est présent, les navigateurs ignorent X-Frame-Options.",
    en: "The policy has a frame-ancestors directive that does not allow every host, or X-Frame-Options is DENY or SAMEORIGIN. If frame-ancestors is present, browsers ignore X-Frame-Options.",
  },
  why: {
    fr: "Un autre site peut afficher la page dans une iframe invisible, où ses visiteurs cliquent à leur insu.",
    en: "Another site can show the page in an invisible frame, where its visitors click without knowing.",
  },
  fix: FRAMING_FIX,
  standard: {
    name: "CSP Level 3, 6.4.2",
    url: "https://www.w3.org/TR/CSP3/#directive-frame-ancestors",
  },
  parents: pageAnswer,
  judge(evidence) {
    const policies = parsePolicies(pageHeader(evidence, "content-security-policy"));
    const listed = policies.filter(({ directives }) => directives.has("frame-ancestors"));
    const open = listed.map((policy) =>
      findSources(policy, "frame-ancestors")?.sources.find(isAnyHost),
    );
    const found = cut(
      listed
        .map(({ directives }) => directives.get("frame-ancestors")?.values ?? [])
        .map((values) => ["frame-ancestors", ...values].join(" "))
        .join(", "),
      200,
    );
    if (open.includes(undefined)) return pass(verbatim(found));
    if (policies.some(({ isCut }) => isCut))
      return unknown({
        fr: "La politique est trop longue : seul son début a été conservé, sans frame-ancestors qui protège la page.",
        en: "The policy is too long: only its beginning was kept, and it has no frame-ancestors directive that protects the page.",
      });
    const [widest] = open;
    if (!widest) return judgeOptions(pageHeader(evidence, "x-frame-options"));
    const shown = cut(widest.text, 60);
    return fail({
      fr: `${shown} permet à tous les sites d'afficher la page dans une iframe (${found}).`,
      en: `${shown} lets every site frame the page (${found}).`,
    });
  },
};
