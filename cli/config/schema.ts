import * as z from "zod/mini";
import { Acceptance, PagePattern } from "../../shared/acceptance.ts";
import { CategoryId } from "../../shared/check.ts";
import { findOrigin } from "../../shared/url.ts";
import { FORMATS } from "../reports/formats.ts";

// The schema reads one value, so a parser compiled for it would never pay.
z.config({ jitless: true });

/** A schema with what an error asks for: `Give ${words}`. */
const described = <T extends z.ZodMiniType>(schema: T, words: string): T =>
  schema.check(z.describe(words));

const text = (words: string, pattern = /./s) =>
  described(z.string().check(z.regex(pattern)), words);
const flag = (words: string) => described(z.boolean(), `true or false: ${words}`);
const wholeNumber = (most: number, words: string) =>
  described(z.int().check(z.gte(0), z.lte(most)), `a whole number from 0 to ${most}: ${words}`);
const file = (words: string) =>
  text(`the path of a file in the folder of this one, or below: ${words}`, /^(?!-$)./s);
const list = <T extends z.ZodMiniType>(item: T, words: string) => described(z.array(item), words);

const members = <T extends z.ZodMiniType>(names: readonly string[], member: T, words: string) =>
  described(
    z.strictObject(Object.fromEntries(names.map((name) => [name, z.optional(member)]))),
    words,
  );

const Points = described(z.number().check(z.gte(0), z.lte(100)), "the least points, such as 12");
const Id = text("the id of a rule or a category, such as hdr.hsts");

export const GateConfig = z.partial(
  z.strictObject({
    minScore: wholeNumber(100, "the lowest score that meets the gate"),
    minCategory: members(CategoryId.options, Points, 'least points, such as { "tls": 12 }'),
    require: list(Id, "a list of rules and categories that must pass"),
    failOnNew: flag("whether a finding worse than in the baseline fails the gate"),
    baseline: file("a saved answer to compare with"),
    missingBaseline: described(
      z.enum(["fail", "pass"]),
      '"fail" or "pass": the result where there is nothing to compare with',
    ),
    maxDrop: wholeNumber(100, "how far the score may fall"),
    project: text("the id, name or address of the project whose last ship maxDrop compares with"),
  }),
);
export type GateConfig = z.infer<typeof GateConfig>;

const PagePath = text("the path of a page, such as /pricing", /^\/(?![/\\])/);

const PageConfig = z.strictObject({
  path: PagePath,
  gate: z.optional(described(GateConfig, "conditions, laid over those of all pages")),
});

export const Config = z.partial(
  z.strictObject({
    $schema: text("the address of this schema"),
    site: described(
      z.string().check(z.refine((site) => findOrigin(site) !== undefined)),
      "the site's origin, such as https://example.com",
    ),
    pages: list(
      described(
        z.union([PagePath, PageConfig]),
        'a path, such as /pricing, or { "path": "/pricing", "gate": { ... } }',
      ),
      "a list of paths; without it, the site's first page",
    ).check(z.minLength(1)),
    sitemap: described(
      z.partial(
        z.strictObject({
          path: PagePath,
          limit: wholeNumber(50_000, "how many of its pages are checked besides `pages`"),
          include: list(PagePattern, "a list of paths, such as /docs/*: only pages that match one"),
          exclude: list(PagePattern, "a list of paths, such as /docs/*: no page that matches one"),
        }),
      ),
      "an object, which may be empty: pages from the site's sitemap",
    ),
    preview: flag("whether a noindex is expected"),
    gate: described(GateConfig, "an object of conditions"),
    accept: list(Acceptance, "a list of accepted findings"),
    reports: members(
      Object.keys(FORMATS),
      file("where the report is written"),
      'files by format, such as { "junit": "out/junit.xml" }',
    ),
  }),
);
export type Config = z.infer<typeof Config>;

type AnySchema = z.core.$ZodTypes;

/** The schema of the value at a path, as far as it leads. */
export function findSchema(schema: z.core.$ZodType, path: readonly PropertyKey[]): AnySchema {
  const { def } = (schema as AnySchema)._zod;
  const [key, ...rest] = path;
  if (def.type === "optional") return findSchema(def.innerType, path);
  if (key === undefined) return schema as AnySchema;
  if (def.type === "union") return findSchema(def.options[1] ?? schema, path);
  if (def.type === "array") return findSchema(def.element, rest);
  const name = String(key);
  const member =
    def.type === "object" && Object.hasOwn(def.shape, name) ? def.shape[name] : undefined;
  return member ? findSchema(member, rest) : (schema as AnySchema);
}

export const describeWanted = (schema: z.core.$ZodType): string =>
  z.globalRegistry.get(schema)?.description ?? "an object";
