import type { Text } from "../../../../shared/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { pageUrl, urlOf } from "../../evidence/accessors.ts";
import { addLine, type Fix, cut } from "../rule.ts";
import { isPlainHost } from "./hosts.ts";
import { type Policy, findDirective, SCRIPT_DIRECTIVES } from "./policy.ts";
import type { Hole } from "./policy-holes.ts";
import { findQuoted } from "./source-expression.ts";

const STRICT_SCRIPTS = "script-src 'nonce-{random}' 'strict-dynamic'";
const STRICT_POLICY = `Content-Security-Policy-Report-Only: ${STRICT_SCRIPTS}; object-src 'none'; base-uri 'self'`;
/** A site can send this policy unchanged. A policy with a nonce needs a server that generates nonces. */
export const FIRST_POLICY =
  "Content-Security-Policy-Report-Only: script-src 'self'; object-src 'none'; base-uri 'self'";
export const NONCE_USE = {
  fr: `nonce="{random}", généré à chaque réponse, sur vos éléments <script>`,
  en: `nonce="{random}", generated for each response, on your <script> elements`,
};
const CLOSED_DIRECTIVE = {
  "script-src": STRICT_SCRIPTS,
  "object-src": "object-src 'none'",
  "base-uri": "base-uri 'self'",
};

/**
 * A policy with a nonce also needs base-uri, or a base element could redirect its scripts. `script-src-elem` and
 * `script-src-attr` must be removed, because they would override script-src.
 */
export function fixHoles(holes: readonly Hole[]): Fix {
  const gates = new Set(holes.map(({ gate }) => gate));
  if (!gates.has("script-src")) {
    const closed = [...gates].map((gate) => CLOSED_DIRECTIVE[gate]).join("; ");
    return addLine(
      {
        fr: `Ajoutez à la politique, ou envoyez dans une seconde politique : ${closed}.`,
        en: `Add to the policy, or send in a second policy: ${closed}.`,
      },
      `Content-Security-Policy: ${closed}`,
    );
  }
  const object = gates.has("object-src") ? [CLOSED_DIRECTIVE["object-src"]] : [];
  const closed = [STRICT_SCRIPTS, ...object, CLOSED_DIRECTIVE["base-uri"]].join("; ");
  const part = holes.find(({ directive }) => directive.startsWith("script-src-"))?.directive;
  return {
    fr: `Ajoutez à la politique${part ? `, sans ${part}` : ""} : ${closed}. Ajoutez aussi ${NONCE_USE.fr}. Testez-la d'abord dans un en-tête Content-Security-Policy-Report-Only envoyé en plus.`,
    en: `Add to the policy${part ? `, without ${part}` : ""}: ${closed}. Also add ${NONCE_USE.en}. Test it first in an additional Content-Security-Policy-Report-Only header.`,
  };
}

/** `fr` and `en` are the start of the sentence. */
export function fixByNonce(fr: string, en: string): Text {
  return {
    fr: `${fr}, d'abord sans rien bloquer : ${STRICT_POLICY}. Ajoutez aussi ${NONCE_USE.fr}. Quand la console du navigateur ne signale plus rien, envoyez la même politique sans -Report-Only.`,
    en: `${en}, first without blocking anything: ${STRICT_POLICY}. Also add ${NONCE_USE.en}. Once the browser's console reports nothing more, send the same policy without -Report-Only.`,
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

/** A plugin may show a PDF, and a base may be on another host. The fix must allow what the page uses. */
export function adaptFix(fix: Fix, evidence: Evidence): Fix {
  const { resources = [], base } = evidence.page.body?.html ?? {};
  const page = pageUrl(evidence);
  const plugins = resources.filter(({ tag }) => tag === "object" || tag === "embed");
  const shown = findSourcesOf(
    plugins.map(({ url }) => url),
    page,
  );
  const based = findSourcesOf(base ? [base.url] : [], page);
  const objects = plugins.length === 0 ? ["'none'"] : shown;
  const fit = (text: string) =>
    text
      .replaceAll("object-src 'none'", ["object-src", ...(objects ?? ["'self'"])].join(" "))
      .replaceAll("base-uri 'self'", ["base-uri", ...(based ?? ["'self'"])].join(" "));
  const { fr, en, lines = [] } = fix;
  const fitted: Fix = { fr: fit(fr), en: fit(en) };
  const isKnown = objects !== undefined && based !== undefined;
  return isKnown ? lines.map(fit).reduce((whole, line) => addLine(whole, line), fitted) : fitted;
}

export function fixBlockedScripts(policies: readonly Policy[]): Text {
  for (const policy of policies) {
    const [name, { values }] = findDirective(policy, SCRIPT_DIRECTIVES) ?? ["", { values: [] }];
    const quoted = values.map(findQuoted).find((one) => one !== undefined);
    if (quoted !== undefined)
      return {
        fr: `Écrivez ${cut(quoted, 60)}, avec ses guillemets, dans ${name}.`,
        en: `Write ${cut(quoted, 60)}, with its quotes, in ${name}.`,
      };
  }
  return fixByNonce(
    "Retirez les scripts de la page, ou autorisez-les par un nonce",
    "Remove the scripts from the page, or allow them by a nonce",
  );
}
