import { describe, expect, test, vi } from "vitest";
import { describeDay, describeMoment, describeRange } from "../../shared/report/times.ts";
import { describeCount, describeQuantity, typeset } from "../../shared/report/words.ts";

const show = (text: string) => text.replaceAll(/[\u00a0\u2009\u202f]/g, "_");

describe("French sentences get no-break spaces", () => {
  test.each([
    ["Est-ce « prêt » ? Oui ; non : si !", "Est-ce «_prêt_»_? Oui_; non_: si_!"],
    ["(70 %), 10 s et 64 Kio.", "(70_%), 10_s et 64_Kio."],
    ["2 048 octets en 1 seconde", "2_048_octets en 1_seconde"],
    ["15 552 000 secondes, 3 sites", "15_552_000_secondes, 3 sites"],
  ])("%s", (plain, expected) => expect(show(typeset(plain, "fr"))).toBe(expected));
});

describe("text that is not prose does not change", () => {
  test.each([
    "`a ; b`",
    'le nom "a : b"',
    '<a style="x: y ; z">',
    "Content-Security-Policy: default-src 'self' ; script-src 'none'",
    "Content-Security-Policy: default-src https://a.example ; img-src b, c ; x",
    "https://example.com/?a=1 ?b",
    "le sélecteur :root",
    "le plafond de 79 s'applique",
  ])("%s", (text) => expect(typeset(text, "fr")).toBe(text));

  test("English", () => expect(typeset("Ready : « yes » 10 s", "en")).toBe("Ready : « yes » 10 s"));
});

test("text after a header is prose again", () => {
  expect(show(typeset("(X-Frame-Options: DENY ; a) ; fin", "fr"))).toBe(
    "(X-Frame-Options: DENY ; a)_; fin",
  );
});

test.each([
  [0, "0 vérification", "0 checks"],
  [1, "1 vérification", "1 check"],
  [2, "2 vérifications", "2 checks"],
  [12_000, "12 000 vérifications", "12,000 checks"],
])("%d has its plural", (count, fr, en) => {
  const noun = { fr: ["vérification", "vérifications"], en: ["check", "checks"] } as const;
  expect(describeQuantity(count, noun, "fr")).toBe(fr);
  expect(describeQuantity(count, noun, "en")).toBe(en);
});

test("a number has ordinary spaces until it is typeset", () => {
  expect(describeCount(1_234_567, "fr")).toBe("1 234 567");
});

test("the first of a month is 1er in French, also at the end of a range", () => {
  const first = new Date("2026-12-01T01:00Z");
  expect(describeDay(first, { language: "fr" })).toBe("1er décembre 2026");
  expect(describeDay(first, { language: "en" })).toBe("1 December 2026");
  expect(show(describeRange(new Date("2026-11-30T22:00Z"), first, { language: "fr" }))).toBe(
    "30 novembre 2026 à 22:00 UTC_–_1er décembre 2026 à 01:00 UTC",
  );
});

test("readers with the same language and time zone share a formatter", () => {
  const at = new Date("2026-12-22T07:30Z");
  const describeEach = () =>
    (["fr", "en"] as const).map((language) =>
      describeMoment(at, { language, timeZone: "Europe/Lisbon" }),
    );
  const moments = describeEach();
  const create = vi.spyOn(Intl, "DateTimeFormat");
  try {
    expect(describeEach()).toEqual(moments);
    expect(create).not.toHaveBeenCalled();
  } finally {
    create.mockRestore();
  }
});

test("an unknown time zone becomes UTC", () => {
  const at = new Date("2026-12-22T07:30Z");
  expect(describeMoment(at, { language: "en", timeZone: "Mars/Phobos" })).toBe(
    "22 December 2026 at 07:30 UTC",
  );
});
