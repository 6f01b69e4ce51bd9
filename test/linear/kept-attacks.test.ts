import { expect, test } from "vitest";
import { keyOf, readAttacks } from "./kept-attacks.ts";
import { readExpressions } from "./source.ts";

test("attacks were looked for on each expression, and on no other: run tools/test/attacks.ts", async () => {
  const keys = new Set((await readExpressions()).map(keyOf));
  expect(Object.keys(readAttacks().attacks).toSorted()).toEqual([...keys].toSorted());
});
