import { costOf, describeCap, findCap, listCosts } from "../../shared/report/costs.ts";
import type { ReportLanguage } from "../../shared/report/reported.ts";
import { describePoints, isSingular, namePoints, say } from "../../shared/report/words.ts";
import { explainAcceptance, withoutAccepted } from "../../shared/report/accepted.ts";
import { type Checked, listGated } from "./checked.ts";
import { groupBy } from "../../shared/group-by.ts";

/** The pages of a run with the worst first: those without a check, then the lowest scores. */
export function sortByScore<T extends Checked>(checked: readonly T[]): T[] {
  const scoreOf = (one: T) => ("check" in one ? one.check.score : -1);
  return checked.toSorted((one, other) => scoreOf(one) - scoreOf(other));
}

const MOST_LINES = 5;

function countPages(count: number, total: number, language: ReportLanguage): string {
  const page = isSingular({ fr: count, en: total }[language], language) ? "page" : "pages";
  return { fr: `sur ${count} ${page} sur ${total}`, en: `on ${count} of ${total} ${page}` }[
    language
  ];
}

const NO_CAP = 100;

/**
 * What costs points on at least half of several pages: what caps the score first, then what costs the most in all.
 * `hdr.csp costs 7 points on 20 of 20 pages: fix it once`.
 */
export function listCommonCosts(checked: readonly Checked[], language: ReportLanguage): string[] {
  const pages = listGated(checked).map((page) => withoutAccepted(page));
  const costs = pages.flatMap((check) =>
    listCosts(check).map((finding) => ({
      id: finding.id,
      cost: costOf(finding),
      limit: findCap(check, finding)?.limit ?? NO_CAP,
    })),
  );
  return [...groupBy(costs, ({ id }) => id)]
    .filter(([, list]) => list.length > 1 && list.length * 2 >= pages.length)
    .map(([id, list]) => ({
      id,
      count: list.length,
      limit: Math.min(...list.map(({ limit }) => limit)),
      least: Math.min(...list.map(({ cost }) => cost)),
      most: Math.max(...list.map(({ cost }) => cost)),
      total: list.reduce((total, { cost }) => total + cost, 0),
    }))
    .toSorted((one, other) => one.limit - other.limit || other.total - one.total)
    .slice(0, MOST_LINES)
    .map(({ id, count, limit, least, most }) => {
      const figures = [...new Set([least, most])].map((each) => describePoints(each, language));
      const points = `${figures.join({ fr: " à ", en: " to " }[language])} ${namePoints(most, language)}`;
      const and = { fr: "et", en: "and" }[language];
      const cap = limit < NO_CAP ? ` ${and} ${describeCap({ limit }, language)}` : "";
      const where = `${points}${cap} ${countPages(count, pages.length, language)}`;
      const said = {
        fr: `${id} coûte ${where} : une seule correction suffit`,
        en: `${id} costs ${where}: fix it once`,
      };
      return say(said, language);
    });
}

/** What is accepted on several pages: a line for each acceptance. */
export function listCommonAccepted(
  checked: readonly Checked[],
  language: ReportLanguage,
): string[] {
  const pages = listGated(checked);
  const accepted = pages.flatMap(({ gate }) => gate.accepted?.findings ?? []);
  const lines = accepted.map((one) => `${one.rule} ${explainAcceptance(one, language)}`);
  return [...groupBy(lines, (line) => line)].map(
    ([line, { length }]) => `${line} (${countPages(length, pages.length, language)})`,
  );
}
