import { docsOf } from "../check/addresses.ts";
import type { ReceivedFinding } from "../client/received.ts";
import { describeEarned } from "../../shared/report/costs.ts";
import { describeObstacles, type Obstacle } from "../../shared/report/obstacles.ts";
import { describeStatus, labelText, say, WORDS } from "../../shared/report/words.ts";
import type { Screen } from "../terminal/io.ts";
import { link, wrap } from "../terminal/layout.ts";
import { formatAdvice } from "./advice.ts";
import type { Reader } from "./check-head.ts";

export interface Explained {
  readonly finding: ReceivedFinding;
  readonly obstacle: Obstacle | undefined;
}

/** One finding in full, with the address of its documentation. Where it was not judged, the reason and its fix. */
export function formatExplanation(
  { finding, obstacle }: Explained,
  reader: Reader,
  screen: Screen,
): string {
  const { id, status, title } = finding;
  const { chalk, columns } = screen;
  const { docsBase, language } = reader;
  const standing = obstacle
    ? labelText(
        say(WORDS.uncheckedOne, language),
        describeObstacles([obstacle], language),
        language,
      )
    : `${describeStatus(status, language)}, ${describeEarned(finding, language)}`;
  const docsUrl = docsOf(finding, docsBase);
  const sections = [
    wrap(labelText(id, title, language), columns).map((line) => chalk.bold(line)),
    wrap(standing, columns),
    formatAdvice(obstacle?.root ?? finding, reader, screen, ""),
    [`${chalk.dim("Docs")}  ${link(docsUrl, docsUrl, screen)}`],
  ];
  const blocks = sections.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${blocks.join("\n\n")}\n`;
}
