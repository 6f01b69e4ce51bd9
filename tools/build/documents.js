/* Writes dist/program/documents.json: the documents in docs/ that the server shows as pages, as HTML in each language. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { Marked } from "marked";

const root = new URL("../../", import.meta.url);
const NAMES = ["ci", "alerts", "mcp"];
const FOLDERS = { en: "docs/", fr: "docs/fr/" };
const PAGES = {
  ...Object.fromEntries(NAMES.map((name) => [name, `/docs/${name}`])),
  rules: "/docs/rules",
};

/** How often each slug occurs in a document. The second occurrence gets the suffix `-1`, as on GitHub. */
const slugCounts = new Map();

function createSlug(text) {
  const slug = text
    .toLowerCase()
    .replace(/<[^>]*>|[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");
  const count = slugCounts.get(slug) ?? 0;
  slugCounts.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/**
 * Returns the attributes of a link, or undefined for a document without a page. `../` in a French document links to an English one. The
 * server itself shows the rules in both languages.
 */
function describeTarget(href) {
  const [, isEnglish, name, anchor = ""] = /^(\.\.\/)?(\w+)\.md(#.*)?$/.exec(href) ?? [];
  if (name === undefined) return /^(?:https:|#)/.test(href) ? `href="${href}"` : undefined;
  if (PAGES[name] === undefined) return undefined;
  return isEnglish && name !== "rules"
    ? `href="${PAGES[name]}?lang=en${anchor}" hreflang="en"`
    : `href="${PAGES[name]}${anchor}"`;
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens);
      return `<h${depth} id="${createSlug(text)}">${text}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = describeTarget(href);
      return target ? `<a ${target}>${text}</a>` : text;
    },
  },
});

/** Only the French version may be missing. */
async function renderDocument(name, language) {
  slugCounts.clear();
  try {
    return marked.parse(await readFile(new URL(`${FOLDERS[language]}${name}.md`, root), "utf8"));
  } catch (error) {
    if (error.code === "ENOENT" && language === "fr") return undefined;
    throw error;
  }
}

const documents = {};
for (const name of NAMES) {
  documents[name] = {};
  for (const language of Object.keys(FOLDERS))
    documents[name][language] = await renderDocument(name, language);
}

await mkdir(new URL("dist/program/", root), { recursive: true });
await writeFile(new URL("dist/program/documents.json", root), JSON.stringify(documents));
