import { describe, expect, it } from "vitest";
import { TARGETS } from "../fuzz/targets.ts";

const RUNS = 700;
/** Fixed, so that a run repeats; `npx tsx test/fuzz/fuzz.ts` draws others, and as many as it is told. */
const SEEDS = [20_261, 20_262];

describe.each(SEEDS)("with seed %i", (seed) => {
  it.each(TARGETS)(
    "$name holds for every input, each in 50 ms",
    { timeout: 120_000 },
    async (target) => {
      expect(await target.attack(RUNS, seed, { ms: 0, input: "" })).toBeNull();
    },
  );
});
