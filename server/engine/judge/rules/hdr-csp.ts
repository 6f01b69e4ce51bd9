import type { Text } from "../../../../shared/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { pageMetas } from "../facts/metas.ts";
import { headerValues, pageHeader, pageUrl } from "../../evidence/accessors.ts";
import { findBlocked, findBlockedScripts } from "../facts/blocked.ts";
import { type Policy, enforcedPolicies, parsePolicies, readPolicies } from "../facts/policy.ts";
import {
  FIRST_POLICY,
  ONLY_SELF,
  adaptFix,
  addMeta,
  findProof,
  fixHoles,
  fixBlockedScripts,
  needsOnlySelf,
  NONCE_USE,
  fixByProof,
} from "../facts/policy-fixes.ts";
import { findScriptSources, listScriptSources } from "../facts/page-scripts.ts";
import { findHeaderlessHost, isFile } from "../facts/platforms.ts";
import { findPolicyFault } from "../facts/policy-faults.ts";
import { type Hole, findHoles, findLaxity, ignoresScripts } from "../facts/policy-holes.ts";
import { describeReferences } from "../facts/references.ts";
import type { Fix, Judgement, Rule } from "../rule.ts";
import { addLine, cut, fail, followFix, pageAnswer, partial, pass, unknown } from "../rule.ts";

function showPolicies(policies: readonly Policy[]): string {
  return cut(policies.map(({ source }) => source).join(", "), 200);
}

function describeHole({ directive, source }: Hole): Text {
  if (source === undefined)
    return { fr: `${directive} est absente`, en: `${directive} is missing` };
  const shown = `${directive} ${cut(source, 60)}`;
  if (/^'nonce-/i.test(source))
    return {
      fr: `${shown}, le même nonce dans deux réponses`,
      en: `${shown}, the same nonce in two responses`,
    };
  return { fr: shown, en: shown };
}

/** One source may open several directives, so each text appears once. */
function joinTexts(texts: readonly Text[]): Text {
  const join = (words: readonly string[]) => [...new Set(words)].join(", ");
  return { fr: join(texts.map(({ fr }) => fr)), en: join(texts.map(({ en }) => en)) };
}

function judgeAll(evidence: Evidence): Judgement {
  const policies = enforcedPolicies(evidence);
  const reported = parsePolicies(pageHeader(evidence, "content-security-policy-report-only"));
  if (policies.length === 0 && reported.length === 0) return judgeNone(evidence);
  if (policies.length === 0)
    return partial(
      "report_only",
      {
        fr: `La politique signale, mais ne bloque rien (Report-Only) : ${showPolicies(reported)}.`,
        en: `The policy reports, but blocks nothing (Report-Only): ${showPolicies(reported)}.`,
      },
      enforce(reported, evidence),
    );
  return judgePolicies(policies, evidence);
}

const REPORTED = {
  fr: "Quand la console du navigateur ne signale plus rien, envoyez-la sans -Report-Only.",
  en: "Once the browser's console reports nothing more, send it without -Report-Only.",
};
const INLINE_STEP = {
  fr: "Autorisez un script en ligne par l'empreinte 'sha256-…' qu'affiche la console.",
  en: "Allow an inline script by the hash 'sha256-…' that the console shows.",
};
const NONCE_STEP = {
  fr: `Pour une politique stricte, remplacez 'self' par 'nonce-{random}' 'strict-dynamic', et ajoutez ${NONCE_USE.fr}.`,
  en: `For a strict policy, replace 'self' with 'nonce-{random}' 'strict-dynamic', and add ${NONCE_USE.en}.`,
};

const FIRST = {
  fr: "Envoyez d'abord cette politique, qui ne bloque rien.",
  en: "Send this policy first: it blocks nothing.",
};
const QUOTED_FIRST = {
  fr: `Envoyez d'abord une politique qui ne bloque rien : ${FIRST_POLICY}.`,
  en: `First send a policy that blocks nothing: ${FIRST_POLICY}.`,
};
const FILE_STEPS = followFix(REPORTED, INLINE_STEP);
const STEPS = followFix(FILE_STEPS, NONCE_STEP);

function findSteps(evidence: Evidence): Fix {
  if (needsOnlySelf(evidence)) return followFix(REPORTED, ONLY_SELF);
  return isFile(evidence) ? FILE_STEPS : STEPS;
}

/** The line has what the page surely needs; the words name what else it may need. */
function fixFirstInMeta(evidence: Evidence, host: string): Fix {
  const sources = findScriptSources(evidence);
  const scripts = sources ? [`script-src ${sources.join(" ")}`] : [];
  const directives = [...scripts, "object-src 'none'", "base-uri 'self'"].join("; ");
  const fix = addMeta(
    {
      fr: `${host} n'envoie pas d'en-têtes pour ses clients, mais une politique agit aussi dans la page.`,
      en: `${host} sends no headers for its customers, but a policy also works in the page.`,
    },
    directives,
    evidence,
  );
  if (sources) return followFix(fix, CERTAIN_STEP);
  const named = listScriptSources(evidence, pageUrl(evidence).origin).join(" ");
  return followFix(fix, {
    fr: `Limitez ensuite les scripts : ajoutez script-src avec leurs sources${named ? ` (${named})` : ""}, et essayez la page, car une balise meta n'a pas de mode Report-Only.`,
    en: `Then limit scripts: add script-src with their sources${named ? ` (${named})` : ""}, and try the page, because a meta tag has no Report-Only mode.`,
  });
}

const CERTAIN_STEP = {
  fr: "Essayez ensuite la page : une balise meta n'a pas de mode Report-Only.",
  en: "Then try the page: a meta tag has no Report-Only mode.",
};

/** A policy that cannot name every origin is quoted, not offered as a line to paste. */
function fixFirst(evidence: Evidence): Fix {
  const host = findHeaderlessHost(evidence);
  if (host !== undefined) return adaptFix(fixFirstInMeta(evidence, host), evidence);
  const steps = findSteps(evidence);
  const fix = adaptFix(addLine(followFix(FIRST, steps), FIRST_POLICY), evidence);
  return fix.lines ? fix : adaptFix(followFix(QUOTED_FIRST, steps), evidence);
}

export const csp: Rule = {
  id: "hdr.csp",
  title: { fr: "Politique de sécurité du contenu (CSP)", en: "Content Security Policy (CSP)" },
  measures: {
    fr: "Une page sans politique ne reçoit aucun point. Une politique qui ne fait que signaler (Report-Only) ou ne dit rien des scripts en rapporte peu. Une politique qui bloque, mais peut être contournée, en rapporte davantage. Elle peut être contournée si elle autorise les scripts en ligne, ceux de n'importe quelle origine ou ceux d'un hôte de la liste de csp_evaluator. C'est aussi le cas avec un object-src non restreint, un nonce sans base-uri ou un nonce réutilisé. Une politique sans contournement connu rapporte encore plus. Une politique stricte rapporte tous les points : nonce ou empreinte, sans hôte, sans 'self' et sans 'unsafe-eval'. Une politique qui bloque les scripts de la page elle-même n'en rapporte aucun. S'il y en a plusieurs (en-têtes et balises meta), les navigateurs les appliquent toutes.",
    en: "A page without a policy earns no points. A policy that only reports (Report-Only) or says nothing about scripts earns few. A policy that blocks but can be bypassed earns more. It can be bypassed if it allows inline scripts, scripts from anywhere, or scripts from a host on csp_evaluator's list. The same goes for an unrestricted object-src, a nonce without base-uri and a reused nonce. A policy with no known bypass earns more still. A strict policy earns all points: a nonce or hash, with no host, no 'self' and no 'unsafe-eval'. A policy that blocks the page's own scripts earns no points. If there are several policies (headers and meta tags), browsers enforce all of them.",
  },
  why: {
    fr: "Une bonne politique arrête un script injecté par une faille de la page ou du code d'un tiers.",
    en: "A good policy stops a script injected through a flaw in the page or in a third party's code.",
  },
  fix: addLine(followFix(FIRST, STEPS), FIRST_POLICY),
  standard: {
    name: "CSP Level 3, 8.5",
    url: "https://www.w3.org/TR/CSP3/#strict-csp",
  },
  parents: pageAnswer,
  judge(evidence) {
    const judgement = judgeAll(evidence);
    const { status, fix } = judgement;
    if (fix) return { ...judgement, fix: adaptFix(fix, evidence) };
    return status === "fail" ? { ...judgement, fix: fixFirst(evidence) } : judgement;
  },
};

const NO_POLICY = {
  fr: "La page n'a pas de politique de sécurité du contenu.",
  en: "The page has no content security policy.",
};

function findMisplaced(evidence: Evidence): Text | undefined {
  const metas = pageMetas(evidence, "content-security-policy");
  const meta = metas.find(({ isInHead }) => !isInHead);
  return (
    meta && {
      fr: `Les navigateurs ignorent la politique de la balise <meta> de la ligne ${meta.line}, qui n'est pas dans <head>.`,
      en: `Browsers ignore the policy in the <meta> tag on line ${meta.line}, which is not in <head>.`,
    }
  );
}

/** Matches a policy without characters that end a string or start a variable in a web server's configuration. */
const PLAIN_POLICY = /^[\w '*+,./:;=?&@%~-]*$/;

/**
 * Suggests no line for a policy with a nonce, because each response needs a new one. Suggests none for a sandbox
 * either, which Report-Only ignores (CSP 3, 6.3.2).
 */
function enforce(reported: readonly Policy[], evidence: Evidence): Fix {
  const blocked = findBlocked(evidence, reported);
  if (blocked.length > 0) {
    const { fr, en } = describeReferences(blocked);
    return {
      fr: `Autorisez d'abord ce que cette politique bloquerait, puis envoyez-la dans Content-Security-Policy. ${fr}`,
      en: `First allow what this policy would block, then send it in Content-Security-Policy. ${en}`,
    };
  }
  const fix = {
    fr: "Quand plus aucun rapport n'arrive, envoyez la même politique dans Content-Security-Policy.",
    en: "Once no more reports arrive, send the same policy in Content-Security-Policy.",
  };
  const policies = reported.map(({ source }) => source).join(", ");
  const isDrawn = policies.toLowerCase().includes("'nonce-");
  const isUntried = reported.some(({ directives }) => directives.has("sandbox"));
  return isDrawn || isUntried || !PLAIN_POLICY.test(policies)
    ? fix
    : addLine(fix, `Content-Security-Policy: ${policies}`);
}

/** A policy without a known directive counts as no policy. */
function judgeNone(evidence: Evidence): Judgement {
  const sent = pageHeader(evidence, "content-security-policy");
  const fault = readPolicies(sent)
    .map(findPolicyFault)
    .find((one) => one !== undefined);
  if (!fault) return fail(findMisplaced(evidence) ?? NO_POLICY);
  const shown = cut(sent.join(", "), 200);
  return fail(
    {
      fr: `Les navigateurs ignorent la politique (${fault.found.fr}) : ${shown}.`,
      en: `Browsers ignore the policy (${fault.found.en}): ${shown}.`,
    },
    fault.fix,
  );
}

/**
 * Finds nonces that both the page and the response to a foreign origin contain. Both responses have the page's last
 * URL.
 */
function findRepeatedNonces({ page, cors }: Evidence): ReadonlySet<string> {
  if (page.hops.at(-1)?.status !== cors.status) return new Set();
  const policies = headerValues(cors.headers, "content-security-policy");
  return new Set(policies.join(" ").match(/'nonce-[^\s']+'/gi));
}

/** `'self'` protects a page without inline scripts well, but its own files may contain a bypass. */
function fixStrict(evidence: Evidence): Fix {
  const fix = fixByProof("Pour une politique stricte", "For a strict policy", evidence);
  return needsOnlySelf(evidence) ? followFix(ONLY_SELF, fix) : fix;
}

function isUnread({ page: { body } }: Evidence): boolean {
  return body?.state === "unsupported";
}

/** A policy that was cut counts as one without restrictions. The other policies still apply. */
function judgePolicies(policies: readonly Policy[], evidence: Evidence): Judgement {
  const source = showPolicies(policies);
  const blocked = findBlockedScripts(evidence);
  if (blocked.length > 0) {
    const { fr, en } = describeReferences(blocked, {
      fr: "La politique bloque les scripts de la page elle-même",
      en: "The policy blocks the page's own scripts",
    });
    return fail(
      { fr: `${fr} Politique : ${source}.`, en: `${en} Policy: ${source}.` },
      fixBlockedScripts(policies, evidence),
    );
  }
  if (isUnread(evidence) && !policies.every(ignoresScripts))
    return unknown({
      fr: `La page n'a pas pu être lue, et la politique bloque peut-être ses scripts : ${source}.`,
      en: `The page could not be read, and the policy may block its scripts: ${source}.`,
    });
  const known = findRepeatedNonces(evidence);
  const whole = policies.filter(({ isCut }) => !isCut);
  const holes = findHoles(whole, known);
  const laxity = findLaxity(whole, known);
  if (whole.length > 0 && holes.length === 0 && laxity === undefined)
    return pass({ fr: `Politique stricte : ${source}.`, en: `Strict policy: ${source}.` });
  if (whole.length < policies.length)
    return unknown(
      {
        fr: `La politique est trop longue pour être évaluée, et seul son début a été conservé : ${source}.`,
        en: `The policy is too long to be assessed, and only its beginning was kept: ${source}.`,
      },
      fixByProof(
        `Remplacez la liste d'hôtes par ${findProof(evidence).name.fr}`,
        `Replace the list of hosts with ${findProof(evidence).name.en}`,
        evidence,
      ),
    );
  if (whole.every(ignoresScripts))
    return partial(
      "report_only",
      {
        fr: `La politique ne dit rien des scripts et les autorise donc de partout : ${source}.`,
        en: `The policy says nothing about scripts and so allows them from anywhere: ${source}.`,
      },
      fixHoles(holes, evidence),
    );
  if (holes.length > 0) {
    const ways = joinTexts(holes.map(describeHole));
    return partial(
      "bypassable",
      {
        fr: `La politique peut être contournée (${ways.fr}) : ${source}.`,
        en: `The policy can be bypassed (${ways.en}): ${source}.`,
      },
      fixHoles(holes, evidence),
    );
  }
  const shown = cut(laxity ?? "", 60);
  return partial(
    "allow_list",
    {
      fr: `La politique n'est pas stricte, à cause de ${shown} : ${source}.`,
      en: `The policy is not strict, because of ${shown}: ${source}.`,
    },
    laxity === "'unsafe-eval'"
      ? {
          fr: "Retirez 'unsafe-eval' de script-src, et remplacez eval et new Function dans vos scripts.",
          en: "Remove 'unsafe-eval' from script-src, and replace eval and new Function in your scripts.",
        }
      : fixStrict(evidence),
  );
}
