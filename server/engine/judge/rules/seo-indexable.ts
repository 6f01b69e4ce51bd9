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

/** A line that closes the page to all search engines, or to one. */
interface Block {
  readonly line: Text;
  readonly isForAll: boolean;
}

const CLOSING = ["noindex", "none"];
/** Directives that contain a colon themselves, so they are not the name of an agent. */
const VALUED = /^(?:unavailable_after|max-[a-z-]+)$/;
/** A comma, except the one after the weekday in a date. */
const COMMA = /(?<!\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*),/i;
const SEARCH_AGENTS = ["googlebot", "bingbot"];

function isClosing(directive: string, checkedAt: string): boolean {
  const [name = "", ...rest] = directive.trim().toLowerCase().split(":");
  if (CLOSING.includes(name)) return true;
  return name.trim() === "unavailable_after" && Date.parse(rest.join(":")) < Date.parse(checkedAt);
}

/**
 * The agents to which a list of directives closes the page. The name of an agent and a colon apply to all that
 * follows.
 */
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

/**
 * The blocks in robots.txt. They are for all if they close the page to the default agent and to every search engine
 * with a group of its own.
 */
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

/** Scripts that count visits and change nothing that a search engine shows; sites close them on purpose. */
const TRACKER =
  /\b(?:matomo|piwik|umami|plausible|analytics|stats?|statistics|track(?:er|ing)|counter|pixel|gtm|gtag|beacon)\b/i;

/**
 * The files without which a search engine sees another page than visitors: it lists the page all the same, so that they cost
 * points and cap nothing.
 */
function listClosedFiles({ robots }: Evidence): Reference[] {
  const isNeeded = (url: URL, tag: string): boolean =>
    !isOfNetwork(url) && (tag !== "script" || !TRACKER.test(url.pathname));
  return robots.closedFiles
    .filter(({ url, tag }) => isNeeded(urlOf(url), tag))
    .map((file) => ({ ...file, answer: sameText(file.rule) }));
}

const FILES_FIX = {
  fr: "Ouvrez ces fichiers aux moteurs de recherche : retirez de robots.txt la ligne qui les ferme, ou ajoutez-y une ligne Allow pour leur dossier.",
  en: "Open these files to search engines: remove the line of robots.txt that closes them, or add an Allow line for their folder.",
};

/** Whether the check knows what robots.txt says about the page, or that there is none. */
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
      fr: `Les moteurs de recherche sont écartés : ${shown("fr")}.`,
      en: `Search engines are kept out: ${shown("en")}.`,
    });
  if (blocks.length > 0)
    return partial("some_bots", {
      fr: `Certains moteurs de recherche sont écartés : ${shown("fr")}.`,
      en: `Some search engines are kept out: ${shown("en")}.`,
    });
  const closed = listClosedFiles(evidence);
  if (closed.length > 0)
    return partial(
      "own_files",
      describeReferences(closed, {
        fr: "robots.txt ferme aux moteurs de recherche des fichiers de la page",
        en: "robots.txt closes files of the page to search engines",
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
      fr: "Rien n'écarte les moteurs de recherche : ni meta, ni X-Robots-Tag.",
      en: "Nothing keeps search engines out: no meta, no X-Robots-Tag.",
    });
  return pass({
    fr: "Rien n'écarte les moteurs de recherche : ni meta, ni X-Robots-Tag, ni robots.txt.",
    en: "Nothing keeps search engines out: no meta, no X-Robots-Tag, no line of robots.txt.",
  });
}

function judgePreview(evidence: Evidence): Judgement {
  const [block] = [...pageBlocks(evidence), ...robotsBlocks(evidence)];
  if (!block)
    return notApplicable({
      fr: "C'est un aperçu : son indexation n'est pas jugée.",
      en: "This is a preview: its indexing is not judged.",
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
    fr: "Ni noindex (dans une meta ou X-Robots-Tag) ni ligne de robots.txt n'écarte les moteurs de recherche ; s'il n'en écarte que certains, ou s'il ferme à Google ou à Bing les scripts ou les feuilles de style de la page, les deux tiers des points. Un aperçu (preview) n'est pas jugé.",
    en: "No noindex (in a meta or X-Robots-Tag) and no line of robots.txt keeps search engines out; keeping out only some of them, or closing the page's scripts or style sheets to Google or Bing, earns two thirds of the points. A preview is not judged.",
  },
  why: {
    fr: "La page disparaît des résultats de recherche ; la cause est souvent un reste de préproduction.",
    en: "The page disappears from search results; the cause is often a leftover of staging.",
  },
  fix: {
    fr: "Retirez cette ligne si la page doit être trouvée ; pour un aperçu, ou pour une page qui doit rester hors des moteurs de recherche, passez --preview.",
    en: "Remove this line if the page is meant to be found; for a preview, or for a page meant to stay out of search engines, pass --preview.",
  },
  standard: rfc(9309, "2.2"),
  capReason: {
    fr: "La page est fermée aux moteurs de recherche ; si c'est voulu, vérifiez-la avec --preview.",
    en: "The page is closed to search engines; if this is intended, check it with --preview.",
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
