import { expect, test } from "vitest";
import {
  findPasswordFault,
  hashPassword,
  isHashOutdated,
  verifyPassword,
} from "../../server/access/passwords.ts";

const GOOD = "le cheval de Troie";
const DECOMPOSED = "e\u0301".repeat(12);

test.each([
  ["nothing", "", "password_too_short"],
  ["11 characters", "x7#kP2!mQ9v", "password_too_short"],
  ["11 characters that are 22 units", "😀".repeat(11), "password_too_short"],
  ["11 accents that are 22 code points as typed", "e\u0301".repeat(11), "password_too_short"],
  ["257 characters", "x7#kP2!mQ9v".repeat(24).slice(0, 257), "password_too_long"],
  ["a form's worth of characters", "x".repeat(60_000), "password_too_long"],
  ["accents without end", `e${"\u0301".repeat(50_000)}`, "password_too_long"],
  ["one that many use", "qwerty123456", "password_common"],
  ["one that many use, in capitals", "QWERTY123456", "password_common"],
  ["little but the name of what it opens", "ShipScore2026!", "password_common"],
])("a password is rejected: %s", async (_what, text, fault) => {
  expect(await findPasswordFault(text)).toBe(fault);
  await expect(hashPassword(text)).rejects.toMatchObject({
    code: "password_refused",
    parameters: { fault },
  });
});

test.each([
  ["12 characters", "x7#kP2!mQ9vb"],
  ["a sentence", GOOD],
  ["a sentence with the name of what it opens", "shipscore sees what others miss"],
  ["one letter twelve times, since nothing says of what it is made", "bbbbbbbbbbbb"],
  ["a common word within others", "my sunshine in 2025"],
  ["digits alone", "839201748305"],
  ["256 characters of two units each", "😀".repeat(256)],
  ["12 accents", DECOMPOSED],
  ["spaces at the ends", "  entre deux eaux  "],
])("a password is accepted: %s", async (_what, text) => {
  expect(await findPasswordFault(text)).toBeUndefined();
});

test("a password is stored as argon2id with its own salt, and matches in any Unicode composition", async () => {
  const [first, second] = [await hashPassword(DECOMPOSED), await hashPassword(DECOMPOSED)];
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(second).not.toBe(first);
  const isRight = (text: string) => verifyPassword(first, text);
  for (const wrong of ["", DECOMPOSED.normalize("NFC").toUpperCase(), ` ${DECOMPOSED}`])
    expect(await isRight(wrong)).toBe(false);
  expect(await isRight(DECOMPOSED)).toBe(true);
  expect(await isRight(DECOMPOSED.normalize("NFC"))).toBe(true);
});

test("no password matches a missing hash", async () => {
  for (const text of ["", GOOD]) expect(await verifyPassword(null, text)).toBe(false);
});

test("only a cheaper hash is outdated", async () => {
  const hash = await hashPassword(GOOD);
  expect(isHashOutdated(hash)).toBe(false);
  expect(isHashOutdated(hash.replace("m=19456", "m=46080"))).toBe(false);
  expect(isHashOutdated(hash.replace("t=2", "t=1"))).toBe(true);
  expect(isHashOutdated(hash.replace("m=19456", "m=12288"))).toBe(true);
});
