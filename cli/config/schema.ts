import * as z from "zod/mini";
import { Acceptance, PagePattern } from "../../shared/acceptance.ts";
import { CategoryId } from "../../shared/check.ts";
import type { Text } from "../../shared/language.ts";
import { findOrigin } from "../../shared/url.ts";
import { FORMATS } from "../reports/formats.ts";

// The schema reads a single value, so compiling a parser for it would take longer than it saves.
z.config({ jitless: true });

/** The French for each English description. The JSON Schema is in English, and an error says `Use ${description}`. */
const FRENCH = new Map<string, string>();

function described<T extends z.ZodMiniType>(schema: T, fr: string, en: string): T {
  FRENCH.set(en, fr);
  return schema.check(z.describe(en));
}

const ANY_TEXT = /./s;

const text = (fr: string, en: string, pattern = ANY_TEXT) =>
  described(z.string().check(z.regex(pattern)), fr, en);
const flag = (fr: string, en: string) =>
  described(z.boolean(), `true ou false : ${fr}`, `true or false: ${en}`);
const wholeNumber = (most: number, fr: string, en: string) =>
  described(
    z.int().check(z.gte(0), z.lte(most)),
    `un nombre entier de 0 à ${most} : ${fr}`,
    `a whole number from 0 to ${most}: ${en}`,
  );
const file = (fr: string, en: string) =>
  text(
    `le chemin d'un fichier dans le dossier de celui-ci, ou plus bas : ${fr}`,
    `the path of a file in the folder of this one, or below: ${en}`,
    /^(?!-$)./s,
  );
const list = <T extends z.ZodMiniType>(item: T, fr: string, en: string) =>
  described(z.array(item), fr, en);

const members = <T extends z.ZodMiniType>(
  names: readonly string[],
  member: T,
  fr: string,
  en: string,
) =>
  described(
    z.strictObject(Object.fromEntries(names.map((name) => [name, z.optional(member)]))),
    fr,
    en,
  );

const Points = described(
  z.number().check(z.gte(0), z.lte(100)),
  "un minimum de points, par exemple 12",
  "a minimum of points, such as 12",
);
const Id = text(
  "l'identifiant d'une règle ou d'une catégorie, par exemple hdr.hsts",
  "the ID of a rule or a category, such as hdr.hsts",
);

export const GateConfig = z.partial(
  z.strictObject({
    minScore: wholeNumber(
      100,
      "le score minimal qui remplit les conditions",
      "the lowest score that meets the gate",
    ),
    minCategory: members(
      CategoryId.options,
      Points,
      'des minimums de points, par exemple { "tls": 12 }',
      'minimums of points, such as { "tls": 12 }',
    ),
    require: list(
      Id,
      "une liste de règles et de catégories qui doivent réussir",
      "a list of rules and categories that must pass",
    ),
    failOnNew: flag(
      "si un constat pire que dans la référence fait échouer les conditions",
      "whether a finding worse than in the baseline fails the gate",
    ),
    baseline: file(
      "un résultat enregistré comme référence de comparaison",
      "a saved result to compare with",
    ),
    missingBaseline: described(
      z.enum(["fail", "pass"]),
      '"fail" ou "pass" : le résultat sans référence de comparaison',
      '"fail" or "pass": the result if there is nothing to compare with',
    ),
    maxDrop: wholeNumber(100, "la baisse maximale du score", "how far the score may fall"),
    project: text(
      "l'identifiant, le nom ou l'URL du projet dont le dernier déploiement en production est la référence de maxDrop",
      "the id, name or URL of the project whose last production deployment is the baseline of maxDrop",
    ),
  }),
);
export type GateConfig = z.infer<typeof GateConfig>;

const PagePath = text(
  "le chemin d'une page, par exemple /pricing",
  "the path of a page, such as /pricing",
  /^\/(?![/\\])/,
);

const PageConfig = z.strictObject({
  path: PagePath,
  gate: z.optional(
    described(
      GateConfig,
      "des conditions, qui priment sur celles de toutes les pages",
      "conditions, which override those of all pages",
    ),
  ),
});

const PATTERNS = {
  include: {
    fr: "une liste de chemins, par exemple /docs/* : seules les pages qui correspondent à l'un d'eux",
    en: "a list of paths, such as /docs/*: only pages that match one",
  },
  exclude: {
    fr: "une liste de chemins, par exemple /docs/* : aucune page qui correspond à l'un d'eux",
    en: "a list of paths, such as /docs/*: no page that matches one",
  },
};

export const Config = z.partial(
  z.strictObject({
    $schema: text("l'URL de ce schéma", "the URL of this schema"),
    site: described(
      z.string().check(z.refine((site) => findOrigin(site) !== undefined)),
      "l'origine du site, par exemple https://example.com",
      "the site's origin, such as https://example.com",
    ),
    pages: list(
      described(
        z.union([PagePath, PageConfig]),
        'un chemin, par exemple /pricing, ou { "path": "/pricing", "gate": { ... } }',
        'a path, such as /pricing, or { "path": "/pricing", "gate": { ... } }',
      ),
      "une liste de chemins ; sans elle, la première page du site",
      "a list of paths; without it, the site's first page",
    ).check(z.minLength(1)),
    sitemap: described(
      z.partial(
        z.strictObject({
          path: PagePath,
          limit: wholeNumber(
            50_000,
            "le nombre maximal de ses pages à vérifier en plus de `pages`",
            "how many of its pages are checked in addition to `pages`",
          ),
          include: list(PagePattern, PATTERNS.include.fr, PATTERNS.include.en),
          exclude: list(PagePattern, PATTERNS.exclude.fr, PATTERNS.exclude.en),
        }),
      ),
      "un objet, éventuellement vide : des pages du sitemap du site",
      "an object, which may be empty: pages from the site's sitemap",
    ),
    preview: flag("si noindex est attendu", "whether a noindex is expected"),
    gate: described(GateConfig, "un objet de conditions", "an object of conditions"),
    accept: list(Acceptance, "une liste de constats acceptés", "a list of accepted findings"),
    reports: members(
      Object.keys(FORMATS),
      file("où le rapport est écrit", "where the report is written"),
      'des fichiers par format, par exemple { "junit": "out/junit.xml" }',
      'files by format, such as { "junit": "out/junit.xml" }',
    ),
  }),
);
export type Config = z.infer<typeof Config>;

type AnySchema = z.core.$ZodTypes;

/** If the path leads beyond the schema, returns the schema of its last known part. */
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

const describeEnglish = (schema: z.core.$ZodType): string =>
  z.globalRegistry.get(schema)?.description ?? "an object";

/** The members of an acceptance have their English descriptions in shared/, without a French one. */
const ACCEPTANCE_MEMBERS: readonly (readonly [z.core.$ZodType, string])[] = [
  [
    findSchema(Acceptance, ["rule"]),
    "l'identifiant d'une règle, par exemple hdr.csp ; pas de la catégorie reach",
  ],
  [findSchema(Acceptance, ["pages"]), "une liste de chemins, par exemple /legacy/*"],
  [findSchema(Acceptance, ["reason"]), "la raison pour laquelle le constat est accepté"],
  [
    findSchema(Acceptance, ["until"]),
    "le dernier jour de l'acceptation, en UTC, par exemple 2027-03-31",
  ],
  [
    PagePattern,
    "le chemin d'une page, par exemple /pricing, ou de plusieurs, par exemple /legacy/*",
  ],
];
for (const [schema, fr] of ACCEPTANCE_MEMBERS) FRENCH.set(describeEnglish(schema), fr);

export function describeWanted(schema: z.core.$ZodType): Text {
  const en = describeEnglish(schema);
  return { en, fr: FRENCH.get(en) ?? "un objet" };
}
