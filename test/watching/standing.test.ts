import { describe, expect, test } from "vitest";
import { createStanding, failsMost } from "../../server/watching/standing.ts";

test.each<[good: number, failing: number, isSetAside: boolean]>([
  [0, 3, false],
  [0, 4, true],
  [1, 3, true],
  [2, 2, false],
  [2, 3, true],
  [10, 10, false],
  [10, 11, true],
])(
  "with %i URLs good here and %i that fail here alone, it is set aside: %s",
  (good, failing, is) => {
    expect(failsMost(good, failing)).toBe(is);
  },
);

/** A place whose clock stands until it is turned, and what it told its operator. */
function stand(place: string | null = "paris") {
  const told: string[] = [];
  let now = 0;
  let gauge = 0;
  const note = (_: object, line: string) => void told.push(line);
  const log = { info: note, warn: note };
  const standing = createStanding(place, { log, gauge: { set: (to) => (gauge = to) } }, () => now);
  return {
    standing,
    told,
    gauge: () => gauge,
    turn: (ms: number) => (now += ms),
    /** Notes a look at each of these URLs. */
    look: (numbers: readonly number[], outcome: "good" | "failed") =>
      numbers.forEach((number) => standing.note(number, { outcome, isOwnFault: false })),
  };
}

describe("a place is not set aside", () => {
  test("while no other stands", () => {
    const { standing, look, told } = stand();
    look([1, 2, 3, 4], "failed");
    standing.meet([], 4);
    standing.meet(["paris"], 4);
    standing.withhold(true);
    expect([standing.isSetAside, standing.places, told]).toEqual([false, ["paris"], []]);
  });

  test("for what fails everywhere, which is not among what is good elsewhere", () => {
    const { standing, look } = stand();
    look([1, 2, 3, 4], "failed");
    expect(standing.failed()).toEqual([1, 2, 3, 4]);
    standing.meet(["virginia"], 0);
    expect([standing.isSetAside, standing.places]).toEqual([false, ["paris", "virginia"]]);
  });

  test("without a name", () => {
    const { standing, look } = stand(null);
    look([1, 2, 3, 4], "failed");
    standing.meet(["virginia"], 4);
    standing.withhold(true);
    expect([standing.isSetAside, standing.places, standing.failed()]).toEqual([
      false,
      ["virginia"],
      [],
    ]);
  });

  test("for URLs of long ago, or of one customer among many", () => {
    const { standing, look, turn } = stand();
    look([1, 2, 3, 4, 5], "failed");
    for (let second = 0; second < 130; second++) {
      turn(1000);
      look([100 + second], "good");
    }
    expect(standing.failed()).toEqual([]);
    standing.meet(["virginia"], 0);
    look([1, 2, 3, 4, 5], "failed");
    standing.meet(["virginia"], 5);
    expect(standing.isSetAside).toBe(false);
  });
});

describe("a place is set aside, and its operator told", () => {
  test("when over half of its URLs fail that are good elsewhere; two good trials in a row end it", () => {
    const { standing, look, told, gauge } = stand();
    look([1, 2, 3, 4, 5], "good");
    look([1, 2, 3], "failed");
    standing.meet(["virginia"], 3);
    expect([standing.isSetAside, standing.places, gauge()]).toEqual([true, ["virginia"], 1]);
    for (const outcome of ["good", "failed", "good", undefined, "good"] as const)
      standing.endTrial(outcome);
    expect(standing.isSetAside).toBe(true);
    standing.endTrial("good");
    expect([standing.isSetAside, standing.places, gauge()]).toEqual([
      false,
      ["paris", "virginia"],
      0,
    ]);
    expect(told).toEqual([
      "this place is set aside: 3 of 5 URLs fail from here alone",
      "this place judges again: what it tried is good",
    ]);
  });

  test("when it cannot look, which says nothing about a site", () => {
    const { standing, look } = stand();
    look([1, 2, 3], "good");
    for (const number of [2, 3, 4, 5])
      standing.note(number, { outcome: "inconclusive", isOwnFault: true });
    standing.note(6, { outcome: "inconclusive", isOwnFault: false });
    expect(standing.failed()).toEqual([]);
    standing.meet(["virginia"], 0);
    expect(standing.isSetAside).toBe(true);
  });

  test("when it withholds judgement, for as long as that lasts at least", () => {
    const { standing, told } = stand();
    standing.meet(["virginia"], 0);
    standing.withhold(true);
    expect(standing.isSetAside).toBe(true);
    for (let trial = 0; trial < 5; trial++) standing.endTrial("good");
    expect(standing.isSetAside).toBe(true);
    standing.withhold(false);
    standing.endTrial("good");
    expect(standing.isSetAside).toBe(false);
    expect(told[0]).toBe("this place is set aside: it withholds judgement");
  });

  test("until no other stands", () => {
    const { standing, told } = stand();
    standing.meet(["virginia"], 0);
    standing.withhold(true);
    standing.meet([], 0);
    expect([standing.isSetAside, standing.places]).toEqual([false, ["paris"]]);
    expect(told.at(-1)).toBe("this place judges again: no other place does");
  });
});
