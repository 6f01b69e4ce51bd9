import { listChanges } from "../../shared/report/changes.ts";
import { listAcceptedLines, withoutAccepted } from "../../shared/report/accepted.ts";
import type { GatedCheck } from "../check/checked.ts";
import { describeCondition } from "../../shared/report/gate-words.ts";
import {
  costOf,
  describeCap,
  describeFinding,
  findCap,
  listCaps,
  listCosts,
} from "../../shared/report/costs.ts";
import { describeObstacle, isUnjudged, listObstacles } from "../../shared/report/obstacles.ts";
import type { ReportLanguage } from "../../shared/report/reported.ts";
import { describePoints, labelText } from "../../shared/report/words.ts";

const MAX_COSTS = 5;

/** What makes a score low: a line for each cap, lowest first, then for each of the largest other costs. */
function listReasons(checked: GatedCheck, language: ReportLanguage): string[] {
  const check = withoutAccepted(checked);
  const costs = listCosts(check).filter((finding) => !findCap(check, finding));
  return [
    ...listCaps(check).map((cap) =>
      labelText(`${cap.findingId} ${describeCap(cap, language)}`, cap.reason, language),
    ),
    ...costs.slice(0, MAX_COSTS).map((finding) => {
      const cost = describePoints(costOf(finding), language);
      return labelText(`+${cost} ${finding.id}`, finding.title, language);
    }),
  ];
}

/**
 * What stderr says of a page: `notes` tell why it could not be judged, what to do first, and what changed; `reasons`, what
 * makes the score low where the gate is not met. Lines of a list begin with what they list, others with the command's name.
 * @param subject what a line begins with where there are several pages
 */
export function listGateNotes(checked: GatedCheck, language: ReportLanguage, subject = "") {
  const { check, gate } = checked;
  const isOpen = check.verdict === "inconclusive";
  const obstacles = listObstacles(check).filter(({ root }) => isOpen || !isUnjudged(root));
  const list = (text: string) => subject + text;
  const tell = (text: string) => `shipscore: ${subject}${text}`;
  return {
    notes: [
      ...obstacles.map((one) =>
        tell(`${describeObstacle(one, language)}. ${describeFinding(one.root)}`),
      ),
      ...listChanges(checked, language).map(({ kind, text }) =>
        (kind === "note" ? tell : list)(text),
      ),
      ...listAcceptedLines(checked, language).map(tell),
    ],
    conditions: gate.conditions.map((one) => tell(`${describeCondition(one, language)}.`)),
    reasons: gate.result === "met" ? [] : listReasons(checked, language).map(list),
  };
}
