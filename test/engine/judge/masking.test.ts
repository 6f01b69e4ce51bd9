import * as fc from "fast-check";
import { expect, it } from "vitest";
import { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { openSecrets } from "../../../server/engine/requests/privacy/secrets.ts";
import { isHashedName } from "../../../server/base/syntax/hashed-name.ts";
import { judge } from "../../../server/engine/judge/score.ts";
import { ONE_IN } from "../../harness/thorough.ts";
import { goodEvidence } from "./evidence-fixtures.ts";

type Path = readonly (string | number)[];

const RUNS = 400 / ONE_IN;
const PAGE = new URL("https://www.example.com/");
/** What the evidence says by itself, and hosts and origins, which no secret is looked for in. */
const OWN =
  /^(?:host|origins?|sans|address|addresses|name|agent|code|protocol|cipher|type|keyType|curve|signatureAlgorithm|sha256|signature|challenge|emptyRootId|method)$/;

/** The status and the points of each finding. */
const statusesOf = (evidence: Evidence): string[] =>
  judge(evidence).rows.map(
    ({ row, judgement, earned }) => `${row.id} ${judgement.status} ${earned}`,
  );

function textsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value === "string") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    OWN.test(key) ? [] : textsOf(each, [...path, key]),
  );
}

const read = (evidence: Evidence, path: Path): unknown =>
  path.reduce<unknown>((value, key) => Reflect.get(value as object, key), evidence);
const isHeaderName = (path: Path): boolean => path.at(-3) === "headers" && path.at(-1) === "0";
/** Rules read such a text as a number, so its mask may change a finding. */
const isNumber = (path: Path): boolean => /^\d+$/.test(read(goodEvidence(), path) as string);
const PATHS = textsOf(goodEvidence()).filter((path) => !isHeaderName(path) && !isNumber(path));

function plant(path: Path, edit: (text: string) => string): Evidence | undefined {
  const evidence = goodEvidence();
  const holder = read(evidence, path.slice(0, -1)) as object;
  const last = path.at(-1) ?? "";
  Reflect.set(holder, last, edit(String(Reflect.get(holder, last))));
  return Evidence.safeParse(evidence).data;
}

const characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".split("");
const word = fc.string({ unit: fc.constantFrom(...characters), minLength: 15, maxLength: 40 });
const secret = fc
  .tuple(
    word,
    fc.constantFrom("", "_", "-", "+", "/", "%", "&", "."),
    fc.constantFrom("", "=", "=="),
  )
  .map(([start, middle, end]) => `${start}${middle}7f${end}`);
const edits = fc.constantFrom<(value: string) => (text: string) => string>(
  (value) => (text) => text + value,
  (value) => (text) => `${text}/${value}`,
  (value) => (text) => `${text} ${value} ${value}`,
  (value) => (text) => `${value}, ${text}`,
  (value) => (text) => `${text}; script-src 'nonce-${value}'`,
  (value) => () => value,
  (value) => () => `https://www.example.com/app.${value}.js?${encodeURIComponent(value)}`,
);

it("masking leaves no secret, and changes no status", async () => {
  let masked = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PATHS), secret, edits, async (path, value, edit) => {
      const evidence = plant(path, edit(value));
      if (!evidence) return;
      const secrets = openSecrets({ "cf-access-client-secret": value }, PAGE);
      const hidden = Evidence.parse(await secrets.hide(evidence));
      const written = JSON.stringify(hidden);
      if (written !== JSON.stringify(evidence)) masked += 1;
      expect(written).not.toContain(value);
      expect(written).not.toContain(encodeURIComponent(value));
      expect(statusesOf(hidden)).toEqual(statusesOf(evidence));
    }),
    { numRuns: RUNS, seed: 20_261 },
  );
  expect(masked).toBeGreaterThan((RUNS * 5) / 8);
});

const hash = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef".split("")), minLength: 8 }),
  fc.string({ unit: fc.constantFrom(...characters), minLength: 8, maxLength: 8 }),
);

it("masking confuses no versioned file with another", async () => {
  let hashed = 0;
  await fc.assert(
    fc.asyncProperty(hash, async (value) => {
      const url = `https://www.example.com/app.${value}.js`;
      const hidden = await openSecrets({}, new URL(`/?v=${value}`, PAGE)).hide({ url });
      expect(isHashedName(hidden.url)).toBe(isHashedName(url));
      if (isHashedName(url) && hidden.url !== url) hashed += 1;
    }),
    { numRuns: RUNS, seed: 20_261 },
  );
  expect(hashed).toBeGreaterThan(RUNS / 2);
});

/** Values below the line, and those that stand in headers and pages for rules to read. */
const COMMON =
  "en|1|true|home|script|default-src|noindex, nofollow|max-age=31536000|text/html; charset=utf-8|nosniff|" +
  "upgrade-insecure-requests|strict-origin-when-cross-origin|under construction|width=device-width, initial-scale=1|" +
  "script-src 'unsafe-inline'|includeSubDomains|image/svg+xml|lorem ipsum dolor|no-store, max-age=0|https://www.example.com/|31536000";
const common = fc.constantFrom(...COMMON.split("|"));
const letters = fc.string({
  unit: fc.constantFrom(..."klmnopqrstuvwxyz".split("")),
  minLength: 5,
  maxLength: 9,
});
const digits = fc.string({
  unit: fc.constantFrom(..."3456789".split("")),
  minLength: 9,
  maxLength: 12,
});
const personal = fc.oneof(
  fc.tuple(letters, letters).map(([name, host]) => `${name}@${host}.net`),
  fc.tuple(letters, letters, letters).map((words) => words.join(" ")),
  fc.tuple(letters, letters, digits).map(([a, b, number]) => `${a}=${number};${b},é&<${b}>`),
  fc.tuple(letters, letters, letters).map((words) => words.join("")),
  digits,
);
/** The beginning of a text that goes on with a host, which is no secret. */
const HOST = /:\/\/[^/?#\s"'<>;,]*$/;
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const spelling = fc.constantFrom<(value: string) => string>(
  String,
  encodeURIComponent,
  (value) => encodeURIComponent(value).toLowerCase(),
  (value) => encodeURIComponent(encodeURIComponent(value)),
  (value) => new URLSearchParams([["", value]]).toString().slice(1),
  (value) => value.replace(/[&<>@]/g, (sign) => `&#${sign.charCodeAt(0)};`),
  (value) => json(value).replace(/[&<>@]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  (value) => value.toUpperCase(),
);

it("findings with a query equal those without, and contain none of its secret values", async () => {
  let masked = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...PATHS),
      personal,
      fc.array(common, { maxLength: 8 }),
      edits,
      spelling,
      async (path, value, others, edit, spell) => {
        const without = plant(path, edit(spell(value)));
        if (!without) return;
        const query = new URLSearchParams([...others, value].map((each) => ["a", each]));
        const secrets = openSecrets({}, new URL(`/?${query.toString()}`, PAGE));
        const hidden = Evidence.parse(await secrets.hide(without));
        expect(statusesOf(hidden)).toEqual(statusesOf(without));
        const written = JSON.stringify(hidden).toLowerCase();
        const [start = "", ...rest] = written.split(json(spell(value)).toLowerCase());
        expect(rest.length > 0 && !HOST.test(start)).toBe(false);
        if (JSON.stringify(hidden) !== JSON.stringify(without)) masked += 1;
      },
    ),
    { numRuns: RUNS, seed: 20_263 },
  );
  expect(masked).toBeGreaterThan(RUNS / 2);
});
