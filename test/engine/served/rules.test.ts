import { describe, expect, it, test } from "vitest";
import { RULESET } from "../../../server/engine/judge/ruleset.ts";
import { judge } from "../../../server/engine/judge/score.ts";
import { chooseCases, ONE_IN } from "../../harness/thorough.ts";
import { ASSET_CASES } from "./cases/assets.ts";
import { COOKIE_CASES } from "./cases/cookies.ts";
import { CREDENTIAL_CASES } from "./cases/credentials.ts";
import { PLACEHOLDER_CASES } from "./cases/placeholders.ts";
import { SHARED_COOKIE_CASES } from "./cases/shared-cookies.ts";
import { THIRD_PARTY_CASES } from "./cases/third-party.ts";
import { HEADER_CASES } from "./cases/headers.ts";
import { HTML_CASES } from "./cases/html.ts";
import { PERFORMANCE_CASES } from "./cases/performance.ts";
import { REACH_CASES } from "./cases/reach.ts";
import { REDIRECT_CASES } from "./cases/redirects.ts";
import { SEARCH_CASES } from "./cases/search.ts";
import { TLS_CASES } from "./cases/tls.ts";
import { expectOutcomes, GOOD } from "./expect-outcomes.ts";
import { type SiteEdit, visitSite } from "./good-site.ts";
import type { ServedCase } from "./served-case.ts";

const CASES: readonly ServedCase[] = [
  ["the good site", {}, {}],
  ...REACH_CASES,
  ...TLS_CASES,
  ...REDIRECT_CASES,
  ...HEADER_CASES,
  ...COOKIE_CASES,
  ...HTML_CASES,
  ...SEARCH_CASES,
  ...ASSET_CASES,
  ...CREDENTIAL_CASES,
  ...PLACEHOLDER_CASES,
  ...SHARED_COOKIE_CASES,
  ...THIRD_PARTY_CASES,
  ...PERFORMANCE_CASES,
];

const outcomesOf = ([, , differs]: ServedCase) =>
  Object.entries({ ...GOOD, ...differs }).map(([id, outcome]) => `${id}: ${outcome}`);
const statusesOf = (one: ServedCase) =>
  outcomesOf(one).map((outcome) => outcome.split(" ", 2).join());

/** The cases with a status of a rule that none before them has, those that change many before those that change few. */
const CHOSEN = chooseCases(
  CASES.toSorted(([, , one], [, , other]) => Object.keys(other).length - Object.keys(one).length),
  statusesOf,
);

describe("a site over https", () => {
  test.each(CHOSEN)("%s", async (_why, edit, differs) => {
    expectOutcomes(await visitSite(edit), differs);
  });
});

describe("masking changes no status of", () => {
  const judgeSite = async (edit: SiteEdit) =>
    judge(await visitSite(edit)).rows.map(
      ({ row, judgement: { status } }) => `${row.id} ${status}`,
    );

  test.each(CHOSEN.filter((_, index) => index % ONE_IN === 0))("%s", async (_why, edit) => {
    expect(await judgeSite(edit)).toEqual(await judgeSite({ ...edit, isUnmasked: true }));
  });
});

describe("the table above", () => {
  it("shows every status and every grade of every row, and with them every cap", () => {
    const shown = new Set(CASES.flatMap(outcomesOf));
    const possible = RULESET.rows.flatMap(({ id, statuses, partial }) => [
      ...statuses.filter((status) => status !== "partial").map((status) => `${id}: ${status}`),
      ...Object.keys(partial).map((grade) => `${id}: partial ${grade}`),
    ]);
    expect([...shown].toSorted()).toEqual(possible.toSorted());
  });
});
