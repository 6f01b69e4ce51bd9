import type { Text } from "../../../../shared/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { pageUrl, urlOf } from "../../evidence/accessors.ts";
import { addLine, type Fix, cut, followFix } from "../rule.ts";
import { isPlainHost } from "./hosts.ts";
import { pageMetas } from "./metas.ts";
import { hasNoInlineScripts, listScriptSources } from "./page-scripts.ts";
import { findHeaderlessHost, isFile } from "./platforms.ts";
import { type Policy, findDirective, SCRIPT_DIRECTIVES, splitPolicy } from "./policy.ts";
import type { Hole } from "./policy-holes.ts";
import { findQuoted } from "./source-expression.ts";

/** A site can send this policy unchanged. A policy with a nonce needs a server that generates nonces. */
export const FIRST_POLICY =
  "Content-Security-Policy-Report-Only: script-src 'self'; object-src 'none'; base-uri 'self'";
export const NONCE_USE = {
  fr: `nonce="{random}", généré à chaque réponse, sur vos éléments <script>`,
  en: `nonce="{random}", generated for each response, on your <script> elements`,
};

/** How a strict policy recognizes the scripts of the page. */
interface Proof {
  readonly name: Text;
  readonly sources: string;
  readonly use: Text;
}

const NONCE: Proof = {
  name: { fr: "un nonce", en: "a nonce" },
  sources: "'nonce-{random}' 'strict-dynamic'",
  use: { fr: `Ajoutez aussi ${NONCE_USE.fr}.`, en: `Also add ${NONCE_USE.en}.` },
};
/** A file is the same in each response. */
const HASH: Proof = {
  name: { fr: "des empreintes", en: "hashes" },
  sources: "'sha256-…' 'strict-dynamic'",
  use: {
    fr: "À la place de 'sha256-…', mettez l'empreinte de chaque script, et aussi dans integrity celle d'un <script src>. Un nonce n'aurait pas d'effet, car cette page est un fichier, le même à chaque réponse.",
    en: "In place of 'sha256-…', put the hash of each script, and that of a <script src> also in its integrity. A nonce would not help, because this page is a file, the same in each response.",
  },
};

export const findProof = (evidence: Evidence): Proof => (isFile(evidence) ? HASH : NONCE);

/** `'self'` alone is enough where a file contains no script itself. */
export function needsOnlySelf(evidence: Evidence): boolean {
  return isFile(evidence) && hasNoInlineScripts(evidence);
}

const META_TRIAL = {
  fr: "Essayez-la d'abord sur une copie de la page, car une balise meta n'a pas de mode Report-Only.",
  en: "Try it on a copy of the page first, because a meta tag has no Report-Only mode.",
};
const HEADER_TRIAL = {
  fr: "Testez-la d'abord dans un en-tête Content-Security-Policy-Report-Only envoyé en plus.",
  en: "Test it first in an additional Content-Security-Policy-Report-Only header.",
};

/** These characters would end the attribute, or start a character reference. */
const NOT_IN_ATTRIBUTE = /["<>&]/;

/** Adds the directives to the page's own policy in a meta element, unless this policy already has one of them. */
function extendOwn(directives: string, evidence: Evidence): string | undefined {
  const metas = pageMetas(evidence, "content-security-policy");
  const content = metas.find(({ isInHead }) => isInHead)?.content ?? "";
  const parts = content.split(";").map((part) => part.trim());
  const own = parts.filter((part) => part !== "").join("; ");
  if (own === "" || NOT_IN_ATTRIBUTE.test(own)) return undefined;
  const known = new Set(splitPolicy(own).map(({ name }) => name));
  const isNew = splitPolicy(directives).every(({ name }) => !known.has(name));
  return isNew ? `${own}; ${directives}` : undefined;
}

/** For hosts that send no headers for their customers. Browsers also enforce a policy in a meta element (CSP 3, 3.3). */
export function addMeta(lead: Text, directives: string, evidence: Evidence): Fix {
  const extended = extendOwn(directives, evidence);
  const line = `<meta http-equiv="Content-Security-Policy" content="${extended ?? directives}">`;
  const use =
    extended === undefined
      ? {
          fr: "Mettez cette balise au début de <head>.",
          en: "Put this tag at the start of <head>.",
        }
      : {
          fr: "Remplacez la balise <meta> de la politique par celle-ci.",
          en: "Replace the policy's <meta> tag with this one.",
        };
  const { objects, bases } = findShown(evidence);
  const quoted = followFix(lead, {
    fr: `Mettez ${directives} dans une balise <meta http-equiv="Content-Security-Policy">, au début de <head>.`,
    en: `Put ${directives} into a <meta http-equiv="Content-Security-Policy"> tag at the start of <head>.`,
  });
  return objects && bases ? addLine(followFix(lead, use), line, quoted) : quoted;
}

/**
 * A policy with a nonce also needs base-uri, or a base element could redirect its scripts. `script-src-elem` and
 * `script-src-attr` must be removed, because they would override script-src.
 */
export function fixHoles(holes: readonly Hole[], evidence: Evidence): Fix {
  const gates = new Set(holes.map(({ gate }) => gate));
  const isInMeta = findHeaderlessHost(evidence) !== undefined;
  const others = ["object-src 'none'", "base-uri 'self'"].filter((directive) =>
    [...gates].some((gate) => directive.startsWith(gate)),
  );
  if (!gates.has("script-src")) {
    const closed = others.join("; ");
    if (isInMeta)
      return addMeta(
        { fr: `Ajoutez à la politique : ${closed}.`, en: `Add to the policy: ${closed}.` },
        closed,
        evidence,
      );
    return addLine(
      {
        fr: `Ajoutez à la politique, ou envoyez dans une seconde politique : ${closed}.`,
        en: `Add to the policy, or send in a second policy: ${closed}.`,
      },
      `Content-Security-Policy: ${closed}`,
    );
  }
  const trial = isInMeta ? META_TRIAL : HEADER_TRIAL;
  const part = holes.find(({ directive }) => directive.startsWith("script-src-"))?.directive;
  const object = gates.has("object-src") ? ["object-src 'none'"] : [];
  const write = (sources: string, use: Text): Fix => {
    const closed = [`script-src ${sources}`, ...object, "base-uri 'self'"].join("; ");
    return {
      fr: `Ajoutez à la politique${part ? `, sans ${part}` : ""} : ${closed}. ${use.fr} ${trial.fr}`,
      en: `Add to the policy${part ? `, without ${part}` : ""}: ${closed}. ${use.en} ${trial.en}`,
    };
  };
  const { sources, use } = findProof(evidence);
  if (!needsOnlySelf(evidence)) return write(sources, use);
  const named = listScriptSources(evidence, pageUrl(evidence).origin);
  return write([...new Set(["'self'", ...named])].join(" "), ONLY_SELF);
}

export const ONLY_SELF = {
  fr: "Aucun script n'est en ligne dans la page : il suffit d'autoriser les origines de ses fichiers.",
  en: "No script of the page is inline: it is enough to allow the origins of its files.",
};

/** `fr` and `en` are the start of the sentence. */
export function fixByProof(fr: string, en: string, evidence: Evidence): Text {
  const { sources, use } = findProof(evidence);
  const policy = `script-src ${sources}; object-src 'none'; base-uri 'self'`;
  if (findHeaderlessHost(evidence) !== undefined)
    return {
      fr: `${fr}, dans la balise <meta> de la politique : ${policy}. ${use.fr} ${META_TRIAL.fr}`,
      en: `${en}, in the policy's <meta> tag: ${policy}. ${use.en} ${META_TRIAL.en}`,
    };
  const header = `Content-Security-Policy-Report-Only: ${policy}`;
  return {
    fr: `${fr}, d'abord sans rien bloquer : ${header}. ${use.fr} Quand la console du navigateur ne signale plus rien, envoyez la même politique sans -Report-Only.`,
    en: `${en}, first without blocking anything: ${header}. ${use.en} Once the browser's console reports nothing more, send the same policy without -Report-Only.`,
  };
}

/** Limits the fix for a page that is built to make it long. Any other page needs fewer origins. */
const MAX_ORIGINS = 8;

/** Returns undefined if a header cannot contain all sources. */
function findSourcesOf(urls: readonly string[], page: URL): readonly string[] | undefined {
  const found = urls.map((url) => {
    const { origin, hostname, protocol } = urlOf(url);
    if (origin === page.origin) return "'self'";
    return /^https?:$/.test(protocol) && isPlainHost(hostname) ? origin : undefined;
  });
  const sources = [...new Set(["'self'", ...found])].filter((source) => source !== undefined);
  return found.includes(undefined) || sources.length > MAX_ORIGINS ? undefined : sources;
}

/** The sources of the page's plugins and base. Undefined if a header cannot contain all of them. */
function findShown(evidence: Evidence) {
  const { resources = [], base } = evidence.page.body?.html ?? {};
  const page = pageUrl(evidence);
  const plugins = resources.filter(({ tag }) => tag === "object" || tag === "embed");
  const shown = findSourcesOf(
    plugins.map(({ url }) => url),
    page,
  );
  return {
    objects: plugins.length === 0 ? ["'none'"] : shown,
    bases: findSourcesOf(base ? [base.url] : [], page),
  };
}

/** A plugin may show a PDF, and a base may be on another host. The fix must allow what the page uses. */
export function adaptFix(fix: Fix, evidence: Evidence): Fix {
  const { objects, bases } = findShown(evidence);
  const fit = (text: string) =>
    text
      .replaceAll("object-src 'none'", ["object-src", ...(objects ?? ["'self'"])].join(" "))
      .replaceAll("base-uri 'self'", ["base-uri", ...(bases ?? ["'self'"])].join(" "));
  const { fr, en, lines = [] } = fix;
  const fitted: Fix = { fr: fit(fr), en: fit(en) };
  const isKnown = objects !== undefined && bases !== undefined;
  return isKnown ? lines.map(fit).reduce((whole, line) => addLine(whole, line), fitted) : fitted;
}

export function fixBlockedScripts(policies: readonly Policy[], evidence: Evidence): Text {
  for (const policy of policies) {
    const [name, { values }] = findDirective(policy, SCRIPT_DIRECTIVES) ?? ["", { values: [] }];
    const quoted = values.map(findQuoted).find((one) => one !== undefined);
    if (quoted !== undefined)
      return {
        fr: `Écrivez ${cut(quoted, 60)}, avec ses guillemets, dans ${name}.`,
        en: `Write ${cut(quoted, 60)}, with its quotes, in ${name}.`,
      };
  }
  const proof = findProof(evidence).name;
  return fixByProof(
    `Retirez les scripts de la page, ou autorisez-les par ${proof.fr}`,
    `Remove the scripts from the page, or allow them by ${proof.en}`,
    evidence,
  );
}
