import type { Language, Text } from "../../../../shared/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findReferrerPolicy } from "../../evidence/referrer.ts";
import { listMembers, pageHeader, pageUrl } from "../../evidence/accessors.ts";
import { findSessions } from "../facts/session-cookies.ts";
import { enforcedPolicies, parsePolicies, readPolicies } from "../facts/policy.ts";
import { readDictionary } from "../../../base/syntax/structured-field.ts";
import { readIntegrityPolicy } from "../facts/integrity-policy.ts";
import { type PolicyFault, findPolicyFault } from "../facts/policy-faults.ts";
import {
  addLine,
  type Rule,
  cut,
  fail,
  notApplicable,
  pageAnswer,
  partial,
  pass,
  rfc,
  sameText,
  writeText,
} from "../rule.ts";
import { readSyntax } from "../facts/response-syntax.ts";
import { fixNosniff } from "../facts/mistyped.ts";
import { readDirectives, writeDirectives } from "./hdr-hsts.ts";

/** Returns undefined if the header is valid, or if browsers read all its values alike. */
type Check = (values: readonly string[], name: string) => PolicyFault | undefined;

const OPENER =
  /^(?:same-origin|same-origin-allow-popups|noopener-allow-popups|unsafe-none)(?: *;.*)?$/;
const EMBEDDER = /^(?:require-corp|credentialless|unsafe-none)(?: *;.*)?$/;
const RESOURCE = /^(?:same-origin|same-site|cross-origin)$/;

const REMOVE = { fr: "Retirez cet en-tête.", en: "Remove this header." };

type IsValid = (values: readonly string[]) => boolean;
type Suggest = (values: readonly string[]) => string | undefined;

/**
 * Keeps one header with the suggested value, the site's first valid value or the default. Suggests removal if there is
 * no such value.
 */
function whole(isValid: IsValid, value?: string, suggest: Suggest = () => undefined): Check {
  return (values, name) => {
    if (isValid(values)) return undefined;
    const once = suggest(values) ?? values.find((one) => isValid([one])) ?? value;
    if (once === undefined) return { found: describeValues(values), fix: REMOVE };
    const isTrial = mayBlock(name, once);
    const header = HEADER_NAMES[name] ?? name;
    const trial = isTrial
      ? { fr: ", d'abord en mode Report-Only", en: ", first in Report-Only mode" }
      : sameText("");
    const fix = addLine(
      {
        fr: `Envoyez l'en-tête ${header} une seule fois, avec une valeur valide${trial.fr}.`,
        en: `Send the ${header} header once, with a valid value${trial.en}.`,
      },
      `${header}${isTrial ? "-Report-Only" : ""}: ${once}`,
    );
    return { found: describeValues(values), fix };
  };
}

/** Whether browsers would refuse files of the page once the header takes effect. */
const mayBlock = (name: string, value: string): boolean =>
  name === "content-security-policy" ||
  (name === "cross-origin-embedder-policy" && !value.startsWith("unsafe-none"));

const HEADER_NAMES: Readonly<Record<string, string>> = {
  "strict-transport-security": "Strict-Transport-Security",
  "content-security-policy": "Content-Security-Policy",
  "x-frame-options": "X-Frame-Options",
  "referrer-policy": "Referrer-Policy",
  "permissions-policy": "Permissions-Policy",
  "cross-origin-opener-policy": "Cross-Origin-Opener-Policy",
  "cross-origin-embedder-policy": "Cross-Origin-Embedder-Policy",
  "cross-origin-resource-policy": "Cross-Origin-Resource-Policy",
  "integrity-policy": "Integrity-Policy",
  "integrity-policy-report-only": "Integrity-Policy-Report-Only",
};

function describeValues(values: readonly string[]): Text {
  const shown = cut(values.join(", "), 80);
  return shown === "" ? { fr: "valeur vide", en: "an empty value" } : { fr: shown, en: shown };
}

/**
 * Requires one lower-case word. A header that is sent twice has no effect (HTML, 7.1.3 and 7.1.4; Fetch, 3.8). Suggests
 * only a word that the site sends: any other could block what works today.
 */
function oneWord(words: RegExp): Check {
  const isOne = (value: string) => words.test(value);
  return whole(
    (values) => isOne(values.join(", ").trim()),
    undefined,
    (values) =>
      listMembers(values)
        .map((value) => value.toLowerCase())
        .find(isOne),
  );
}

function isOneValue(values: readonly string[]): boolean {
  return new Set(values.map((value) => value.toLowerCase().replaceAll(/\s+/g, ""))).size === 1;
}

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

const YEAR_SECONDS = 31_536_000;
const MAX_SECONDS = 10 * YEAR_SECONDS;

function keepLongest(values: readonly string[]): string | undefined {
  const maxAgeOf = (directives: ReadonlyMap<string, string | null>) =>
    Number(directives.get("max-age"));
  const [longest] = values
    .flatMap((value) => readDirectives(value) ?? [])
    .toSorted((one, other) => maxAgeOf(other) - maxAgeOf(one));
  if (longest === undefined) return undefined;
  // A max-age of 0 ends HSTS on purpose.
  if (maxAgeOf(longest) === 0) return "max-age=0";
  const maxAge = Math.min(Math.max(maxAgeOf(longest), YEAR_SECONDS), MAX_SECONDS);
  return writeDirectives(maxAge, longest);
}

/** Browsers expect origins in quotes and keywords without (Permissions Policy, 5.2). */
function quoteOrigins(values: readonly string[]): string {
  return values
    .join(", ")
    .replace(/(?<=[(= ])https?:\/\/[^\s"(),;]+/g, '"$&"')
    .replace(/(?<=[(= ])"(self|src|\*)"/g, "$1");
}

function checkPolicies(values: readonly string[]): PolicyFault | undefined {
  const policies = readPolicies(values);
  if (policies.some(({ isCut }) => isCut)) return undefined;
  const fault = policies.map(findPolicyFault).find((one) => one !== undefined);
  return fault ?? checkSome(values, "content-security-policy");
}

const checkSome = whole(
  (values) => parsePolicies(values).length > 0,
  "script-src 'self'; object-src 'none'; base-uri 'self'",
);

/**
 * Suggests no line, because the site must add the origin of each frame. A frame's `allow` grants only what the header
 * grants its origin (Permissions Policy, 9.7).
 */
const PERMISSIONS_FIX = {
  fr: "Écrivez Permissions-Policy sous la forme camera=(), microphone=(self). Ajoutez l'origine de chaque iframe qui utilise ce que vous limitez.",
  en: "Write Permissions-Policy in the form camera=(), microphone=(self). Add the origin of each frame that uses what you restrict.",
};

const checkQuotes = whole(
  (values) => quoteOrigins(values) === values.join(", "),
  undefined,
  quoteOrigins,
);

function checkPermissions(values: readonly string[], name: string): PolicyFault | undefined {
  return readDictionary(values.join(", "))
    ? checkQuotes(values, name)
    : { found: describeValues(values), fix: PERMISSIONS_FIX };
}

/**
 * Browsers ignore a type without quotes (Clear Site Data, 4.1). Suggests no line, because it could sign out each visitor.
 */
const TYPES_FIX = {
  fr: 'Écrivez chaque type de Clear-Site-Data entre guillemets droits, comme "cache".',
  en: 'Write each type of Clear-Site-Data in straight quotes, such as "cache".',
};

function checkTypes(values: readonly string[]): PolicyFault | undefined {
  const isQuoted = listMembers(values).every((member) => /^"[^"]*"$/.test(member));
  return isQuoted ? undefined : { found: describeValues(values), fix: TYPES_FIX };
}

const SIGN_OUT = /(?:log|sign)-?_?(?:out|off)|deconnexion|abmelden|cerrar-sesion|esci/i;
const CLEARED = ['"cookies"', '"storage"', '"*"'];

/** The page deletes the session that it sets, or the site's data at each visit. Pages that sign out may do so. */
function findClearing(evidence: Evidence): PolicyFault | undefined {
  const values = pageHeader(evidence, "clear-site-data");
  const isCleared = listMembers(values).some((member) => CLEARED.includes(member));
  const [session] = isCleared ? findSessions(evidence) : [];
  if (!session || SIGN_OUT.test(pageUrl(evidence).pathname)) return undefined;
  const shown = describeValues(values);
  const name = cut(session.name, 40);
  return {
    found: {
      fr: `${shown.fr}, sur une page qui ouvre la session ${name}`,
      en: `${shown.en}, on a page that sets the session ${name}`,
    },
    fix: {
      fr: "N'envoyez Clear-Site-Data qu'avec la page de déconnexion.",
      en: "Send Clear-Site-Data only with the page that signs out.",
    },
  };
}

/** Suggests no line, because the policy blocks every script without integrity. */
function checkIntegrity(values: readonly string[], name: string): PolicyFault | undefined {
  if (readIntegrityPolicy(values)) return undefined;
  const header = HEADER_NAMES[name] ?? name;
  return {
    found: describeValues(values),
    fix: {
      fr: `Écrivez ${header} sous la forme blocked-destinations=(script), sans guillemets. Chaque <script src> a alors besoin d'integrity et de crossorigin : essayez-le d'abord avec Integrity-Policy-Report-Only.`,
      en: `Write ${header} in the form blocked-destinations=(script), without quotes. Each <script src> then needs integrity and crossorigin: try it first with Integrity-Policy-Report-Only.`,
    },
  };
}

/** Browsers send the reports of a policy only to what Reporting-Endpoints names. Report-To remains for NEL. */
function findReportFaults(evidence: Evidence): (PolicyFault & { readonly name: string })[] {
  const names = (header: string) => new Set(listMembers(pageHeader(evidence, header)));
  const [endpoints, old, nel] = [names("reporting-endpoints"), names("report-to"), names("nel")];
  const policies = ["content-security-policy", "content-security-policy-report-only"].flatMap(
    (header) => parsePolicies(pageHeader(evidence, header)),
  );
  const group = policies
    .map(({ directives }) => directives.get("report-to")?.values[0] ?? "")
    .find((one) => old.has(one) && !endpoints.has(one) && !nel.has(one));
  if (group === undefined) return [];
  const shown = cut(group, 60);
  return [
    {
      name: "report-to",
      found: {
        fr: `la politique envoie ses rapports à ${shown}, que seul cet en-tête définit`,
        en: `the policy sends its reports to ${shown}, which only this header defines`,
      },
      fix: {
        fr: `Définissez ${shown} dans l'en-tête Reporting-Endpoints (nom="URL") : les navigateurs ne lisent plus Report-To pour les politiques, et leurs rapports se perdent.`,
        en: `Define ${shown} in the Reporting-Endpoints header (name="URL"): browsers no longer read Report-To for policies, so their reports are lost.`,
      },
    },
  ];
}

/** Headers that no browser reads any more. `X-XSS-Protection: 0` turns off the filter of old browsers on purpose. */
function noteDeadHeaders(evidence: Evidence): Text {
  const has = (name: string) => pageHeader(evidence, name).length > 0;
  const isFiltering = pageHeader(evidence, "x-xss-protection").some((one) => !/^\s*0/.test(one));
  const dead = [
    ...(isFiltering ? ["X-XSS-Protection"] : []),
    ...(has("expect-ct") ? ["Expect-CT"] : []),
    ...(has("public-key-pins") ? ["Public-Key-Pins"] : []),
    ...(has("public-key-pins-report-only") ? ["Public-Key-Pins-Report-Only"] : []),
    ...(has("feature-policy") && !has("permissions-policy") ? ["Feature-Policy"] : []),
  ].join(", ");
  if (dead === "") return sameText("");
  return {
    fr: ` Les navigateurs ne lisent plus : ${dead}.`,
    en: ` Browsers no longer read: ${dead}.`,
  };
}

const CHECKS: Readonly<Record<string, Check>> = {
  "strict-transport-security": whole(saysOneThing, `max-age=${YEAR_SECONDS}`, keepLongest),
  "content-security-policy": checkPolicies,
  "x-content-type-options": whole(
    (values) => isOneValue(listMembers(values)) && /^\s*nosniff\s*(?:,|$)/i.test(values[0] ?? ""),
  ),
  // Suggests no value, because each could block a site that frames the page today. The rule hdr.framing says how to
  // allow it.
  "x-frame-options": whole(
    (values) =>
      isOneValue(listMembers(values)) &&
      /^(?:deny|sameorigin)$/i.test(listMembers(values)[0] ?? ""),
  ),
  "referrer-policy": whole(
    (values) => findReferrerPolicy(values) !== undefined,
    "strict-origin-when-cross-origin",
  ),
  "permissions-policy": checkPermissions,
  "clear-site-data": checkTypes,
  "cross-origin-opener-policy": oneWord(OPENER),
  "cross-origin-embedder-policy": oneWord(EMBEDDER),
  "cross-origin-resource-policy": oneWord(RESOURCE),
  "integrity-policy": checkIntegrity,
  "integrity-policy-report-only": checkIntegrity,
};

/** frame-ancestors overrides X-Frame-Options (CSP 3, 6.4.2). */
function hasFrameAncestors(evidence: Evidence): boolean {
  return enforcedPolicies(evidence).some(({ directives }) => directives.has("frame-ancestors"));
}

function findFaults(evidence: Evidence): (PolicyFault & { readonly name: string })[] {
  const clearing = findClearing(evidence);
  const faults = Object.entries(CHECKS).flatMap(([name, check]) => {
    const values = pageHeader(evidence, name);
    const isWhole = values.length > 0 && !values.some((value) => value.endsWith("…"));
    const fault = isWhole ? check(values, name) : undefined;
    if (!fault) return [];
    const isReplaced = name === "x-frame-options" && hasFrameAncestors(evidence);
    const isSniffed = name === "x-content-type-options";
    return [
      {
        name,
        ...fault,
        ...(isReplaced && { fix: REMOVE }),
        ...(isSniffed && { fix: fixNosniff(evidence) }),
      },
    ];
  });
  return clearing ? [...faults, { name: "clear-site-data", ...clearing }] : faults;
}

const addNote = (found: Text, note: Text): Text =>
  writeText((language) => `${found[language]}${note[language]}`);

export const validity: Rule = {
  id: "hdr.valid",
  title: {
    fr: "Validité des en-têtes de sécurité et de la réponse",
    en: "Validity of security headers and of the response",
  },
  measures: {
    fr: "Aucun en-tête de sécurité n'est envoyé deux fois avec des valeurs contradictoires, ni avec une valeur, une directive, une source ou une destination de rapports que les navigateurs ignorent. Clear-Site-Data n'efface ni les cookies ni le stockage sur une page qui ouvre une session. Une réponse de syntaxe HTTP invalide ou mal compressée, ou qui s'interrompt après </body>, que les navigateurs affichent quand même, rapporte la moitié des points.",
    en: "No security header is sent twice with contradictory values, or with a value, directive, source or report destination that browsers ignore. Clear-Site-Data does not clear cookies or storage on a page that sets a session. A response with invalid HTTP syntax or a faulty compression, or that breaks off after </body>, earns half the points if browsers show it anyway.",
  },
  why: {
    fr: "Un en-tête que les navigateurs ignorent ne protège de rien. Clear-Site-Data peut faire perdre sa session au visiteur. Une réponse invalide est refusée par d'autres programmes : proxys, robots, outils de surveillance.",
    en: "A header that browsers ignore protects nothing. Clear-Site-Data can end the visitor's session. Other programs refuse an invalid response: proxies, crawlers, monitoring tools.",
  },
  fix: {
    fr: "Envoyez chacun de ces en-têtes une seule fois, avec une valeur valide. Vérifiez si l'application et le serveur les envoient tous les deux.",
    en: "Send each of these headers once, with a valid value. Check whether both the application and the server send them.",
  },
  standard: rfc(9110, "5.3"),
  parents: pageAnswer,
  judge(evidence) {
    const { fault, fix, note: ofSyntax } = readSyntax(evidence);
    const note = addNote(ofSyntax, noteDeadHeaders(evidence));
    const faults = [...findFaults(evidence), ...findReportFaults(evidence)];
    const [first] = faults;
    if (first) {
      const list = (language: Language) =>
        cut(faults.map(({ name, found }) => `${name}: ${found[language]}`).join(" | "), 250);
      const found = {
        fr: `Ignoré par les navigateurs ou contradictoire : ${list("fr")}.`,
        en: `Ignored by browsers or contradictory: ${list("en")}.`,
      };
      const also = fault ? writeText((language) => ` ${fault[language]}`) : sameText("");
      return fail(addNote(addNote(found, also), note), first.fix);
    }
    if (fault) return partial("syntax", addNote(fault, note), fix);
    const present = Object.keys(CHECKS).filter((name) => pageHeader(evidence, name).length > 0);
    if (present.length === 0)
      return notApplicable(
        addNote(
          { fr: "Aucun en-tête de sécurité à évaluer.", en: "No security header to assess." },
          note,
        ),
      );
    const names = present.join(", ");
    return pass(
      addNote({ fr: `En-têtes valides : ${names}.`, en: `Valid headers: ${names}.` }, note),
    );
  },
};
