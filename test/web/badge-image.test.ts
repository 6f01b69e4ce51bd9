import { validateXML } from "xmllint-wasm";
import { describe, expect, test } from "vitest";
import { Verdict } from "../../shared/check.ts";
import { renderBadge } from "../../server/web/pages/public/badge.ts";

const SCORES = [0, 7, 42, 79, 92, 100];
const RESULTS = [
  { score: null, verdict: null },
  ...Verdict.options.flatMap((verdict) => SCORES.map((score) => ({ score, verdict }))),
];
const WHITE = "#ffffff";
const BLACK = "#000000";
const AA_TEXT = 4.5;
const AA_SHAPE = 3;

const nameFile = (_: unknown, index: number) => `${index}.svg`;

/** The names of the files among these that are no XML. */
async function findBroken(texts: readonly string[]): Promise<string[]> {
  const xml = texts.map((contents, index) => ({ fileName: nameFile(contents, index), contents }));
  const { errors } = await validateXML({ xml, normalization: "c14n" });
  return errors.map(({ loc, message }) => loc?.fileName ?? message);
}

/** WCAG 2.2, relative luminance. */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

test("every badge is well-formed XML", async () => {
  const badges = RESULTS.map(renderBadge);
  expect(await findBroken(badges)).toEqual([]);
  const broken = badges.map((svg) => svg.replace("</g>", ""));
  expect(await findBroken(broken)).toEqual(expect.arrayContaining(badges.map(nameFile)));
});

test("the contrast of white and black is 21", () => {
  expect(contrastOf(BLACK, WHITE)).toBeCloseTo(21);
  expect(contrastOf("#767676", WHITE)).toBeCloseTo(4.54, 2);
});

describe.each(RESULTS)("the badge of $score, $verdict", (result) => {
  const svg = renderBadge(result);
  const fills = [...svg.matchAll(/<(?:rect|path)[^>]* fill="(#[0-9a-f]{6})"/g)].map(
    ([, colour = ""]) => colour,
  );

  test("has a name for screen readers, with the same content", () => {
    const [name = ""] = /(?<=role="img" aria-label=")[^"]+/.exec(svg) ?? [];
    expect(svg).toContain(`<title>${name}</title>`);
    const texts = [...svg.matchAll(/<text [^>]*>([^<]+)<\/text>/g)].map(([, text]) => text);
    expect(texts.join(": ").replace(" · ", ", ")).toBe(name);
  });

  test("loads and runs nothing", () => {
    expect(svg).not.toMatch(/<(?:script|style|foreignObject|image|use|a)\b|href|url\(|@|\son\w+=/i);
    expect(svg.match(/https?:[^"]*/g)).toEqual(["http://www.w3.org/2000/svg"]);
  });

  test("has readable text, and is visible on white and black pages", () => {
    expect(svg).toContain('<g fill="#fff"');
    expect(fills).toHaveLength(2);
    for (const colour of fills) {
      expect(contrastOf(colour, WHITE)).toBeGreaterThanOrEqual(AA_TEXT);
      expect(contrastOf(colour, BLACK)).toBeGreaterThanOrEqual(AA_SHAPE);
    }
  });

  test("has room for its text", () => {
    const width = Number(/<svg [^>]*width="(\d+)"/.exec(svg)?.[1]);
    const ends = [...svg.matchAll(/<text x="([\d.]+)"[^>]*textLength="([\d.]+)"/g)].map(
      ([, x, length]) => Number(x) + Number(length),
    );
    expect(ends).toHaveLength(2);
    expect(ends[1]).toBeLessThanOrEqual(width - 5);
    expect(svg).toContain(`viewBox="0 0 ${width} 20"`);
  });
});

test("each verdict has its colour", () => {
  const colourOf = (verdict: Verdict) =>
    /<path[^>]* fill="([^"]+)"/.exec(renderBadge({ score: 1, verdict }))?.[1];
  const [ship, warnings, stop, inconclusive] = Verdict.options.map(colourOf);
  expect(new Set([ship, warnings, stop, inconclusive]).size).toBe(4);
});
