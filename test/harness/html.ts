import { Parser } from "htmlparser2";
import { expect } from "vitest";

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface ParsedPage {
  readonly elements: readonly Element[];
  readonly text: string;
  /** The text in the page's language, without code. */
  readonly prose: string;
  readonly all: (name: string) => Element["attributes"][];
  readonly byId: (id: string) => Element["attributes"] | undefined;
}

const CODE: ReadonlySet<string> = new Set(["code", "pre", "kbd", "script", "style", "textarea"]);

export function parsePage(html: string): ParsedPage {
  const elements: Element[] = [];
  let text = "";
  let prose = "";
  let silent = 0;
  /** For each open element: whether its text is prose. */
  const open: boolean[] = [];
  let pictures = 0;
  const isSilent = (name: string) => name === "style" || name === "script";
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (name === "svg") pictures++;
      // A part of a picture may have its own title.
      if (name !== "title" || pictures === 0) elements.push({ name, attributes });
      if (isSilent(name)) silent++;
      const isForeign = name !== "html" && attributes["lang"] !== undefined;
      open.push(open.at(-1) !== false && !isForeign && !CODE.has(name));
    },
    onclosetag: (name) => {
      if (name === "svg") pictures--;
      if (isSilent(name)) silent--;
      open.pop();
    },
    ontext: (part) => {
      if (silent === 0) text += part;
      if (open.at(-1)) prose += part;
      else prose += "\n";
    },
  });
  parser.end(html);
  return {
    elements,
    text,
    prose,
    all: (name) => elements.filter((one) => one.name === name).map((one) => one.attributes),
    byId: (id) => elements.find((one) => one.attributes["id"] === id)?.attributes,
  };
}

/** Matches a French mark or unit after an ordinary space, at which a line could break. */
const BROKEN_SPACE = / [:;?!%»](?=[\s.,)]|$)|« |\d (?:ms|s|Kio|Mio|ko|Mo|octets)\b/g;

/** Expects what every page must contain and must not contain. */
export function expectSoundPage(html: string, language: "fr" | "en"): ParsedPage {
  const page = parsePage(html);
  const { all, elements } = page;
  expect(html.startsWith(`<!doctype html><html lang="${language}">`)).toBe(true);
  for (const name of ["h1", "main", "title", "header", "footer"])
    expect([name, all(name).length >= 1]).toEqual([name, true]);
  for (const name of ["h1", "main", "title"]) expect([name, all(name).length]).toEqual([name, 1]);
  const ids = elements.flatMap(({ attributes }) => attributes["id"] ?? []);
  expect(ids).toEqual([...new Set(ids)]);
  const labelled = new Set(all("label").map((label) => label["for"]));
  for (const input of [...all("input"), ...all("textarea"), ...all("select")])
    if (input["type"] !== "hidden") expect(labelled).toContain(input["id"]);
  if (language === "fr") expect(page.prose.match(BROKEN_SPACE) ?? []).toEqual([]);
  for (const { attributes } of elements) {
    for (const name of Object.keys(attributes))
      expect(name).not.toMatch(/^(?:on\w+|style|srcdoc)$/);
    for (const id of attributes["aria-describedby"]?.split(" ") ?? []) expect(ids).toContain(id);
  }
  return page;
}
