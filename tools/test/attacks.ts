/*
 * `npx tsx tools/test/attacks.ts` looks for an attack on each regular expression of the probe and the rules that has no entry yet.
 * With `again` it looks anew for one on each, which takes long, and keeps what was found before: two searches do not always find the same.
 */
import { isDeepStrictEqual } from "node:util";
import { keyOf, readAttacks, writeAttacks } from "../../test/linear/kept-attacks.ts";
import { type Attack, searchAttack } from "../../test/linear/search.ts";
import { readExpressions } from "../../test/linear/source.ts";

const isAgain = process.argv[2] === "again";
const kept = readAttacks().attacks;
const attacks = new Map<string, readonly Attack[]>();
for (const expression of await readExpressions()) {
  const key = keyOf(expression);
  const before = kept[key];
  const found = before && !isAgain ? null : await searchAttack(expression);
  const isNew = found !== null && !before?.some((attack) => isDeepStrictEqual(attack, found));
  attacks.set(key, [...(before ?? []), ...(isNew ? [found] : [])]);
}
writeAttacks(attacks);
