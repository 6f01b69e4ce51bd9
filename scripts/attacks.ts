/* `npm run attacks`: looks anew for an attack on each regular expression of the probe and the rules, and keeps what it finds. */
import { keyOf, writeAttacks } from "../test/linear/kept-attacks.ts";
import { type Attack, searchAttack } from "../test/linear/search.ts";
import { readExpressions } from "../test/linear/source.ts";

const attacks = new Map<string, Attack | null>();
for (const expression of await readExpressions())
  attacks.set(keyOf(expression), await searchAttack(expression));
writeAttacks(attacks);
