import { SHIP_SCORE, WARNINGS_SCORE } from "../../shared/verdict.ts";
import type { Screen } from "../terminal/io.ts";

type Chalk = Screen["chalk"];

/** The colour of a score from 0 to 100, that of the verdict which it alone would give. */
export function scoreStyle(score: number, chalk: Chalk): Chalk {
  if (score >= SHIP_SCORE) return chalk.green;
  return score < WARNINGS_SCORE ? chalk.red : chalk.yellow;
}
