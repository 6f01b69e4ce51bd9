import { describe, expect, test } from "vitest";
import {
  applyLook,
  type Circumstances,
  type WatchState,
} from "../../../server/engine/judge/incident-rules.ts";
import type { LookOutcome } from "../../../server/engine/judge/look-outcome.ts";

const OUTCOMES: Record<string, LookOutcome> = { g: "good", f: "failed", i: "inconclusive" };

const UNKNOWN: WatchState = {
  lastOutcome: null,
  streak: 0,
  failingSince: null,
  failedFrom: [],
  failsFrom: null,
  lookFrom: null,
  notFrom: null,
};
const NOWHERE = { location: null, locations: [], oneLocation: false, failures: 2 };

/** Plays looks (g good, f failed, i inconclusive; in capitals under maintenance), one a minute, and writes down what followed each. */
function play(looks: string, failures = 2) {
  let state = UNKNOWN;
  let isOpen = false;
  let since: string | null = null;
  const incidents: string[] = [];
  const soon: string[] = [];
  for (const [minute, letter] of looks.split("").entries()) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    const decision = applyLook(
      state,
      { outcome: OUTCOMES[letter.toLowerCase()] ?? "good", at },
      {
        ...NOWHERE,
        hasOpenIncident: isOpen,
        failures,
        isInMaintenance: letter !== letter.toLowerCase(),
      },
    );
    state = decision.state;
    if (decision.incident === "open") since = state.failingSince;
    if (decision.incident !== "none") isOpen = decision.incident === "open";
    incidents.push({ open: "O", close: "C", none: "-" }[decision.incident]);
    soon.push(decision.lookAgainSoon ? "!" : "-");
  }
  return [incidents.join(""), soon.join(""), since?.slice(14, 16) ?? null];
}

describe("two failed probes in a row open an incident, two good ones close it", () => {
  test.each<[looks: string, incidents: string, soon: string, sinceMinute: string | null]>([
    ["g", "-", "-", null],
    ["gggg", "----", "----", null],
    ["f", "-", "!", null],
    ["ff", "-O", "!-", "00"],
    ["gf", "--", "-!", null],
    ["gff", "--O", "-!-", "01"],
    ["gfgf", "----", "-!!!", null],
    ["gfgff", "----O", "-!!!-", "03"],
    ["fffff", "-O---", "!----", "00"],
    ["ffg", "-O-", "!-!", "00"],
    ["ffgg", "-O-C", "!-!-", "00"],
    ["ffgf", "-O--", "!-!!", "00"],
    ["ffgfgg", "-O---C", "!-!!!-", "00"],
    ["ffggff", "-O-C-O", "!-!-!-", "04"],
    ["i", "-", "-", null],
    ["iiii", "----", "----", null],
    ["fif", "--O", "!--", "00"],
    ["ffigig", "-O---C", "!--!--", "00"],
    ["gifif", "----O", "--!--", "02"],
    ["ffiiii", "-O----", "!-----", "00"],
  ])("%s", (looks, ...expected) => {
    expect(play(looks)).toEqual(expected);
  });
});

test.each<[looks: string, failures: number, incidents: string, soon: string, since: string | null]>(
  [
    ["ff", 3, "--", "!!", null],
    ["fff", 3, "--O", "!!-", "00"],
    ["ffgfff", 3, "-----O", "!!!!!-", "03"],
    ["fffff", 5, "----O", "!!!!-", "00"],
    ["fffgg", 3, "--O-C", "!!-!-", "00"],
  ],
)("%s with %i failures to open an incident", (looks, failures, ...expected) => {
  expect(play(looks, failures)).toEqual(expected);
});

describe("during maintenance (capitals) no incident opens", () => {
  test.each<[what: string, looks: string, incidents: string, soon: string, since: string | null]>([
    ["what fails in it and works again", "gFFFGg", "------", "-!--!-", null],
    ["what still fails after it: since the first failed look", "gFFFf", "----O", "-!---", "01"],
    ["one look in it, one after it", "gFf", "--O", "-!-", "01"],
    ["what failed once before it", "gfFf", "---O", "-!--", "01"],
    ["what was open before it stays so", "ffFFf", "-O---", "!----", "00"],
    ["what was open before it closes in it", "ffGG", "-O-C", "!-!-", "00"],
  ])("%s", (_what, looks, ...expected) => {
    expect(play(looks)).toEqual(expected);
  });
});

test("an inconclusive probe changes nothing that is stored", () => {
  const before: WatchState = {
    ...UNKNOWN,
    lastOutcome: "failed",
    streak: 7,
    failingSince: "2026-01-01T00:00:00.000Z",
  };
  const look = { outcome: "inconclusive", at: "2026-02-01T00:00:00.000Z" } as const;
  const circumstances = { ...NOWHERE, hasOpenIncident: true };
  expect(applyLook(before, look, circumstances).state).toEqual(before);
});

/**
 * Plays looks from locations a, b and c. After each: what became of the incident, from where it fails alone, where the next look is
 * made, and ! if that is soon.
 */
function playLocations(looks: string, around: Partial<Circumstances> = {}) {
  let state = UNKNOWN;
  let hasOpenIncident = false;
  let from: readonly string[] = [];
  const told = looks.split(" ").map((look) => {
    const [location = "", letter = "", standing = ""] = look.split("");
    const decision = applyLook(
      state,
      { outcome: OUTCOMES[letter] ?? "good", at: "2026-01-01T00:00:00.000Z" },
      {
        ...NOWHERE,
        hasOpenIncident,
        location,
        locations: standing === "*" ? [location] : ["a", "b", "c"],
        ...around,
      },
    );
    state = decision.state;
    if (decision.incident === "open") from = state.failedFrom;
    if (decision.incident !== "none") hasOpenIncident = decision.incident === "open";
    const incident = { open: "O", close: "C", none: "-" }[decision.incident];
    return `${incident}${state.failsFrom ?? "-"}${state.notFrom === null ? (state.lookFrom ?? "-") : `!${state.notFrom}`}${decision.lookAgainSoon ? " soon" : ""}`;
  });
  return [told.join(", "), from.join("")];
}

describe("with locations on one database, another one confirms; * is alone", () => {
  test.each<[looks: string, told: string, from: string]>([
    ["ag bg", "---, ---", ""],
    ["ag bf", "---, --!b soon", ""],
    ["af bf", "--!a soon, O--", "ab"],
    ["bf af", "--!b soon, O--", "ab"],
    ["af bf ag bg", "--!a soon, O--, --!a soon, C--", "ab"],
    ["af bf ag bf", "--!a soon, O--, --!a soon, --- soon", "ab"],
    // Due for a minute, the look is made by the location that should not.
    ["af af", "--!a soon, O--", "a"],
    ["af bf ag ag", "--!a soon, O--, --!a soon, C--", "ab"],
    // The other location is gone.
    ["af* af*", "--- soon, O--", "a"],
    ["af bf* bg* bg*", "--!a soon, O--, --- soon, C--", "ab"],
    // It fails from one location alone, which looks next; its failure is shown to another each time.
    ["af bg", "--!a soon, -aa", ""],
    ["af bg af bg", "--!a soon, -aa, -a!a soon, -aa", ""],
    ["af bg ag", "--!a soon, -aa, ---", ""],
    ["af bg af bf", "--!a soon, -aa, -a!a soon, O--", "ab"],
    ["af bg af cf bg", "--!a soon, -aa, -a!a soon, O--, --!b soon", "ac"],
    ["af bg bg*", "--!a soon, -aa, ---", ""],
    // A location that cannot tell leaves it to the one that saw it.
    ["af bi af", "--!a soon, --a soon, O--", "a"],
    ["af bi ag", "--!a soon, --a soon, --- soon", ""],
    ["ag bi", "---, ---", ""],
  ])("%s", (looks, ...expected) => {
    expect(playLocations(looks)).toEqual(expected);
  });
});

describe("with the setting for failures from one location, that location confirms and closes", () => {
  test.each<[looks: string, told: string, from: string]>([
    ["af bf", "--!a soon, O--", "ab"],
    ["af bg af", "--!a soon, -aa soon, Oaa", "a"],
    ["af bg ag", "--!a soon, -aa soon, --- soon", ""],
    ["af bg af ag ag", "--!a soon, -aa soon, Oaa, -aa soon, C--", "a"],
    ["af bg af ag af", "--!a soon, -aa soon, Oaa, -aa soon, -aa soon", "a"],
    // It is gone: another closes.
    ["af bg af bg* bg*", "--!a soon, -aa soon, Oaa, --- soon, C--", "a"],
  ])("%s", (looks, ...expected) => {
    expect(playLocations(looks, { oneLocation: true })).toEqual(expected);
  });
});

test("a server without a location decides nothing while others have one", () => {
  const around = { ...NOWHERE, hasOpenIncident: false, locations: ["a", "b"] };
  const look = { outcome: "failed", at: "2026-01-01T00:00:00.000Z" } as const;
  const first = applyLook(UNKNOWN, look, around);
  const second = applyLook(first.state, look, { ...around, location: "a" });
  const third = applyLook(second.state, look, { ...around, location: "b" });
  expect([first, second, third].map(({ incident }) => incident)).toEqual(["none", "none", "open"]);
  expect(third.state.failedFrom).toEqual(["a", "b"]);
});
