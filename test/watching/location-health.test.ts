import { describe, expect, test } from "vitest";
import { createLocationHealth, failsMost } from "../../server/watching/location-health.ts";

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

/** A location with a clock that the test moves, and what it logged. */
function stand(location: string | null = "paris") {
  const told: string[] = [];
  let now = 0;
  let gauge = 0;
  const note = (_: object, line: string) => void told.push(line);
  const log = { info: note, warn: note };
  const health = createLocationHealth(
    location,
    { log, gauge: { set: (to) => (gauge = to) } },
    () => now,
  );
  return {
    health,
    told,
    gauge: () => gauge,
    turn: (ms: number) => (now += ms),
    /** Notes a look at each of these URLs. */
    look: (numbers: readonly number[], outcome: "good" | "failed") =>
      numbers.forEach((number) => health.record(number, { outcome, isOwnFault: false })),
  };
}

describe("a location is not set aside", () => {
  test("while no other location judges", () => {
    const { health, look, told } = stand();
    look([1, 2, 3, 4], "failed");
    health.updateOthers([], 4);
    health.updateOthers(["paris"], 4);
    health.setWithheld(true);
    expect([health.isSetAside, health.locations, told]).toEqual([false, ["paris"], []]);
  });

  test("for URLs that fail everywhere", () => {
    const { health, look } = stand();
    look([1, 2, 3, 4], "failed");
    expect(health.listFailed()).toEqual([1, 2, 3, 4]);
    health.updateOthers(["virginia"], 0);
    expect([health.isSetAside, health.locations]).toEqual([false, ["paris", "virginia"]]);
  });

  test("without a name", () => {
    const { health, look } = stand(null);
    look([1, 2, 3, 4], "failed");
    health.updateOthers(["virginia"], 4);
    health.setWithheld(true);
    expect([health.isSetAside, health.locations, health.listFailed()]).toEqual([
      false,
      ["virginia"],
      [],
    ]);
  });

  test("for old results, or for one customer's URLs among many", () => {
    const { health, look, turn } = stand();
    look([1, 2, 3, 4, 5], "failed");
    for (let second = 0; second < 130; second++) {
      turn(1000);
      look([100 + second], "good");
    }
    expect(health.listFailed()).toEqual([]);
    health.updateOthers(["virginia"], 0);
    look([1, 2, 3, 4, 5], "failed");
    health.updateOthers(["virginia"], 5);
    expect(health.isSetAside).toBe(false);
  });
});

describe("a location is set aside, and the log says so", () => {
  test("when over half of its URLs fail that are good elsewhere; two good trials in a row end it", () => {
    const { health, look, told, gauge } = stand();
    look([1, 2, 3, 4, 5], "good");
    look([1, 2, 3], "failed");
    health.updateOthers(["virginia"], 3);
    expect([health.isSetAside, health.locations, gauge()]).toEqual([true, ["virginia"], 1]);
    for (const outcome of ["good", "failed", "good", undefined, "good"] as const)
      health.endTrial(outcome);
    expect(health.isSetAside).toBe(true);
    health.endTrial("good");
    expect([health.isSetAside, health.locations, gauge()]).toEqual([
      false,
      ["paris", "virginia"],
      0,
    ]);
    expect(told).toEqual([
      "this location is set aside: 3 of 5 URLs fail from here alone",
      "this location judges again: what it tried is good",
    ]);
  });

  test("when its own faults prevent its probes", () => {
    const { health, look } = stand();
    look([1, 2, 3], "good");
    for (const number of [2, 3, 4, 5])
      health.record(number, { outcome: "inconclusive", isOwnFault: true });
    health.record(6, { outcome: "inconclusive", isOwnFault: false });
    expect(health.listFailed()).toEqual([]);
    health.updateOthers(["virginia"], 0);
    expect(health.isSetAside).toBe(true);
  });

  test("at least while it withholds judgement", () => {
    const { health, told } = stand();
    health.updateOthers(["virginia"], 0);
    health.setWithheld(true);
    expect(health.isSetAside).toBe(true);
    for (let trial = 0; trial < 5; trial++) health.endTrial("good");
    expect(health.isSetAside).toBe(true);
    health.setWithheld(false);
    health.endTrial("good");
    expect(health.isSetAside).toBe(false);
    expect(told[0]).toBe("this location is set aside: it withholds judgement");
  });

  test("until no other location judges", () => {
    const { health, told } = stand();
    health.updateOthers(["virginia"], 0);
    health.setWithheld(true);
    health.updateOthers([], 0);
    expect([health.isSetAside, health.locations]).toEqual([false, ["paris"]]);
    expect(told.at(-1)).toBe("this location judges again: no other location does");
  });
});
