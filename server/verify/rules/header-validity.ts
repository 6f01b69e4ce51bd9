import type { Evidence } from "../../probe/evidence.ts";
import { listMembers, pageHeader } from "../page.ts";
import { parsePolicies } from "../policy.ts";
import { findReferrerPolicy } from "../referrer.ts";
import { type Rule, cut, fail, notApplicable, pageAnswer, pass, text } from "../rule.ts";
import { findMaxAge } from "./hsts.ts";

/** For each security header: whether all of its lines say one thing that browsers understand. */
const CHECKS: Readonly<Record<string, (values: readonly string[]) => boolean>> = {
  "strict-transport-security": (values) =>
    values.every((value) => findMaxAge(value) !== undefined) && isOneValue(values),
  "x-content-type-options": (values) =>
    listMembers(values).length > 0 &&
    listMembers(values).every((value) => /^nosniff$/i.test(value)),
  "x-frame-options": (values) =>
    isOneValue(listMembers(values)) &&
    values.some((value) => /^(?:deny|sameorigin)\b/i.test(value.trim())),
  "referrer-policy": (values) => findReferrerPolicy(values) !== undefined,
  "content-security-policy": (values) =>
    listMembers(values).length > 0 && parsePolicies(values).length === listMembers(values).length,
};

function isOneValue(values: readonly string[]): boolean {
  return new Set(values.map((value) => value.toLowerCase().replaceAll(/\s+/g, ""))).size === 1;
}

function presentHeaders(evidence: Evidence): { name: string; values: string[] }[] {
  return Object.keys(CHECKS)
    .map((name) => ({ name, values: pageHeader(evidence, name) }))
    .filter(({ values }) => values.length > 0);
}

export const validity: Rule = {
  id: "hdr.valid",
  title: text("En-têtes de sécurité bien formés", "Well-formed security headers"),
  measures: text(
    "Aucun en-tête de sécurité n'est envoyé deux fois avec des valeurs contraires, ni avec une valeur que les navigateurs ignorent.",
    "No security header is sent twice with conflicting values, or with a value that browsers ignore.",
  ),
  matters: text(
    "Un en-tête ignoré donne l'illusion d'une protection qui n'existe pas.",
    "A header that is ignored gives the illusion of a protection that is not there.",
  ),
  fix: text(
    "Envoyez chacun de ces en-têtes une seule fois, avec une valeur valable : cherchez s'ils sont posés à la fois par l'application et par le serveur.",
    "Send each of these headers once, with a valid value: see whether both the application and the server set them.",
  ),
  standard: { name: "RFC 9110, 5.3", url: "https://www.rfc-editor.org/rfc/rfc9110#section-5.3" },
  parents: pageAnswer,
  judge(evidence) {
    const present = presentHeaders(evidence);
    if (present.length === 0)
      return notApplicable(
        text("Aucun en-tête de sécurité à juger.", "No security header to judge."),
      );
    const faulty = present.filter(({ name, values }) => !CHECKS[name]?.(values));

    if (faulty.length === 0) {
      const names = present.map(({ name }) => name).join(", ");
      return pass(text(`Bien formés : ${names}.`, `Well formed: ${names}.`));
    }
    const lines = faulty.flatMap(({ name, values }) =>
      values.map((value) => `${name}: ${cut(value, 80)}`),
    );
    const shown = cut(lines.join(" | "), 250);
    return fail(text(`Sans effet ou en conflit : ${shown}.`, `Void or in conflict: ${shown}.`));
  },
};
