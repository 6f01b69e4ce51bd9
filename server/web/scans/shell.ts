import { SHIP_SCORE } from "../../../shared/verdict.ts";

const PLAIN = /^[\w:/.,@%+=-]+$/;

/** A word as a shell reads it: in single quotes where it needs them. */
function quote(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The command that makes the same check without a server. */
export function commandFor(url: string): string {
  return `npx --yes shipscore-server exec -- shipscore check ${quote(url)} --min-score ${SHIP_SCORE}`;
}
