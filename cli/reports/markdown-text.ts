/** A word that no reader of Markdown takes for more: not a link, a mention, a reference, an emoji or math. */
const PLAIN_WORD = /^(?:[\p{L}\p{M}\p{N}.,;!?'"’“”«»()%…–—-]+:?|[:→])$/u;

/** What GitHub links to without any mark: `www.example.com`, an issue, a commit. */
const LINKED_WORD = /www\.|GH-\d|(?<![\p{L}\p{N}])[0-9a-f]{7,40}(?![\p{L}\p{N}])/iu;

/** The text as it is, in the type of a machine. It has to be on one line. */
export function code(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = Math.max(0, ...runs.map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 || text.trim() === "" ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** The words in the type of a machine, the punctuation around them left out. */
function codeWords(words: readonly string[]): string {
  const text = words.join(" ");
  let start = 0;
  let end = text.length;
  while (end > 1 && ".,;:!?…".includes(text.charAt(end - 1))) end--;
  const isOpened = text.startsWith("(") && end > 2;
  const isClosed = text.charAt(end - 1) === ")" && end > 2;
  if (isOpened && (isClosed || !text.includes(")"))) start++;
  if (isClosed && (isOpened || !text.includes("("))) end--;
  return text.slice(0, start) + code(text.slice(start, end)) + text.slice(end);
}

/**
 * Text for people, on one line, for any place but the beginning of a line. What could be read as more than words,
 * such as an address or a header, is in the type of a machine, where nothing is read as markup.
 */
export function prose(text: string): string {
  const runs: { isPlain: boolean; words: string[] }[] = [];
  for (const word of text.split(/\s+/u).filter((part) => part !== "")) {
    const isPlain = PLAIN_WORD.test(word) && !LINKED_WORD.test(word);
    const last = runs.at(-1);
    if (last?.isPlain === isPlain) last.words.push(word);
    else runs.push({ isPlain, words: [word] });
  }
  return runs.map(({ isPlain, words }) => (isPlain ? words.join(" ") : codeWords(words))).join(" ");
}

/** Prose or code for a cell of a table, in which even a backslash does not keep a bar from ending the cell. */
export function cell(markdown: string): string {
  return markdown.replaceAll("|", "¦");
}
