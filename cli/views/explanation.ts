import type { ReportedFinding } from "../../shared/report/reported.ts";
import { docsOf } from "../check/addresses.ts";
import { describeEarned } from "../../shared/report/costs.ts";
import { describeObstacles, type Obstacle } from "../../shared/report/obstacles.ts";
import { describeStatus, labelText, say, WORDS } from "../../shared/report/words.ts";
import { joinBlocks, link, wrap } from "../terminal/layout.ts";
import { formatAdvice } from "./advice.ts";
import type { PageScreen } from "./check-head.ts";

export interface Explained {
  readonly finding: ReportedFinding;
  readonly obstacle: Obstacle | undefined;
}

/** One finding in full, with the address of its documentation. Where it was not judged, the reason and its fix. */
export function formatExplanation({ finding, obstacle }: Explained, page: PageScreen): string {
  const { id, status, title } = finding;
  const { chalk, columns, docsBase, language } = page;
  const standing = obstacle
    ? labelText(
        say(WORDS.uncheckedOne, language),
        describeObstacles([obstacle], language),
        language,
      )
    : `${describeStatus(status, language)}, ${describeEarned(finding, language)}`;
  const docsUrl = docsOf(finding, docsBase);
  return joinBlocks([
    wrap(labelText(id, title, language), columns).map((line) => chalk.bold(line)),
    wrap(standing, columns),
    formatAdvice(obstacle?.root ?? finding, page, ""),
    [`${chalk.dim("Docs")}  ${link(docsUrl, docsUrl, page)}`],
  ]);
}
