import type { Evidence } from "../../evidence/evidence.ts";
import type { Resource } from "../../evidence/html.ts";
import { COMPROMISED_SINCE, isCompromised, isPinned } from "../facts/script-hosts.ts";
import { findWholeHtml, ownHosts, urlOf } from "../../evidence/accessors.ts";
import { findStrongest } from "../../evidence/source-hash.ts";
import { enforcedPolicies, governs } from "../facts/policy.ts";
import { describeReferences } from "../facts/references.ts";
import { type Rule, fail, pageHtml, partial, pass } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

/** Matches digests of the right length, as `normalizeHash` writes them. A digest of another length matches no file. */
const COMPLETE = /^(?:sha256-.{43}|sha384-.{64}|sha512-.{86})$/;

function hasDigest({ integrity }: Resource): boolean {
  const [, digests = []] = findStrongest(integrity) ?? [];
  return digests.some((digest) => COMPLETE.test(digest));
}

function foreignScripts(evidence: Evidence): Resource[] {
  const { resources = [] } = evidence.page.body?.html ?? {};
  const own = ownHosts(evidence);
  return resources.filter(({ tag, url }) => {
    const { protocol, hostname } = urlOf(url);
    return tag === "script" && /^https?:$/.test(protocol) && !own.includes(hostname);
  });
}

/** A preload fetches a script that other code of the page runs. */
function isPreload({ tag, kind, url }: Resource): boolean {
  return tag === "link" && kind === "other" && !/\.css$/i.test(urlOf(url).pathname);
}

function findCompromised(evidence: Evidence): Resource[] {
  const { resources = [] } = evidence.page.body?.html ?? {};
  const own = ownHosts(evidence);
  return resources.filter((resource) => {
    const { hostname } = urlOf(resource.url);
    const isRun = resource.tag === "script" || isPreload(resource);
    return isRun && !own.includes(hostname) && isCompromised(hostname);
  });
}

/** `asset.mixed` charges these scripts, and browsers do not run them. */
function findBlockedOverHttp(evidence: Evidence): (script: Resource) => boolean {
  const upgrades = enforcedPolicies(evidence).filter(({ directives }) =>
    directives.has("upgrade-insecure-requests"),
  );
  return (script) =>
    urlOf(script.url).protocol === "http:" && !upgrades.some((policy) => governs(policy, script));
}

export const thirdParty: Rule = {
  id: "asset.third-party",
  title: { fr: "Scripts de tiers", en: "Third-party scripts" },
  measures: {
    fr: "Aucun script, même préchargé, ne vient d'un hôte connu pour être compromis (polyfill.io et les autres hôtes du même propriétaire). Les scripts d'un CDN public dont l'URL fixe la version ont un attribut integrity valide ; sinon, la règle rapporte la moitié des points.",
    en: "No script, even a preloaded one, comes from a host known to be compromised (polyfill.io and other hosts of the same owner). Scripts of a public CDN whose URL pins a version have a valid integrity attribute; without it, the rule earns half the points.",
  },
  why: {
    fr: "Toute personne qui contrôle cet hôte peut exécuter n'importe quel code dans la page, chez chaque visiteur.",
    en: "Anyone who controls that host can run any code in the page, for every visitor.",
  },
  fix: {
    fr: 'Ajoutez integrity="sha384-…" et crossorigin="anonymous" à l\'élément, ou servez le fichier depuis votre hôte.',
    en: 'Add integrity="sha384-…" and crossorigin="anonymous" to the element, or serve the file from your own host.',
  },
  standard: { name: "Subresource Integrity, 3", url: "https://www.w3.org/TR/SRI/#framework" },
  capReason: {
    fr: "La page charge un script d'un hôte connu pour être compromis.",
    en: "The page loads a script from a host known to be compromised.",
  },
  parents: pageHtml,
  judge(evidence) {
    const scripts = foreignScripts(evidence);
    const isBlocked = findBlockedOverHttp(evidence);
    const compromised = findCompromised(evidence);
    if (compromised.length > 0)
      return fail(
        describeReferences(compromised, {
          fr: `Hôte compromis depuis ${COMPROMISED_SINCE.fr}`,
          en: `Host compromised since ${COMPROMISED_SINCE.en}`,
        }),
        {
          fr: "Retirez ce script : les navigateurs actuels se passent de polyfills. S'il reste nécessaire, servez le fichier depuis votre hôte.",
          en: "Remove this script: current browsers need no polyfills. If you still need it, serve the file from your own host.",
        },
      );
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    if (scripts.length === 0)
      return pass({
        fr: "Aucun script ne vient d'un autre hôte.",
        en: "No script comes from another host.",
      });
    const pinned = scripts.filter((one) => !isBlocked(one) && isPinned(urlOf(one.url)));
    const unguarded = pinned.filter((script) => !hasDigest(script));
    if (unguarded.length > 0)
      return partial(
        "no_integrity",
        describeReferences(unguarded, {
          fr: "Sans attribut integrity valide",
          en: "Without a valid integrity attribute",
        }),
      );
    const count = scripts.length;
    return pass(
      pinned.length === 0
        ? {
            fr: `Scripts d'autres hôtes : ${count} ; scripts à version fixe sur un CDN public : 0.`,
            en: `Scripts from other hosts: ${count}; scripts with a pinned version on a public CDN: 0.`,
          }
        : {
            fr: `Scripts d'autres hôtes : ${count} ; scripts à version fixe sur un CDN public, tous avec integrity : ${pinned.length}.`,
            en: `Scripts from other hosts: ${count}; scripts with a pinned version on a public CDN, all with integrity: ${pinned.length}.`,
          },
    );
  },
};
