import { keepHeaders, PAGE_HEADER_BYTES } from "../../server/engine/requests/headers.ts";
import { References } from "../../server/engine/requests/body/html-references.ts";
import { readHtml } from "../../server/engine/requests/body/html.ts";
import { extractMediaType, type MediaType } from "../../server/base/syntax/media-type.ts";
import { findBlocks } from "../../server/engine/requests/body/robots-rules.ts";
import { readRobots } from "../../server/engine/requests/body/robots.ts";
import { Slice } from "../../server/engine/net/slice.ts";
import { doctype } from "../../server/engine/judge/rules/html-document.ts";
import { readCookies } from "../../server/engine/judge/facts/session-cookies.ts";
import {
  evidenceWith,
  goodEvidence,
  pageHop,
  pageHtml,
} from "../../test/engine/judge/evidence-fixtures.ts";
import { readLines } from "./opinion.ts";
import type { Judge, Opinion } from "./topic.ts";

/** The page to which these cases' answers, headers, robots.txt or HTML belong. */
export const PAGE = new URL("https://www.example.com/shop/tea?page=2");
/** The crawler whose rules are compared. */
export const CRAWLER = "Googlebot";
/** The metas that are compared. */
export const METAS: readonly string[] =
  "description viewport robots referrer refresh content-security-policy".split(" ");

/** An opinion that shows what was read. */
export function tell(read: string): Opinion {
  return { verdict: read, words: read };
}

interface KeptCookie {
  readonly name: string;
  readonly isSecure: boolean;
  readonly isHttpOnly: boolean;
}

export function tellCookies(cookies: readonly KeptCookie[]): Opinion {
  const kept = cookies.map(({ name, isSecure, isHttpOnly }) =>
    [
      name || "(no name)",
      ...(isSecure ? ["Secure"] : []),
      ...(isHttpOnly ? ["HttpOnly"] : []),
    ].join(" "),
  );
  return tell(kept.toSorted().join(", ") || "no cookie");
}

export function tellType(type: MediaType | null): Opinion {
  if (!type) return tell("no type");
  return tell(type.charset === null ? type.essence : `${type.essence}, ${type.charset}`);
}

/** The head of a page: its language, its title and the compared metas, in order. */
export interface Head {
  readonly lang: string | null;
  readonly title: string | null;
  readonly metas: readonly {
    readonly name: string;
    readonly content: string;
    readonly isInHead: boolean;
  }[];
}

export function tellHead({ lang, title, metas }: Head): Opinion {
  const fold = (text: string) => text.trim().replaceAll(/\s+/g, " ");
  const described = metas.map(
    ({ name, content, isInHead }) => `${name} "${fold(content)}"${isInHead ? "" : " in body"}`,
  );
  return tell(
    [
      ...(lang === null ? [] : [`lang "${lang}"`]),
      ...(title === null ? [] : [`title "${fold(title)}"`]),
      ...described,
    ].join(", ") || "nothing",
  );
}

/** The first line is the requested path; the others are the robots.txt. */
export function readRobotsCase([path = "", ...lines]: readonly string[]): {
  url: URL;
  text: string;
} {
  return { url: new URL(path, PAGE), text: lines.join("\n") };
}

export const readOurCookies: Judge = (_topic, lines) => {
  const { headers } = readLines(lines, "");
  const hop = { ...pageHop(goodEvidence()), url: PAGE.href };
  const kept = readCookies(
    { ...hop, headers: keepHeaders(headers, PAGE_HEADER_BYTES) },
    Date.now(),
  );
  return tellCookies(
    kept.map(({ name, attributes }) => ({
      name,
      isSecure: attributes.has("secure"),
      isHttpOnly: attributes.has("httponly"),
    })),
  );
};

export const readOurType: Judge = (_topic, [value = ""]) => tellType(extractMediaType(value));

export const readOurRobots: Judge = async (_topic, lines) => {
  const { url, text } = readRobotsCase(lines);
  const { rules } = await readRobots(text);
  const blocks = (await findBlocks(rules, url, new Slice())) ?? [];
  return tell(blocks.some(({ agent }) => agent === CRAWLER) ? "blocked" : "open");
};

async function readPage(lines: readonly string[]) {
  const references = new References(PAGE, () => "public");
  return (await readHtml(lines.join("\n"), references)).html;
}

export const readOurMode: Judge = async (_topic, lines) => {
  const html = await readPage(lines);
  const { status } = doctype.judge(
    evidenceWith((evidence) => (pageHtml(evidence).doctype = html.doctype)),
  );
  return tell(status === "pass" ? "standards mode" : "quirks mode");
};

export const readOurHead: Judge = async (_topic, lines) => {
  const { lang, title, metas } = await readPage(lines);
  const compared = metas.filter(({ name }) => METAS.includes(name));
  return tellHead({ lang, title, metas: compared });
};
