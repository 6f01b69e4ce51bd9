import * as z from "zod/mini";
import { Acceptance, PagePattern } from "../../shared/acceptance.ts";
import { CategoryId } from "../../shared/check.ts";
import { findOrigin } from "../check/urls.ts";
import { FORMATS } from "../reports/formats.ts";

// The schema reads one value, so a parser compiled for it would never pay.
z.config({ jitless: true });

/* Each description is what an error asks for: `Give ${description}`. */

const wholeNumber = (most: number, words: string) =>
  z.int().check(z.gte(0), z.lte(most), z.describe(`a whole number from 0 to ${most}: ${words}`));
const flag = (words: string) => z.boolean().check(z.describe(`true or false: ${words}`));
const file = (words: string) =>
  z.string().check(z.regex(/^(?!-$)./s), z.describe(`the path of a file: ${words}`));

/** An object with these members, each of them optional. */
const optionalMembers = <T extends z.ZodMiniType>(names: readonly string[], member: T) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, z.optional(member)])));

const Points = z.number().check(z.gte(0), z.lte(100), z.describe("the least points, such as 12"));

/** The conditions that a page must meet. */
export const GateConfig = z.strictObject({
  minScore: z.optional(wholeNumber(100, "the lowest score that meets the gate")),
  minCategory: z.optional(
    optionalMembers(CategoryId.options, Points).check(
      z.describe('the least points of categories, such as { "tls": 12 }'),
    ),
  ),
  require: z.optional(
    z
      .array(z.string().check(z.describe("the id of a rule or a category, such as hdr.hsts")))
      .check(z.describe("a list of rules and categories that must pass")),
  ),
  failOnNew: z.optional(flag("whether a finding worse than in the baseline fails the gate")),
  baseline: z.optional(file("a saved answer to compare with")),
  missingBaseline: z.optional(
    z
      .enum(["fail", "pass"])
      .check(z.describe('"fail" or "pass": the result where there is nothing to compare with')),
  ),
  maxDrop: z.optional(wholeNumber(100, "how far the score may fall")),
  project: z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.describe("the id, name or address of the project whose last ship maxDrop compares with"),
      ),
  ),
});
export type GateConfig = z.infer<typeof GateConfig>;

const PagePath = z
  .string()
  .check(z.regex(/^\/(?![/\\])/), z.describe("the path of a page, such as /pricing"));

const PageConfig = z.strictObject({
  path: PagePath,
  gate: z.optional(
    GateConfig.check(z.describe("the page's own conditions, laid over those of all pages")),
  ),
});

const patterns = (words: string) =>
  z.optional(z.array(PagePattern).check(z.describe(`a list of paths, such as /docs/*: ${words}`)));

/** What shipscore.json holds. */
export const Config = z.strictObject({
  $schema: z.optional(z.string().check(z.describe("the address of this schema"))),
  site: z.optional(
    z.string().check(
      z.refine((text) => findOrigin(text) !== undefined),
      z.describe("the site's origin, such as https://example.com"),
    ),
  ),
  pages: z.optional(
    z
      .array(
        z
          .union([PagePath, PageConfig])
          .check(
            z.describe('a path, such as /pricing, or { "path": "/pricing", "gate": { ... } }'),
          ),
      )
      .check(z.minLength(1), z.describe("a list of paths; without it, the site's first page")),
  ),
  sitemap: z.optional(
    z
      .strictObject({
        path: z.optional(PagePath),
        limit: z.optional(wholeNumber(50_000, "how many of its pages are checked besides `pages`")),
        include: patterns("only pages that match one"),
        exclude: patterns("no page that matches one"),
      })
      .check(z.describe("an object, which may be empty: pages from the site's sitemap")),
  ),
  preview: z.optional(flag("whether a noindex is expected")),
  gate: z.optional(GateConfig.check(z.describe("an object of conditions"))),
  accept: z.optional(z.array(Acceptance).check(z.describe("a list of accepted findings"))),
  reports: z.optional(
    optionalMembers(Object.keys(FORMATS), file("where the report is written")).check(
      z.describe('files by format, such as { "junit": "out/junit.xml" }'),
    ),
  ),
});
export type Config = z.infer<typeof Config>;

type AnySchema = z.core.$ZodTypes;

/** The schema of the value at a path, as far as it leads. */
export function findSchema(schema: z.core.$ZodType, path: readonly PropertyKey[]): AnySchema {
  const { def } = (schema as AnySchema)._zod;
  const [key, ...rest] = path;
  if (def.type === "optional") return findSchema(def.innerType, path);
  if (def.type === "union" && key !== undefined) return findSchema(def.options[1] ?? schema, path);
  const next =
    def.type === "array"
      ? def.element
      : def.type === "object" && key !== undefined
        ? def.shape[String(key)]
        : undefined;
  return key === undefined || next === undefined ? (schema as AnySchema) : findSchema(next, rest);
}

/** What a value should be, in words. */
export const describeWanted = (schema: z.core.$ZodType): string =>
  z.globalRegistry.get(schema)?.description ?? "an object";
