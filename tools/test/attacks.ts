/*
 * `npx tsx tools/test/attacks.ts`: looks anew for attacks on each regular expression of the probe and the rules, and keeps what it finds
 * beside what was found before, since two searches do not always find the same.
 */
import { isDeepStrictEqual } from "node:util";
import { keyOf, readAttacks, writeAttacks } from "../../test/linear/kept-attacks.ts";
import { type Attack, searchAttack } from "../../test/linear/search.ts";
import { readExpressions } from "../../test/linear/source.ts";

const kept = readAttacks().attacks;
const attacks = new Map<string, readonly Attack[]>();
for (const expression of await readExpressions()) {
  const key = keyOf(expression);
  const before = kept[key] ?? [];
  const found = await searchAttack(expression);
  const isNew = found !== null && !before.some((attack) => isDeepStrictEqual(attack, found));
  attacks.set(key, isNew ? [...before, found] : before);
}
writeAttacks(attacks);
