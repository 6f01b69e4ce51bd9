import { describe, expect, it } from "vitest";
import { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { CheckResult } from "../../../shared/check.ts";
import { judge, scoreOf } from "../../../server/engine/judge/score.ts";
import { ONE_IN } from "../../harness/thorough.ts";
import { goodEvidence } from "./evidence-fixtures.ts";

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  return [path, ...keys.flatMap((key) => pathsOf(Reflect.get(value, key), [...path, key]))];
}

/** The good evidence with one value replaced; undefined where the schema does not allow it. */
function replaceAt(path: Path, value: unknown): Evidence | undefined {
  const evidence = goodEvidence();
  const last = path.at(-1);
  if (last === undefined) return undefined;
  let holder: object = evidence;
  for (const key of path.slice(0, -1)) holder = Reflect.get(holder, key) as object;
  Reflect.set(holder, last, value);
  return Evidence.safeParse(evidence).data;
}

const VALUES = [null, "", "\u0000", 0, -1, [], true, false, `https://a.${"1".repeat(1014)}`];

describe("any evidence that the schema allows", () => {
  it.each(VALUES.map((value, shift) => [value, shift]))(
    "is assessed, wherever it contains %j",
    (value, shift) => {
      const paths = pathsOf(goodEvidence()).filter((_, index) => (index + shift) % ONE_IN === 0);
      const allowed = paths.flatMap((path) => replaceAt(path, value) ?? []);
      expect(allowed.length).toBeGreaterThan(0);
      for (const evidence of allowed) {
        const judged = judge(evidence);
        expect(judged.rows.filter((row) => "error" in row)).toEqual([]);
        CheckResult.parse(scoreOf(judged, "fr"));
      }
    },
  );
});
