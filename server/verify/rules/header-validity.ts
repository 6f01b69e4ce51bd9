import type { Text } from "../../language.ts";
import type { Evidence } from "../../probe/evidence.ts";
import { listMembers, pageHeader } from "../page.ts";
import { findFault, parsePolicies } from "../policy.ts";
import { findReferrerPolicy } from "../referrer.ts";
import { type Rule, cut, fail, notApplicable, pageAnswer, pass, text } from "../rule.ts";
import { isDictionary } from "../structured-field.ts";
import { findMaxAge } from "./hsts.ts";

interface Check {
  /** What of the header's values browsers ignore, or can't reconcile; undefined where they say one thing. */
  readonly findFault: (values: readonly string[]) => string | undefined;
  readonly mend: string;
}

const OPENER =
  /^(?:same-origin|same-origin-allow-popups|noopener-allow-popups|unsafe-none)(?: *;.*)?$/;
const EMBEDDER = /^(?:require-corp|credentialless|unsafe-none)(?: *;.*)?$/;
const RESOURCE = /^(?:same-origin|same-site|cross-origin)$/;

/** A header that holds one word, in small letters; sent twice it is none (HTML, 7.1.3 and 7.1.4; Fetch, 3.8). */
function oneWord(words: RegExp, mend: string): Check {
  return {
    findFault: (values) => (words.test(values.join(", ").trim()) ? undefined : values.join(", ")),
    mend,
  };
}

function whole(isValid: (values: readonly string[]) => boolean, mend: string): Check {
  return { findFault: (values) => (isValid(values) ? undefined : values.join(", ")), mend };
}

function isOneValue(values: readonly string[]): boolean {
  return new Set(values.map((value) => value.toLowerCase().replaceAll(/\s+/g, ""))).size === 1;
}

function findPolicyFault(values: readonly string[]): string | undefined {
  const policies = parsePolicies(values);
  if (policies.some(({ isCut }) => isCut)) return undefined;
  if (policies.length < Math.max(listMembers(values).length, 1)) return values.join(", ");
  return policies.map(findFault).find((fault) => fault !== undefined);
}

const CHECKS: Readonly<Record<string, Check>> = {
  "strict-transport-security": whole(
    (values) => values.every((value) => findMaxAge(value) !== undefined) && isOneValue(values),
    "Strict-Transport-Security: max-age=31536000; includeSubDomains",
  ),
  "content-security-policy": { findFault: findPolicyFault, mend: "" },
  "x-content-type-options": whole(
    (values) => isOneValue(listMembers(values)) && /^\s*nosniff\b/i.test(values[0] ?? ""),
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

interface Fault {
  readonly name: string;
  readonly fault: string;
  readonly mend: string;
}

function findFaults(evidence: Evidence): Fault[] {
  return Object.entries(CHECKS).flatMap(([name, check]) => {
    const values = pageHeader(evidence, name);
    const isWhole = values.length > 0 && !values.some((value) => value.endsWith("…"));
    const fault = isWhole ? check.findFault(values) : undefined;
    return fault === undefined ? [] : [{ name, fault, mend: check.mend }];
  });
}

function mendFault({ name, fault, mend }: Fault): Text {
  const shown = cut(fault, 100);
  return mend === ""
    ? text(
        `Corrigez dans ${name} ce que les navigateurs ignorent : ${shown}`,
        `Mend in ${name} what browsers ignore: ${shown}`,
      )
    : text(`Envoyez une seule fois : ${mend}`, `Send once: ${mend}`);
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
    const shown = cut(
      faults.map(({ name, fault }) => `${name}: ${cut(fault, 80)}`).join(" | "),
      250,
    );
    return fail(
      text(`Sans effet ou en conflit : ${shown}.`, `Void or in conflict: ${shown}.`),
      mendFault(first),
    );
  },
};
