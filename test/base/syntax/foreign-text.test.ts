import { describe, expect, test } from "vitest";
import { defuse, plainName } from "../../../server/base/syntax/text.ts";
import { findLinks, withoutBreaks } from "../../harness/mail.ts";

const LIMITED = "Your account is limited: sign in at https://phish.example/login?x=1";

describe("a name", () => {
  test.each<[typed: string, shown: string]>([
    ["Tea & more (2026), l'été", "Tea & more (2026) l'été"],
    [LIMITED, "Your account is limited sign in at https phish example logi…"],
    [
      "Shop”. Sign in at phish。example, phish．example “now",
      "Shop Sign in at phish example phish example now",
    ],
    ["Shop\r\nBcc: all@example.com", "Shop Bcc all example com"],
    ["p\u200Bh\u2060i\u00ADs\u{E0041}h \u202Egnp.\u3164", "phish gnp"],
    ["«://»", ""],
  ])("%j is shown as %j", (typed, shown) => {
    expect(plainName(typed)).toBe(shown);
  });
});

describe("a text", () => {
  test.each([
    LIMITED,
    "www.phish.example",
    "phish.example/login",
    "phish。example phish．example phish｡example",
    "mailto:you@phish.example <@U1> @everyone",
    "p\u00ADh\u2060ish.example",
    "https://https://phish.example",
  ])("%j contains no link, and reads the same", (text) => {
    expect(findLinks(text)).not.toEqual([]);
    expect(findLinks(defuse(text))).toEqual([]);
    expect(withoutBreaks(defuse(text))).toBe(text.replaceAll(/[\u200B\u2060\u00AD]/g, ""));
  });

  test("closes no quotation, stays on one line, and is cut", () => {
    expect(defuse('seen”. Sign in » now "or"\r\nSubject: x')).toBe(
      "seen'. Sign in ' now 'or' Subject: x",
    );
    expect(withoutBreaks(defuse(`https://a.example/${"x".repeat(5000)}`))).toHaveLength(300);
  });
});
