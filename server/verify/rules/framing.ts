import { listMembers, pageHeader } from "../page.ts";
import { parsePolicies } from "../policy.ts";
import { type Rule, cut, fail, pageAnswer, pass, text, verbatim } from "../rule.ts";

/** `*`, a bare scheme, or a wildcard for the whole host, with any scheme and port. */
function letsAnyoneIn(source: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|(?:[a-z][a-z0-9+.-]*:\/\/)?\*(?::(?:\d+|\*))?\/?)$/i.test(source);
}

export const framing: Rule = {
  id: "hdr.framing",
  title: text("Protection contre l'inclusion dans un cadre", "Protection against framing"),
  measures: text(
    "frame-ancestors sans joker, ou X-Frame-Options à DENY ou SAMEORIGIN ; s'il y a un frame-ancestors, les navigateurs ignorent X-Frame-Options.",
    "frame-ancestors without a wildcard, or X-Frame-Options of DENY or SAMEORIGIN; where there is a frame-ancestors, browsers ignore X-Frame-Options.",
  ),
  matters: text(
    "Un autre site peut afficher la page sous la sienne et faire cliquer ses visiteurs à leur insu.",
    "Another site can lay the page under its own and make visitors click on it unawares.",
  ),
  fix: text(
    "Ajoutez à la politique : Content-Security-Policy: frame-ancestors 'self'",
    "Add to the policy: Content-Security-Policy: frame-ancestors 'self'",
  ),
  standard: {
    name: "CSP Level 3, 6.4.2",
    url: "https://www.w3.org/TR/CSP3/#directive-frame-ancestors",
  },
  parents: pageAnswer,
  judge(evidence) {
    const ancestors = parsePolicies(pageHeader(evidence, "content-security-policy"))
      .map(({ csp }) => csp.directives["frame-ancestors"])
      .filter((sources) => sources !== undefined);
    if (ancestors.length > 0) {
      const list = cut(
        ancestors.map((sources) => `frame-ancestors ${sources.join(" ")}`).join(", "),
        200,
      );
      const isClosed = ancestors.some((sources) => !sources.some(letsAnyoneIn));
      return isClosed ? pass(verbatim(list)) : fail(verbatim(list));
    }
    const options = pageHeader(evidence, "x-frame-options");
    if (options.length === 0)
      return fail(
        text(
          "Ni frame-ancestors, ni X-Frame-Options.",
          "Neither frame-ancestors nor X-Frame-Options.",
        ),
      );
    const shown = cut(options.join(", "), 150);
    const seen = text(`X-Frame-Options: ${shown}.`, `X-Frame-Options: ${shown}.`);
    const isClosed = listMembers(options).some((option) => /^(deny|sameorigin)$/i.test(option));
    return isClosed ? pass(seen) : fail(seen);
  },
};
