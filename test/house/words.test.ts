import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "oxc-parser";
import { expect, test } from "vitest";
import { typeset } from "../../shared/report/words.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SOURCES = ["cli/", "server/", "shared/"].flatMap((folder) =>
  readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" })
    .map((file) => folder + file)
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, source: readFileSync(ROOT + file, "utf8") })),
);

const TEXTS = SOURCES.flatMap(({ file, source }) => {
  const texts: { file: string; fr: string; en: string }[] = [];
  new Visitor({
    ObjectExpression({ properties }) {
      const members: Record<string, string> = {};
      for (const one of properties)
        if (one.type === "Property" && one.key.type === "Identifier")
          members[one.key.name] = source.slice(one.start, one.end);
      const { fr, en } = members;
      if (fr !== undefined && en !== undefined) texts.push({ file, fr, en });
    },
  }).visit(parseSync(file, source).program);
  return texts;
});

const PLACEHOLDER = /\$\{(?:[^{}]|\{[^{}]*\})*\}/g;
/** Strings and templates, with `${}` for a placeholder. */
const literalsIn = (code: string): string[] =>
  (code.match(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/gs) ?? []).map((literal) =>
    literal.slice(1, -1).replaceAll(PLACEHOLDER, "${}"),
  );
/** The variables of placeholders; a function that is called and the language do not count. */
function variablesIn(code: string): string {
  const placeholders = (code.match(/\$\{[^{}`]*\}/g) ?? []).join(" ").replaceAll(/"[^"]*"/g, "");
  const names = new Set(placeholders.match(/\b[a-z]\w*\b(?!\()/g));
  return [...names]
    .filter((name) => !/^(?:fr|en)$/.test(name))
    .toSorted()
    .join();
}

const REFUSED_FR =
  /exploitant|remède|\bjug(?:er|é)|céder|\bcession|second facteur|hors service|livraison|mise en production|déploiements entrants|plan du site|\d\}? Ko\b|crédit|\bessais?\b|échouée/;
const REFUSED_EN =
  /\b(?:[Oo]perator|told|[Ww]hoever|[Jj]udg\w+|any more|at once|look(?:s|ed)? at)\b/;
const BY_HAND = /(?:=== 1|> 1|< 2) \?|\(s\)|toLocale|toISOString|\d\d\/\d\d\/\d{4}/;
const isLong = (literal: string) =>
  literal.split(/[.!?:;](?:\s|$)/).some((sentence) => sentence.split(/\s+/).length > 40);
/** A mark after a word without its space, but for a URL's scheme, and a space that may break. */
const BARE_MARK = /(?<![\p{L}\d-])(?!https?:|file:)[\p{Ll}'»]+(?:[;!?]|: )| [:;!?%»](?:\s|$)|« /u;

const FAULTS: Readonly<Record<string, (fr: string, en: string) => boolean>> = {
  "a term that the glossary refuses": (fr, en) =>
    literalsIn(fr).some((one) => REFUSED_FR.test(one)) ||
    literalsIn(en).some((one) => REFUSED_EN.test(one)),
  "a plural or a date made by hand": (fr, en) => BY_HAND.test(fr + en),
  "a sentence of over 40 words": (fr, en) => literalsIn(fr + en).some(isLong),
  "a placeholder in one language only": (fr, en) => variablesIn(fr) !== variablesIn(en),
  "a French mark without its space": (fr) =>
    literalsIn(fr).some((one) => BARE_MARK.test(typeset(one, "fr"))),
};

test.each(Object.entries(FAULTS))("no text has %s", (_, isWrong) => {
  expect(TEXTS.length).toBeGreaterThan(2500);
  expect(TEXTS.filter(({ fr, en }) => isWrong(fr, en))).toEqual([]);
});

const PLACES =
  /^(?:cli|shared)\/|^server\/(?:web|mcp|engine\/judge)\/|letters?\.tsx?$|^server\/(?:alerts\/(?:message-text|sender|kinds\/[a-z]+)|access\/links|base\/input-faults|projects\/invitations|watching\/failed-tries)\.ts$/;

test("French is written in few places", () => {
  const french = /^(?!\s*(?:\/?\*|\/\/)).*[àâçèéêëîïôûùœ«»]/imu;
  const files = SOURCES.filter(({ source }) => french.test(source)).map(({ file }) => file);
  expect(files).toContain("server/mcp/results.ts");
  expect(files.filter((file) => !PLACES.test(file))).toEqual([]);
});
