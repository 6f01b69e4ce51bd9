import type { Language } from "../language.ts";

import { say, WORDS } from "./words.ts";

/** No Markdown renderer reads such a word as a link, a mention, a reference, an emoji or math. */
const PLAIN_WORD = /^(?:[\p{L}\p{M}\p{N}.,;!?'"’“”«»()%…–—-]+:?|[:→])$/u;

/** GitHub turns these into links: `www.example.com`, an issue, a commit. */
const LINKED_WORD = /www\.|GH-\d|(?<![\p{L}\p{N}])[0-9a-f]{7,40}(?![\p{L}\p{N}])/iu;

/** The text must be on one line. */
export function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = Math.max(0, ...runs.map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 || text.trim() === "" ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

export function codeBlock(lines: readonly string[]): string {
  const text = lines.join("\n");
  const runs = text.match(/`{3,}/g) ?? [];
  const marks = "`".repeat(Math.max(2, ...runs.map((run) => run.length)) + 1);
  return `${marks}\n${text}\n${marks}`;
}

function codeWords(text: string): string {
  let start = 0;
  let end = text.length;
  while (end > 1 && ".,;:!?…".includes(text.charAt(end - 1))) end--;
  const isOpened = text.startsWith("(") && end > 2;
  const isClosed = text.charAt(end - 1) === ")" && end > 2;
  if (isOpened && (isClosed || !text.includes(")"))) start++;
  if (isClosed && (isOpened || !text.includes("("))) end--;
  return text.slice(0, start) + code(text.slice(start, end)) + text.slice(end);
}

const OPEN_ELEMENT = /<[a-z!/][^>]*$/i;

const HEADER_NAME = /(?:^|\s)([a-z]+(?:-[a-z]+)+:)$/i;

/**
 * For any position but the start of a line. Words that could be markup, such as a URL, an element or a header with its value,
 * are set as code.
 */
export function prose(text: string): string {
  const runs: { isPlain: boolean; space: string; text: string }[] = [];
  for (const [, gap = "", word = ""] of text.trim().matchAll(/(\s*)(\S+)/gu)) {
    const space = gap.endsWith("\u00a0") ? "\u00a0" : " ";
    const last = runs.at(-1);
    const goesOn =
      last?.isPlain === false &&
      (OPEN_ELEMENT.test(last.text) || (last.text.endsWith(";") && word.endsWith(";")));
    const isPlain = !goesOn && PLAIN_WORD.test(word) && !LINKED_WORD.test(word);
    if (last?.isPlain === isPlain) {
      last.text += space + word;
      continue;
    }
    const [, name = ""] = isPlain ? [] : (HEADER_NAME.exec(last?.text ?? "") ?? []);
    if (last) last.text = last.text.slice(0, last.text.length - name.length).trimEnd();
    if (last?.text === "") runs.pop();
    const own = last?.text === "" ? last.space : last ? space : "";
    runs.push({ isPlain, space: own, text: name ? `${name} ${word}` : word });
  }
  return runs.map((run) => run.space + (run.isPlain ? run.text : codeWords(run.text))).join("");
}

export function formatLabelled(label: string, text: string, language: Language): string {
  return text && `**${label}${say(WORDS.colon, language).trimEnd()}** ${prose(text)}`;
}

/** Inside code, not even an escaped bar is safe in a cell, so it becomes ¦. */
export function cell(markdown: string): string {
  return markdown.replaceAll("|", "¦");
}

export function formatTable(
  [titles = [], ...rows]: readonly (readonly string[])[],
  alignment: string,
): string {
  const format = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [format(titles), alignment, ...rows.map(format)].join("\n");
}
