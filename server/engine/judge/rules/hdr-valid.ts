import type { Language, Text } from "../../../base/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findReferrerPolicy } from "../../evidence/referrer.ts";
import { listMembers, pageHeader } from "../../evidence/page.ts";
import { parsePolicies, readPolicies } from "../facts/policy.ts";
import { type PolicyFault, findPolicyFault } from "../facts/policy-faults.ts";
import { type Rule, cut, fail, notApplicable, pageAnswer, pass, withLine } from "../rule.ts";
import { isDictionary } from "../facts/structured-field.ts";
import { readDirectives } from "./hdr-hsts.ts";

/** Finds what is wrong with a header's values; undefined if browsers read them all as the same thing. */
type Check = (values: readonly string[]) => PolicyFault | undefined;

const OPENER =
  /^(?:same-origin|same-origin-allow-popups|noopener-allow-popups|unsafe-none)(?: *;.*)?$/;
const EMBEDDER = /^(?:require-corp|credentialless|unsafe-none)(?: *;.*)?$/;
const RESOURCE = /^(?:same-origin|same-site|cross-origin)$/;

function whole(isValid: (values: readonly string[]) => boolean, line: string): Check {
  return (values) =>
    isValid(values)
      ? undefined
      : {
          seen: describeValues(values),
          fix: withLine({ fr: `Envoyez une seule fois : ${line}`, en: `Send once: ${line}` }, line),
        };
}

function describeValues(values: readonly string[]): Text {
  const shown = cut(values.join(", "), 80);
  return shown === "" ? { fr: "valeur vide", en: "an empty value" } : { fr: shown, en: shown };
}

/**
 * Checks a header whose value is one lower-case word; sent twice, it has no effect (HTML, 7.1.3 and 7.1.4; Fetch,
 * 3.8).
 */
function oneWord(words: RegExp, line: string): Check {
  return whole((values) => words.test(values.join(", ").trim()), line);
}

function isOneValue(values: readonly string[]): boolean {
  return new Set(values.map((value) => value.toLowerCase().replaceAll(/\s+/g, ""))).size === 1;
}

/** Whether all values are valid and have the same directives, in any order. */
function saysOneThing(values: readonly string[]): boolean {
  const read = values.map(readDirectives);
  const said = read.map((directives) =>
    [...(directives ?? [])]
      .map((pair) => pair.join("="))
      .toSorted()
      .join(";"),
  );
  return !read.includes(undefined) && new Set(said).size === 1;
}

function checkPolicies(values: readonly string[]): PolicyFault | undefined {
  const policies = readPolicies(values);
  if (policies.some(({ isCut }) => isCut)) return undefined;
  return policies.map(findPolicyFault).find((fault) => fault !== undefined) ?? checkSome(values);
}

const checkSome = whole(
  (values) => parsePolicies(values).length > 0,
  "Content-Security-Policy-Report-Only: script-src 'self'; object-src 'none'; base-uri 'none'",
);

const CHECKS: Readonly<Record<string, Check>> = {
  "strict-transport-security": whole(saysOneThing, "Strict-Transport-Security: max-age=31536000"),
  "content-security-policy": checkPolicies,
  "x-content-type-options": whole(
    (values) => isOneValue(listMembers(values)) && /^\s*nosniff\s*(?:,|$)/i.test(values[0] ?? ""),
    "X-Content-Type-Options: nosniff",
  ),
  "x-frame-options": whole(
    (values) =>
      isOneValue(listMembers(values)) &&
      /^(?:deny|sameorigin)$/i.test(listMembers(values)[0] ?? ""),
    "X-Frame-Options: SAMEORIGIN",
  ),
  "referrer-policy": whole(
    (values) => findReferrerPolicy(values) !== undefined,
    "Referrer-Policy: strict-origin-when-cross-origin",
  ),
  "permissions-policy": whole(
    (values) => isDictionary(values.join(", ")),
    "Permissions-Policy: camera=(self), microphone=(self), geolocation=(self)",
  ),
  "cross-origin-opener-policy": oneWord(
    OPENER,
    "Cross-Origin-Opener-Policy: same-origin-allow-popups",
  ),
  "cross-origin-embedder-policy": oneWord(EMBEDDER, "Cross-Origin-Embedder-Policy: require-corp"),
  "cross-origin-resource-policy": oneWord(RESOURCE, "Cross-Origin-Resource-Policy: same-origin"),
};

function findFaults(evidence: Evidence): (PolicyFault & { readonly name: string })[] {
  return Object.entries(CHECKS).flatMap(([name, check]) => {
    const values = pageHeader(evidence, name);
    const isWhole = values.length > 0 && !values.some((value) => value.endsWith("…"));
    const fault = isWhole ? check(values) : undefined;
    return fault ? [{ name, ...fault }] : [];
  });
}

export const validity: Rule = {
  id: "hdr.valid",
  title: { fr: "En-têtes de sécurité bien formés", en: "Well-formed security headers" },
  measures: {
    fr: "Aucun en-tête de sécurité n'est envoyé deux fois avec des valeurs contraires, ni avec une valeur, une directive ou une source que les navigateurs ignorent.",
    en: "No security header is sent twice with conflicting values, or with a value, directive or source that browsers ignore.",
  },
  matters: {
    fr: "Un en-tête ignoré donne l'illusion d'une protection qui n'existe pas.",
    en: "A header that is ignored gives the illusion of a protection that is not there.",
  },
  fix: {
    fr: "Envoyez chacun de ces en-têtes une seule fois, avec une valeur valable : cherchez s'ils sont posés à la fois par l'application et par le serveur.",
    en: "Send each of these headers once, with a valid value: see whether both the application and the server set them.",
  },
  standard: { name: "RFC 9110, 5.3", url: "https://www.rfc-editor.org/rfc/rfc9110#section-5.3" },
  parents: pageAnswer,
  judge(evidence) {
    const present = Object.keys(CHECKS).filter((name) => pageHeader(evidence, name).length > 0);
    if (present.length === 0)
      return notApplicable({
        fr: "Aucun en-tête de sécurité à juger.",
        en: "No security header to judge.",
      });
    const faults = findFaults(evidence);
    const [first] = faults;
    if (!first) {
      const names = present.join(", ");
      return pass({ fr: `Bien formés : ${names}.`, en: `Well formed: ${names}.` });
    }
    const list = (language: Language) =>
      cut(faults.map(({ name, seen }) => `${name}: ${seen[language]}`).join(" | "), 250);
    return fail(
      {
        fr: `Sans effet ou en conflit : ${list("fr")}.`,
        en: `Void or in conflict: ${list("en")}.`,
      },
      first.fix,
    );
  },
};
