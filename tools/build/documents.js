/* dist/program/documents.json: the documents that are pages, from docs/, in each language that they are written in. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { Marked } from "marked";

const root = new URL("../../", import.meta.url);
const NAMES = ["ci", "alerts", "mcp"];
/** The documents that have a page, by their file. */
const PAGES = {
  ...Object.fromEntries(NAMES.map((name) => [name, `/docs/${name}`])),
  rules: "/docs/rules",
};

/** How often each slug was taken in a document: the second heading of a name is `name-1`, as on GitHub. */
const taken = new Map();

function slugOf(text) {
  const slug = text
    .toLowerCase()
    .replace(/<[^>]*>|[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");
  const count = taken.get(slug) ?? 0;
  taken.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/** A link to a document without a page is its words alone. */
function findTarget(href) {
  const [, name, anchor = ""] = /^(?:\.\/)?(\w+)\.md(#.*)?$/.exec(href) ?? [];
  if (name !== undefined) return PAGES[name] && `${PAGES[name]}${anchor}`;
  return /^(?:https:|#)/.test(href) ? href : undefined;
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens);
      return `<h${depth} id="${slugOf(text)}">${text}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = findTarget(href);
      return target ? `<a href="${target}">${text}</a>` : text;
    },
  },
});

const files = await readdir(new URL("docs/", root));
const documents = {};
for (const name of NAMES)
  for (const [file, language] of [
    [`${name}.md`, "en"],
    [`${name}.fr.md`, "fr"],
  ])
    if (files.includes(file)) {
      taken.clear();
      const text = await readFile(new URL(`docs/${file}`, root), "utf8");
      documents[name] = { ...documents[name], [language]: await marked.parse(text) };
    }

await mkdir(new URL("dist/program/", root), { recursive: true });
await writeFile(new URL("dist/program/documents.json", root), JSON.stringify(documents));
