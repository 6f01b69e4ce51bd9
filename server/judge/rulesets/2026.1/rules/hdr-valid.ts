import type { Language, Text } from "../../../../language.ts";
import type { Evidence } from "../../../../evidence/evidence.ts";
import { listMembers, pageHeader } from "../page.ts";
import { parsePolicies } from "../policy.ts";
import { type Fault, findPolicyFault } from "../policy-faults.ts";
import { findReferrerPolicy } from "../referrer.ts";
import { type Rule, cut, fail, notApplicable, pageAnswer, pass, text } from "../../../rule.ts";
import { isDictionary } from "../../../facts/structured-field.ts";
import { readDirectives } from "./hdr-hsts.ts";

/** What is wrong with the values of a header; undefined where browsers read them all as one thing. */
type Check = (values: readonly string[]) => Fault | undefined;

const OPENER =
  /^(?:same-origin|same-origin-allow-popups|noopener-allow-popups|unsafe-none)(?: *;.*)?$/;
const EMBEDDER = /^(?:require-corp|credentialless|unsafe-none)(?: *;.*)?$/;
const RESOURCE = /^(?:same-origin|same-site|cross-origin)$/;

function whole(isValid: (values: readonly string[]) => boolean, line: string): Check {
  return (values) =>
    isValid(values)
      ? undefined
      : {
          seen: verbatimWords(cut(values.join(", "), 80)),
          fix: text(`Envoyez une seule fois : ${line}`, `Send once: ${line}`),
        };
}

function verbatimWords(words: string): Text {
  return text(words, words);
}

/** A header that holds one word, in small letters; sent twice it is none (HTML, 7.1.3 and 7.1.4; Fetch, 3.8). */
function oneWord(words: RegExp, line: string): Check {
  return whole((values) => words.test(values.join(", ").trim()), line);
}

function isOneValue(values: readonly string[]): boolean {
  return new Set(values.map((value) => value.toLowerCase().replaceAll(/\s+/g, ""))).size === 1;
}

/** Whether each value is valid and holds the same directives, in whatever order. */
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

function checkPolicies(values: readonly string[]): Fault | undefined {
  const policies = parsePolicies(values);
  if (policies.some(({ isCut }) => isCut)) return undefined;
  const faults = policies.map(findPolicyFault).filter((fault) => fault !== undefined);
  return faults[0] ?? checkNoPolicy(values, policies.length);
}

const checkNoPolicy = (values: readonly string[], count: number) =>
  whole(
    () => count > 0 && count === listMembers(values).length,
    "Content-Security-Policy: default-src 'self'; object-src 'none'",
  )(values);

const CHECKS: Readonly<Record<string, Check>> = {
  "strict-transport-security": whole(
    saysOneThing,
    "Strict-Transport-Security: max-age=31536000; includeSubDomains",
  ),
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
    "Permissions-Policy: camera=(), microphone=(), geolocation=()",
  ),
  "cross-origin-opener-policy": oneWord(OPENER, "Cross-Origin-Opener-Policy: same-origin"),
  "cross-origin-embedder-policy": oneWord(EMBEDDER, "Cross-Origin-Embedder-Policy: require-corp"),
  "cross-origin-resource-policy": oneWord(RESOURCE, "Cross-Origin-Resource-Policy: same-origin"),
};

function findFaults(evidence: Evidence): (Fault & { readonly name: string })[] {
  return Object.entries(CHECKS).flatMap(([name, check]) => {
    const values = pageHeader(evidence, name);
    const isWhole = values.length > 0 && !values.some((value) => value.endsWith("…"));
    const fault = isWhole ? check(values) : undefined;
    return fault ? [{ name, ...fault }] : [];
  });
}

export const validity: Rule = {
  id: "hdr.valid",
  title: text("En-têtes de sécurité bien formés", "Well-formed security headers"),
  measures: text(
    "Aucun en-tête de sécurité n'est envoyé deux fois avec des valeurs contraires, ni avec une valeur, une directive ou une source que les navigateurs ignorent.",
    "No security header is sent twice with conflicting values, or with a value, directive or source that browsers ignore.",
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
    const present = Object.keys(CHECKS).filter((name) => pageHeader(evidence, name).length > 0);
    if (present.length === 0)
      return notApplicable(
        text("Aucun en-tête de sécurité à juger.", "No security header to judge."),
      );
    const faults = findFaults(evidence);
    const [first] = faults;
    if (!first) {
      const names = present.join(", ");
      return pass(text(`Bien formés : ${names}.`, `Well formed: ${names}.`));
    }
    const list = (language: Language) =>
      cut(faults.map(({ name, seen }) => `${name}: ${seen[language]}`).join(" | "), 250);
    return fail(
      text(`Sans effet ou en conflit : ${list("fr")}.`, `Void or in conflict: ${list("en")}.`),
      first.fix,
    );
  },
};
