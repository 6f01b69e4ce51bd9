import { STAND_INS, type StandIn } from "../../server/engine/judge/facts/stand-ins.ts";

const PLACES: Readonly<Record<StandIn["in"], string>> = {
  title: "title, og:title",
  description: "description, og:description",
  image: "og:image",
  name: "part of the title, or heading",
  text: "text",
  whole: "whole text",
};

const INTRODUCTION = `# Stand-ins

Pages and words that frameworks, servers, hosts and registrars show where nobody has put a site's own, and where each of them
was read. \`reach.page\` looks for names and texts, on pages that say little else; \`html.title\`, \`html.description\` and
\`seo.social\` look for the words of project templates. "Public repositories" means that the words were read in projects that
were published with them, or in notes of those who met the page.

This file is generated from server/engine/judge/facts/stand-ins.json by \`npm run docs\`.

| product | kind | where | words | source |
|---|---|---|---|---|`;

const escapeCell = (text: string): string => text.replace(/[|<>*_[\]\\]/g, String.raw`\$&`);

/** docs/stand-ins.md: the table of stand-ins with their sources. */
export function describeStandIns(): string {
  const rows = STAND_INS.map(({ product, kind, in: place, words, source }) =>
    [product, kind.replace("_", " "), PLACES[place], words.join(" … "), source]
      .map(escapeCell)
      .join(" | "),
  );
  return [INTRODUCTION, ...rows.map((row) => `| ${row} |`)].join("\n").concat("\n");
}
