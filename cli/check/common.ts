import { costOf, listCosts } from "../../shared/report/costs.ts";
import type { ReportLanguage } from "../../shared/report/reported.ts";
import { describePoints, isSingular, say } from "../../shared/report/words.ts";
import { explainAcceptance, withoutAccepted } from "./accepted.ts";
import type { Checked, GatedCheck } from "./checked.ts";

/** The pages of a run with the worst first: those without a check, then the lowest scores. */
export function sortByScore<T extends Checked>(checked: readonly T[]): T[] {
  const scoreOf = (one: T) => ("check" in one ? one.check.score : -1);
  return checked.toSorted((one, other) => scoreOf(one) - scoreOf(other));
}

const MOST_LINES = 5;

const isGated = (one: Checked): one is GatedCheck => "check" in one;

function countPages(count: number, total: number, language: ReportLanguage): string {
  const page = isSingular(total, language) ? "page" : "pages";
  return { fr: `sur ${count} ${page} sur ${total}`, en: `on ${count} of ${total} ${page}` }[
    language
  ];
}

/** Lists of items by a key of theirs, in the order in which the keys come. */
function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** What costs points on at least half of several pages, the most in all first: `hdr.csp costs 7 points on 20 of 20 pages`. */
export function listCommonCosts(checked: readonly Checked[], language: ReportLanguage): string[] {
  const pages = checked.filter(isGated);
  const costs = pages.flatMap((page) => listCosts(withoutAccepted(page)));
  const sum = (list: typeof costs) => list.reduce((total, one) => total + costOf(one), 0);
  return [...groupBy(costs, ({ id }) => id)]
    .filter(([, list]) => list.length > 1 && list.length * 2 >= pages.length)
    .toSorted(([, one], [, other]) => sum(other) - sum(one))
    .slice(0, MOST_LINES)
    .map(([id, list]) => {
      const points = list.map(costOf);
      const [least, most] = [Math.min(...points), Math.max(...points)];
      const from = least === most ? "" : describePoints(least, language);
      const cost = {
        fr: `${from && `${from} à `}${describePoints(most, "fr")} point${isSingular(most, "fr") ? "" : "s"}`,
        en: `${from && `${from} to `}${describePoints(most)} point${isSingular(most, "en") ? "" : "s"}`,
      }[language];
      const where = countPages(list.length, pages.length, language);
      const said = {
        fr: `${id} coûte ${cost} ${where} : une seule correction suffit`,
        en: `${id} costs ${cost} ${where}: fix it once`,
      };
      return say(said, language);
    });
}

/** What is accepted on several pages: a line for each acceptance. */
export function listCommonAccepted(
  checked: readonly Checked[],
  language: ReportLanguage,
): string[] {
  const pages = checked.filter(isGated);
  const accepted = pages.flatMap(({ gate }) => gate.accepted?.findings ?? []);
  const lines = accepted.map((one) => `${one.rule} ${explainAcceptance(one, language)}`);
  return [...groupBy(lines, (line) => line)].map(
    ([line, { length }]) => `${line} (${countPages(length, pages.length, language)})`,
  );
}
