import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { unpackEvidence } from "../../../server/engine/evidence/packed-evidence.ts";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { judge, scoreOf, type Judged } from "../../../server/engine/judge/score.ts";
import { listCircumstances } from "../../../shared/report/circumstances.ts";
import { listCosts } from "../../../shared/report/costs.ts";
import { describeFixFirst, findFixFirst } from "../../../shared/report/fix-first.ts";
import { CHECK } from "../../harness/contract-double.ts";
import { lastHop } from "./cases/page-edits.ts";
import { evidenceWith, setHeader } from "./evidence-fixtures.ts";
import type { Edit } from "./cases/rule-case.ts";

const STORED = new URL("../sites/stored/", import.meta.url);

/** The score as the server gives it where the rules with these ids pass. */
function scoreWhere(judged: Judged, ids: ReadonlySet<string>) {
  const rows = judged.rows.map((one) =>
    ids.has(one.row.id)
      ? { ...one, judgement: { ...one.judgement, status: "pass" as const }, earned: one.row.points }
      : one,
  );
  return scoreOf({ ...judged, rows }, "en").scoreRange;
}

function read(evidence: Evidence) {
  const judged = judge(evidence);
  return { judged, check: { ...CHECK, ...scoreOf(judged, "en") } };
}

const without =
  (...names: string[]): Edit =>
  (evidence) =>
    names.forEach((name) => setHeader(evidence, name));
const both =
  (...edits: Edit[]): Edit =>
  (evidence) =>
    edits.forEach((edit) => edit(evidence));

const HEADERS = ["strict-transport-security", "content-security-policy", "x-content-type-options"];
const UNKNOWN: Edit = (evidence) => {
  evidence.legacyTls = { outcome: "unknown", protocol: null, code: "ETIMEDOUT" };
};
const FIRST_HEADER = without("x-content-type-options");
const BROKEN: Edit = ({ assets, plainHttp }) => {
  for (const asset of assets) asset.status = 404;
  const [first] = plainHttp?.hops ?? [];
  if (plainHttp && first) plainHttp.hops = [{ ...first, status: 200, headers: [] }];
};

test.each<[string, Edit, string | undefined, string[]]>([
  ["a page without a fault", () => {}, undefined, []],
  ["one fault", FIRST_HEADER, "Fix this: 98 to 100", []],
  ["a cap and more than three", without(...HEADERS), "Fix these three: 79 to 98", []],
  [
    "three caps, and more points without them",
    both(BROKEN, without(...HEADERS)),
    "Fix these three: 59 to 88–89",
    ["2 rules (1.5 points) could not be checked"],
  ],
  [
    "what could not be measured",
    both(UNKNOWN, FIRST_HEADER),
    "Fix this: 96–98 to 98–100",
    ["between 96 and 98: 1 rule (3 points) could not be checked"],
  ],
  [
    "a page that is missing",
    lastHop({ status: 404 }),
    "Fix this: 20 to 100 at most, once the rest can be checked",
    ["39 rules (61.5 points) could not be checked"],
  ],
])("%s", (_, edit, said, circumstances) => {
  const { check } = read(evidenceWith(edit));
  const first = findFixFirst(check);
  expect(first && describeFixFirst(check, first, "en")).toBe(said);
  expect(listCircumstances(check, "en")).toEqual(circumstances);
});

test.each(readdirSync(STORED))(
  "%s: no other three findings give more, and the sum is the server's",
  async (file) => {
    const { judged, check } = read((await unpackEvidence(readFileSync(new URL(file, STORED))))!);
    const costs = listCosts(check);
    const first = findFixFirst(check);
    const ids = first?.findings.map(({ id }) => id) ?? [];
    expect(ids.length).toBe(Math.min(3, costs.length));
    if (first === undefined) return;
    expect(first.after).toEqual(scoreWhere(judged, new Set(ids)));
    for (const [i, one] of costs.entries())
      for (const [j, other] of costs.entries())
        for (const third of costs.slice(j + 1)) {
          if (j <= i) continue;
          const { max } = scoreWhere(judged, new Set([one.id, other.id, third.id]));
          expect(max).toBeLessThanOrEqual(first.after.max);
        }
  },
);
