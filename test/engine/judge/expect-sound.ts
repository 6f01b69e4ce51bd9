import { expect } from "vitest";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import type { Finding } from "../../../shared/check.ts";

/** Words of JavaScript's, which are a rule's own fault unless the site said them. */
const SLIP = /undefined|NaN|\[object/;

/** Expects what holds for every finding, whatever was judged: its points, its words, and the same in French. */
export function expectSound(evidence: Evidence, english: Finding, french: Finding): void {
  const { id, status, earned, points, fix } = english;
  expect(english.evidence, id).not.toBe("");
  if (SLIP.test(english.evidence)) expect(JSON.stringify(evidence), id).toMatch(SLIP);
  if (status === "fail") expect(earned, id).toBe(0);
  if (status === "fail" || status === "partial") expect(fix, id).not.toBe("");
  if (status === "pass" || status === "not_applicable") {
    expect(earned, id).toBe(points);
    expect(fix, id).toBe("");
  }
  if (status === "partial") {
    expect(earned, id).toBeGreaterThan(0);
    expect(earned, id).toBeLessThan(points);
  }
  expect(french.title).not.toBe(english.title);
  if (fix !== "") expect(french.fix).not.toBe(fix);
  const unworded = { title: "", evidence: "", fix: "" };
  expect({ ...french, ...unworded }).toEqual({ ...english, ...unworded });
}
