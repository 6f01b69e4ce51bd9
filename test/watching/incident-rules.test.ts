import { describe, expect, test } from "vitest";
import { decideLook, type WatchState } from "../../server/watching/incident-rules.ts";
import type { LookOutcome } from "../../server/engine/judge/look.ts";

const OUTCOMES: Record<string, LookOutcome> = { g: "good", f: "failed", i: "inconclusive" };

/** Plays looks (g good, f failed, i inconclusive), one a minute, and writes down what followed each. */
function play(looks: string) {
  let state: WatchState = { lastOutcome: null, streak: 0, failingSince: null };
  let isOpen = false;
  let since: string | null = null;
  const incidents: string[] = [];
  const soon: string[] = [];
  for (const [minute, letter] of looks.split("").entries()) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    const decision = decideLook(state, { outcome: OUTCOMES[letter] ?? "good", at }, isOpen);
    state = decision.state;
    if (decision.incident === "open") since = state.failingSince;
    if (decision.incident !== "none") isOpen = decision.incident === "open";
    incidents.push({ open: "O", close: "C", none: "-" }[decision.incident]);
    soon.push(decision.lookAgainSoon ? "!" : "-");
  }
  return [incidents.join(""), soon.join(""), since?.slice(14, 16) ?? null];
}

describe("two failed looks in a row open an incident, two good ones close it", () => {
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

test("an inconclusive look changes nothing of what is remembered", () => {
  const before: WatchState = {
    lastOutcome: "failed",
    streak: 7,
    failingSince: "2026-01-01T00:00:00.000Z",
  };
  expect(
    decideLook(before, { outcome: "inconclusive", at: "2026-02-01T00:00:00.000Z" }, true).state,
  ).toEqual(before);
});
