import type { Text } from "../../../../language.ts";
import type { Evidence } from "../../../../evidence/evidence.ts";
import { headerValues, pageHeader } from "../page.ts";
import { type Policy, enforcedPolicies, parsePolicies } from "../policy.ts";
import { type Hole, findHoles, findLaxity, silencesScripts } from "../policy-holes.ts";
import {
  type Judgement,
  type Rule,
  cut,
  fail,
  pageAnswer,
  partial,
  pass,
  text,
  unknown,
} from "../../../rule.ts";

const STRICT_SCRIPTS = "script-src 'nonce-{random}' 'strict-dynamic'";
const STRICT_POLICY = `Content-Security-Policy: ${STRICT_SCRIPTS}; object-src 'none'; base-uri 'none'`;
/** Harmless as it stands, where a nonce takes a server that draws it. */
const FIRST_POLICY =
  "Content-Security-Policy-Report-Only: script-src 'self'; object-src 'none'; base-uri 'none'";
const NONCE_USE = text(
  `nonce="{random}", tiré à chaque réponse, sur vos éléments <script>`,
  `nonce="{random}", drawn for each answer, on your <script> elements`,
);
const CLOSED_DIRECTIVE = {
  "script-src": STRICT_SCRIPTS,
  "object-src": "object-src 'none'",
  "base-uri": "base-uri 'none'",
};

function showPolicies(policies: readonly Policy[]): string {
  return cut(policies.map(({ source }) => source).join(", "), 200);
}

function describeHole({ directive, source }: Hole): Text {
  if (source === undefined) return text(`${directive} manque`, `${directive} is missing`);
  const shown = `${directive} ${cut(source, 60)}`;
  if (/^'nonce-/i.test(source))
    return text(`${shown}, le même nonce dans deux réponses`, `${shown}, one nonce in two answers`);
  return text(shown, shown);
}

/**
 * The directives that close the holes. A nonce takes a base-uri along, or a base element would lead its scripts astray,
 * and a list for elements or attributes alone goes, since it would take the place of script-src.
 */
function mendHoles(holes: readonly Hole[]): Text {
  const gates = new Set(holes.map(({ gate }) => gate));
  if (!gates.has("script-src")) {
    const closed = [...gates].map((gate) => CLOSED_DIRECTIVE[gate]).join("; ");
    return text(`Mettez dans la politique : ${closed}`, `Put into the policy: ${closed}`);
  }
  const object = gates.has("object-src") ? [CLOSED_DIRECTIVE["object-src"]] : [];
  const closed = [STRICT_SCRIPTS, ...object, CLOSED_DIRECTIVE["base-uri"]].join("; ");
  const part = holes.find(({ directive }) => directive.startsWith("script-src-"))?.directive;
  return text(
    `Mettez dans la politique${part ? `, sans ${part}` : ""} : ${closed} — et ${NONCE_USE.fr}.`,
    `Put into the policy${part ? `, without ${part}` : ""}: ${closed}; and ${NONCE_USE.en}.`,
  );
}

function putNonce(fr: string, en: string): Text {
  return text(
    `${fr} : ${STRICT_POLICY} — et ${NONCE_USE.fr}.`,
    `${en}: ${STRICT_POLICY}; and ${NONCE_USE.en}.`,
  );
}

function joinTexts(texts: readonly Text[]): Text {
  return text(texts.map(({ fr }) => fr).join(", "), texts.map(({ en }) => en).join(", "));
}

export const csp: Rule = {
  id: "hdr.csp",
  title: text("Politique de sécurité du contenu (CSP)", "Content security policy (CSP)"),
  measures: text(
    "Une seule échelle : aucune politique ; en mode rapport seul ; appliquée mais contournable (scripts en ligne, de partout ou d'un hôte connu de csp_evaluator, object-src ouvert, base-uri absent à côté d'un nonce, nonce qui sert deux fois) ; appliquée sans contournement connu ; stricte (nonce ou empreinte, ni hôte, ni 'self', ni 'unsafe-eval'). Les politiques de l'en-tête et des metas s'ajoutent.",
    "One scale: no policy; report-only; enforced but open to bypasses (scripts inline, from anywhere or from a host that csp_evaluator knows, an open object-src, no base-uri beside a nonce, a nonce that serves twice); enforced with none known; strict (nonce or hash, no host, no 'self', no 'unsafe-eval'). The policies of headers and metas add up.",
  ),
  matters: text(
    "Une politique stricte arrête un script injecté par une faille de la page ou d'un tiers.",
    "A strict policy stops a script injected through a flaw of the page or of a third party.",
  ),
  fix: text(
    `Envoyez d'abord, ce qui ne bloque rien : ${FIRST_POLICY} ; puis la même ligne sans -Report-Only, une fois la console du navigateur sans alerte. Un script en ligne entre par l'empreinte 'sha256-…' que la console donne ; une politique stricte a 'nonce-{random}' 'strict-dynamic' à la place de 'self', et ${NONCE_USE.fr}.`,
    `Send this first, which blocks nothing: ${FIRST_POLICY}; then the same line without -Report-Only, once the browser's console is quiet. An inline script gets in by the hash 'sha256-…' that the console gives; a strict policy has 'nonce-{random}' 'strict-dynamic' in place of 'self', and ${NONCE_USE.en}.`,
  ),
  standard: {
    name: "CSP Level 3, 8.5",
    url: "https://www.w3.org/TR/CSP3/#strict-csp",
  },
  parents: pageAnswer,
  judge(evidence) {
    const policies = enforcedPolicies(evidence);
    const reported = parsePolicies(pageHeader(evidence, "content-security-policy-report-only"));
    if (policies.length === 0 && reported.length === 0)
      return fail(text("Aucune politique de sécurité du contenu.", "No content security policy."));
    if (policies.length === 0)
      return partial(
        "report_only",
        text(
          `La politique n'est qu'en mode rapport : ${showPolicies(reported)}.`,
          `The policy is report-only: ${showPolicies(reported)}.`,
        ),
        text(
          "Une fois les rapports vides, envoyez la même politique dans Content-Security-Policy.",
          "Once the reports run dry, send the same policy in Content-Security-Policy.",
        ),
      );
    return judgePolicies(policies, findRepeatedNonces(evidence), countScripts(evidence));
  },
};

/** Nonces that came twice: in the page's answer and in that to a foreign origin, where no redirect came between. */
function findRepeatedNonces({ page, cors }: Evidence): ReadonlySet<string> {
  const [hop, ...others] = page.hops;
  if (others.length > 0 || hop?.status !== cors.status) return new Set();
  const policies = headerValues(cors.headers, "content-security-policy");
  return new Set(policies.join(" ").match(/'nonce-[^\s']+'/gi));
}

/** A policy that was cut closes nothing that can be told, and takes nothing from what the others close. */
function judgePolicies(
  policies: readonly Policy[],
  known: ReadonlySet<string>,
  scriptCount: number | undefined,
): Judgement {
  const whole = policies.filter(({ isCut }) => !isCut);
  const holes = findHoles(whole, known);
  const source = showPolicies(policies);
  const laxity = findLaxity(whole, known);
  if (scriptCount !== 0 && holes.length === 0 && silencesScripts(whole))
    return judgeSilence(source, scriptCount);
  if (whole.length > 0 && holes.length === 0 && laxity === undefined)
    return pass(text(`Politique stricte : ${source}.`, `Strict policy: ${source}.`));
  if (whole.length < policies.length)
    return unknown(
      text(
        `La politique est trop longue : seul son début a été gardé, elle n'a pas pu être jugée : ${source}.`,
        `The policy is too long: only its beginning was kept, and it could not be judged: ${source}.`,
      ),
      putNonce("Remplacez la liste d'hôtes par un nonce", "Replace the list of hosts with a nonce"),
    );
  if (holes.length > 0) {
    const ways = joinTexts(holes.map(describeHole));
    return partial(
      "bypassable",
      text(
        `La politique se contourne (${ways.fr}) : ${source}.`,
        `The policy can be bypassed (${ways.en}): ${source}.`,
      ),
      mendHoles(holes),
    );
  }
  const shown = cut(laxity ?? "", 60);
  return partial(
    "allow_list",
    text(
      `La politique n'est pas stricte, à cause de ${shown} : ${source}.`,
      `The policy is not strict, because of ${shown}: ${source}.`,
    ),
    laxity === "'unsafe-eval'"
      ? text(
          "Retirez 'unsafe-eval' de script-src, et remplacez eval et new Function dans vos scripts.",
          "Take 'unsafe-eval' out of script-src, and replace eval and new Function in your scripts.",
        )
      : putNonce("Pour une politique stricte", "For a strict policy"),
  );
}

/** Undefined where none was seen in a page that was not read to its end. */
function countScripts({ page: { body } }: Evidence): number | undefined {
  const count = body?.html?.scriptCount ?? 0;
  return count === 0 && body && body.state !== "whole" ? undefined : count;
}

function judgeSilence(source: string, scriptCount: number | undefined): Judgement {
  if (scriptCount === undefined)
    return unknown(
      text(
        `'strict-dynamic' sans nonce ni empreinte n'autorise aucun script, et la page n'a pas pu être lue en entier : ${source}.`,
        `'strict-dynamic' without a nonce or hash lets no script in, and the page could not be read to its end: ${source}.`,
      ),
      putNonce("Donnez un nonce à la politique", "Give the policy a nonce"),
    );
  return partial(
    "allow_list",
    text(
      `'strict-dynamic' sans nonce ni empreinte n'autorise aucun script, et la page en a ${scriptCount} : ${source}.`,
      `'strict-dynamic' without a nonce or hash lets no script in, and the page has ${scriptCount}: ${source}.`,
    ),
    putNonce("Donnez un nonce à la politique", "Give the policy a nonce"),
  );
}
