import { describe, expect, test } from "vitest";
import { judge } from "../../../server/engine/judge/score.ts";
import { ONE_IN } from "../../harness/thorough.ts";
import { FILE_CASES } from "./cases/files.ts";
import { HEADER_CASES, HTML_CASES } from "./cases/page.ts";
import { REACH_CASES, REDIRECT_CASES } from "./cases/reach.ts";
import { SHARED_COOKIE_CASES } from "./cases/shared-cookies.ts";
import { expectOutcomes } from "./expect-outcomes.ts";
import { type SiteEdit, visitSite } from "./good-site.ts";
import type { ServedCase } from "./served-case.ts";

const CASES: readonly ServedCase[] = [
  ["the good site", {}, {}],
  ...REACH_CASES,
  ...REDIRECT_CASES,
  ...HEADER_CASES,
  ...HTML_CASES,
  ...FILE_CASES,
  ...SHARED_COOKIE_CASES,
];

describe("a site over https", () => {
  test.each(CASES)("%s", async (_why, edit, differs) => {
    expectOutcomes(await visitSite(edit), differs);
  });
});

describe("masking changes no status of", () => {
  const judgeSite = async (edit: SiteEdit) =>
    judge(await visitSite(edit)).rows.map(
      ({ row, judgement: { status } }) => `${row.id} ${status}`,
    );

  test.each(CASES.filter((_, index) => index % ONE_IN === 0))("%s", async (_why, edit) => {
    expect(await judgeSite(edit)).toEqual(await judgeSite({ ...edit, isUnmasked: true }));
  });
});
