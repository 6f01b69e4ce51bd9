import type { Evidence } from "../../evidence/evidence.ts";
import type { Language, Text } from "../../../../shared/language.ts";
import { isOfNetwork } from "../facts/script-hosts.ts";
import { pageMetas } from "../facts/metas.ts";
import { findHead, pageHeader, urlOf } from "../../evidence/accessors.ts";
import { describeReferences, type Reference } from "../facts/references.ts";
import {
  type Judgement,
  type Rule,
  cut,
  fail,
  notApplicable,
  partial,
  pass,
  sameText,
  unknown,
  rfc,
} from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

interface Block {
  readonly line: Text;
  readonly isForAll: boolean;
}

const CLOSING = ["noindex", "none"];
/** Directives that contain a colon themselves. */
const VALUED = /^(?:unavailable_after|max-[a-z-]+)$/;
/** Matches a comma, except after the weekday of a date. */
const COMMA = /(?<!\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*),/i;
const SEARCH_AGENTS = ["googlebot", "bingbot"];

function isClosing(directive: string, checkedAt: string): boolean {
  const [name = "", ...rest] = directive.trim().toLowerCase().split(":");
  if (CLOSING.includes(name)) return true;
  return name.trim() === "unavailable_after" && Date.parse(rest.join(":")) < Date.parse(checkedAt);
}

/** A directive after an agent's name and colon applies to that agent, until the next name. */
function closedAgents(list: string, checkedAt: string): Set<string> {
  const closed = new Set<string>();
  let agent = "";
  for (const member of list.split(COMMA)) {
    const [, name = "", rest = ""] = /^\s*([a-z][a-z0-9_-]*)\s*:(.*)$/i.exec(member) ?? [];
    const isNamed = name !== "" && !VALUED.test(name.toLowerCase());
    if (isNamed) agent = name.toLowerCase();
    if (isClosing(isNamed ? rest : member, checkedAt)) closed.add(agent);
  }
  return closed;
}

function readRobotsTag(value: string, checkedAt: string): Block[] {
  const heard = [...closedAgents(value, checkedAt)].filter(
    (agent) => agent === "" || SEARCH_AGENTS.includes(agent),
  );
  if (heard.length === 0) return [];
  return [{ line: sameText(`X-Robots-Tag: ${cut(value, 120)}`), isForAll: heard.includes("") }];
}

function readMetas(evidence: Evidence, name: string): Block[] {
  return pageMetas(evidence, name)
    .filter(({ content }) => closedAgents(content, evidence.checkedAt).has(""))
    .map(({ content, line }) => {
      const tag = `<meta name="${name}" content="${cut(content, 80)}">`;
      return {
        line: { fr: `${tag} (ligne ${line})`, en: `${tag} (line ${line})` },
        isForAll: name === "robots",
      };
    });
}

function pageBlocks(evidence: Evidence): Block[] {
  return [
    ...pageHeader(evidence, "x-robots-tag").flatMap((value) =>
      readRobotsTag(value, evidence.checkedAt),
    ),
    ...["robots", ...SEARCH_AGENTS].flatMap((name) => readMetas(evidence, name)),
  ];
}

/** `isForAll`: the default agent, and each search engine with its own group, are blocked. */
function robotsBlocks({ robots }: Evidence): Block[] {
  const blocks = robots.blocks ?? [];
  const agents = blocks.map(({ agent }) => agent.toLowerCase());
  const isForAll = ["*", ...SEARCH_AGENTS].every((agent) => agents.includes(agent));
  const lines = new Map(
    blocks.map(({ line, text: words }) => [
      line,
      sameText(`robots.txt:${line}: ${cut(words, 80)}`),
    ]),
  );
  return [...lines.values()].map((line) => ({ line, isForAll }));
}

/** Scripts that count visits do not change the page. Sites disallow them on purpose. */
const TRACKER =
  /\b(?:matomo|piwik|umami|plausible|analytics|stats?|statistics|track(?:er|ing)|counter|pixel|gtm|gtag|beacon)\b/i;

/**
 * Files that search engines need to see the page as visitors do. Search engines list the page without them, so blocked
 * files cost points but do not cap the score.
 */
function listClosedFiles({ robots }: Evidence): Reference[] {
  const isNeeded = (url: URL, tag: string): boolean =>
    !isOfNetwork(url) && (tag !== "script" || !TRACKER.test(url.pathname));
  return robots.closedFiles
    .filter(({ url, tag }) => isNeeded(urlOf(url), tag))
    .map((file) => ({ ...file, answer: sameText(file.rule) }));
}

const FILES_FIX = {
  fr: "Autorisez les moteurs de recherche à lire ces fichiers : retirez de robots.txt la ligne qui les interdit, ou ajoutez-y une ligne Allow pour leur dossier.",
  en: "Allow search engines to read these files: remove the line of robots.txt that disallows them, or add an Allow line for their folder.",
};

function isRobotsKnown({ robots: { blocks, failure, status, page } }: Evidence): boolean {
  if (page !== null) return true;
  if (blocks === null || failure || status === null) return false;
  return (status >= 200 && status < 300) || status === 404 || status === 410;
}

function judgeOpen(evidence: Evidence): Judgement {
  const blocks = [...pageBlocks(evidence), ...robotsBlocks(evidence)];
  const shown = (language: Language) =>
    cut(blocks.map(({ line }) => line[language]).join(" | "), 250);
  if (blocks.some(({ isForAll }) => isForAll))
    return fail({
      fr: `La page est bloquée pour les moteurs de recherche : ${shown("fr")}.`,
      en: `The page is blocked for search engines: ${shown("en")}.`,
    });
  if (blocks.length > 0)
    return partial("some_bots", {
      fr: `La page est bloquée pour certains moteurs de recherche : ${shown("fr")}.`,
      en: `The page is blocked for some search engines: ${shown("en")}.`,
    });
  const closed = listClosedFiles(evidence);
  if (closed.length > 0)
    return partial(
      "own_files",
      describeReferences(closed, {
        fr: "robots.txt interdit aux moteurs de recherche des fichiers de la page",
        en: "robots.txt disallows files of the page for search engines",
      }),
      FILES_FIX,
    );
  if (evidence.robots.status === null)
    return unknown({
      fr: "La requête vers robots.txt est restée sans réponse.",
      en: "The request for robots.txt got no response.",
    });
  if (!findHead(evidence)) return UNREAD_HTML;
  if (!isRobotsKnown(evidence))
    return pass({
      fr: "Rien ne bloque les moteurs de recherche : ni balise meta, ni X-Robots-Tag.",
      en: "Nothing blocks search engines: no meta tag, no X-Robots-Tag.",
    });
  return pass({
    fr: "Rien ne bloque les moteurs de recherche : ni balise meta, ni X-Robots-Tag, ni robots.txt.",
    en: "Nothing blocks search engines: no meta tag, no X-Robots-Tag, no line of robots.txt.",
  });
}

function judgePreview(evidence: Evidence): Judgement {
  const [block] = [...pageBlocks(evidence), ...robotsBlocks(evidence)];
  if (!block)
    return notApplicable({
      fr: "C'est un aperçu : son indexation n'est pas évaluée.",
      en: "This is a preview: its indexing is not assessed.",
    });
  return notApplicable({
    fr: `C'est un aperçu, où cette ligne est attendue : ${block.line.fr}.`,
    en: `This is a preview, where this line is expected: ${block.line.en}.`,
  });
}

export const indexable: Rule = {
  id: "seo.indexable",
  title: { fr: "Indexation par les moteurs de recherche", en: "Indexing by search engines" },
  measures: {
    fr: "Ni noindex (dans une balise meta ou X-Robots-Tag) ni robots.txt ne bloquent les moteurs de recherche. Si la page n'est bloquée que pour certains d'entre eux, la règle rapporte les deux tiers des points. Il en va de même si robots.txt interdit à Google ou à Bing ses scripts ou ses feuilles de style. Un aperçu (preview) n'est pas évalué.",
    en: "No noindex (in a meta tag or X-Robots-Tag) and no line of robots.txt blocks search engines. Blocking only some of them, or disallowing the page's scripts or style sheets for Google or Bing, earns two thirds of the points. A preview is not assessed.",
  },
  why: {
    fr: "La page disparaît des résultats de recherche. La cause est souvent un reste de préproduction.",
    en: "The page disappears from search results. The cause is often a setting left over from staging.",
  },
  fix: {
    fr: "Retirez cette ligne si la page doit être trouvée. Si elle doit rester hors des moteurs de recherche (mentions légales, formulaire, page d'erreur), retirez son URL de celles que vous vérifiez. Pour un aperçu, utilisez --preview.",
    en: "Remove this line if the page is meant to be found. If it is meant to stay out of search engines (legal notice, form, error page), exclude this URL from your checks. For a preview, use --preview.",
  },
  standard: rfc(9309, "2.2"),
  capReason: {
    fr: "La page est bloquée pour les moteurs de recherche. Si c'est voulu, ne vérifiez pas cette URL ou, pour un aperçu, utilisez --preview.",
    en: "The page is blocked for search engines. If this is intended, exclude this URL or, for a preview, use --preview.",
  },
  parents(evidence) {
    if (evidence.preview || robotsBlocks(evidence).some(({ isForAll }) => isForAll))
      return ["reach.dns"];
    const { status, page } = evidence.robots;
    const isRobotsDown = (status ?? 0) >= 500 && page === null && pageBlocks(evidence).length === 0;
    return ["reach.html", ...(isRobotsDown ? ["seo.robots"] : [])];
  },
  judge: (evidence) => (evidence.preview ? judgePreview(evidence) : judgeOpen(evidence)),
};
