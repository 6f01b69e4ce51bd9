import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readContentType } from "../../server/judge/rulesets/2026.1/content-type.ts";
import { isPreviewHost } from "../../server/judge/rulesets/2026.1/hosts.ts";
import { splitDirectives } from "../../server/judge/rulesets/2026.1/rules/hdr-hsts.ts";
import { joinAtEquals } from "../../server/judge/rulesets/2026.1/rules/html-head.ts";
import { isPreviewHost as isPreviewHostNow } from "../../server/judge/facts/hosts.ts";

/** What the frozen rules were judged with before it was linear, each slow for a long text alone. */
const DEPLOYMENT =
  /(?:-git-[^.]+|-[a-z0-9]{9}-[^.]+)\.vercel\.app$|--[^.]+\.netlify\.app$|^[^.]+\.[^.]+\.pages\.dev$/i;
const charsetBefore = (type: string) =>
  type
    .split(";")
    .slice(1)
    .map((parameter) => /^\s*charset=\s*"?([^"]*?)"?\s*$/i.exec(parameter)?.[1])
    .find((label) => label !== undefined)
    ?.toLowerCase() ?? null;
const partsBefore = (value: string) => value.match(/(?:"(?:[^"\\]|\\.)*"|[^;])+/g) ?? [];

const CASES: readonly (readonly [
  what: string,
  words: string,
  before: (text: string) => unknown,
  now: (text: string) => unknown,
])[] = [
  [
    "hosts of deployments",
    "a.|-|--|-git-|-abc123def-|x|.|.vercel.app|.netlify.app|.pages.dev|VERCEL.app|\n",
    (host) => DEPLOYMENT.test(host),
    isPreviewHost,
  ],
  [
    "hosts of deployments, now",
    "a.|-|--|-git-|-abc123def-|x|.|.vercel.app|.netlify.app|.pages.dev|VERCEL.app",
    (host) => DEPLOYMENT.test(host),
    isPreviewHostNow,
  ],
  [
    "the charset of a type",
    ';| |\t|charset=|Charset=|"|utf-8|""|=|a|text/html',
    charsetBefore,
    (type) => readContentType([["content-type", type]]).charset,
  ],
  [
    "the parts of HSTS",
    ';|"|\\|\\"|a|=| |max-age|;;',
    partsBefore,
    (value) => splitDirectives(value).filter((part) => part !== ""),
  ],
  [
    "equals signs in a viewport",
    "=| |\t|\n|a|width|,|1",
    (content) => content.replaceAll(/\s*=\s*/g, "="),
    joinAtEquals,
  ],
];

describe("what is linear now says what was said before of", () => {
  it.each(CASES)("%s", (_what, words, before, now) => {
    const text = fc
      .array(fc.constantFrom(...words.split("|")), { maxLength: 12 })
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, (each) => {
        expect(now(each)).toEqual(before(each));
      }),
      { numRuns: 20_000, seed: 20_261 },
    );
  });
});
