import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { openSecrets } from "../../../server/engine/probe/privacy/secrets.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import { ONE_IN } from "../../harness/thorough.ts";
import { goodEvidence } from "./evidence-fixtures.ts";

type Path = readonly (string | number)[];

const RUNS = 400 / ONE_IN;
const PAGE = new URL("https://www.example.com/");
/** What the evidence says by itself, and hosts, which no secret is looked for in. */
const OWN =
  /^(?:host|sans|address|addresses|name|agent|code|protocol|cipher|type|keyType|curve|signatureAlgorithm|sha256|signature|challenge|emptyRootId|method)$/;

function textsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value === "string") return [path];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    OWN.test(key) ? [] : textsOf(each, [...path, key]),
  );
}

const isHeaderName = (path: Path): boolean => path.at(-3) === "headers" && path.at(-1) === "0";
const PATHS = textsOf(goodEvidence()).filter((path) => !isHeaderName(path));

function plant(path: Path, edit: (text: string) => string): Evidence | undefined {
  const evidence = goodEvidence();
  let holder: object = evidence;
  for (const key of path.slice(0, -1)) holder = Reflect.get(holder, key) as object;
  const last = path.at(-1) ?? "";
  Reflect.set(holder, last, edit(String(Reflect.get(holder, last))));
  return Evidence.safeParse(evidence).data;
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\p{N}/gu, "0"],
  [/[a-f]/g, "a"],
  [/[A-F]/g, "A"],
  [/(?![AX])\p{Lu}/gu, "X"],
  [/(?![ax])\p{Ll}/gu, "x"],
];
const shapeOf = (text: string): string =>
  KINDS.reduce((shape, [kind, fill]) => shape.replace(kind, fill), text);

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

describe.each(["fr", "en"] as const)("in %s", (language) => {
  it("masking changes no finding, and leaves no secret", () => {
    let masked = 0;
    fc.assert(
      fc.property(fc.constantFrom(...PATHS), secret, edits, (path, value, edit) => {
        const evidence = plant(path, edit(value));
        if (!evidence) return;
        const secrets = openSecrets({ "cf-access-client-secret": value }, PAGE);
        const hidden = Evidence.parse(secrets.hide(evidence));
        const written = JSON.stringify(hidden);
        if (written !== JSON.stringify(evidence)) masked += 1;
        expect(written).not.toContain(value);
        expect(written).not.toContain(encodeURIComponent(value));
        const [before, after] = [evidence, hidden].map((one) => scoreEvidence(one, language));
        expect(shapeOf(JSON.stringify(after))).toBe(shapeOf(JSON.stringify(before)));
      }),
      { numRuns: RUNS, seed: 20_261 },
    );
    expect(masked).toBeGreaterThan((RUNS * 5) / 8);
  });
});
