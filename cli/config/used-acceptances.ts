import {
  type Acceptance,
  isAbout,
  isEnding,
  isExpired,
  listAccepted,
} from "../../shared/acceptance.ts";
import { isUrl } from "../../shared/url.ts";
import { type AnsweredCheck, type Checked, listGated, type Subject } from "../check/checked.ts";

export type UsedAcceptances = ReturnType<typeof trackAcceptances>;

/** The path and the query under which a page is reported. */
function pathOf({ as }: Subject): string {
  if (!isUrl(as)) return "/";
  const { pathname, search } = new URL(as);
  return pathname + search;
}

const name = ({ rule, pages, reason }: Acceptance): string =>
  `the acceptance of ${rule}${pages ? ` on ${pages.join(", ")}` : ""} (${reason})`;

function warn(acceptance: Acceptance, now: Date): string[] {
  if (isExpired(acceptance, now))
    return [`${name(acceptance)} ended after ${acceptance.until}: the finding counts again.`];
  return isEnding(acceptance, now) ? [`${name(acceptance)} ends after ${acceptance.until}.`] : [];
}

/** @param isSite true where the pages are the file's own, all of them */
export function trackAcceptances(acceptances: readonly Acceptance[], now: Date, isSite: boolean) {
  const accept = (page: AnsweredCheck) =>
    listAccepted(acceptances, pathOf(page), page.check.findings, now);
  const isExpiredNow = (one: Acceptance) => isExpired(one, now);
  const sorted = acceptances.toSorted((a, b) => Number(isExpiredNow(b)) - Number(isExpiredNow(a)));
  return {
    /** What a run begins by saying: which acceptances hold no more, and which end soon. */
    warnings: sorted.flatMap((one) => warn(one, now)),
    /** The acceptances that hold for findings of a page. */
    accept,
    /** What a run ends by saying: which acceptances met nothing, where every page could tell. */
    listIdle(checked: readonly Checked[]) {
      const answered = listGated(checked);
      if (answered.length < checked.length) return [];
      const met = new Set(answered.flatMap(accept));
      return acceptances
        .filter((one) => !isExpiredNow(one) && !met.has(one))
        .filter((one) => isSite || answered.some((page) => isAbout(one, pathOf(page))))
        .map((one) => `${name(one)} met no finding; remove it if it is no longer needed.`);
    },
  };
}
