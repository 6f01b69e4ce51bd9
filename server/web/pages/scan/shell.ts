import { SHIP_SCORE } from "../../../../shared/verdict.ts";
import { quoteForShell } from "../../../base/syntax/shell-word.ts";

/** The command that makes the same check without a server. */
export function commandFor(url: string): string {
  return `shipscore-server exec -- shipscore check ${quoteForShell(url)} --min-score ${SHIP_SCORE}`;
}
