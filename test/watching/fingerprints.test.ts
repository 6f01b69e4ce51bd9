import { describe, expect, test } from "vitest";
import { findFingerprint } from "../../server/engine/judge/fingerprint.ts";
import { evidenceWith, pageHtml } from "../engine/judge/evidence-fixtures.ts";
import type { Fingerprint } from "../../server/db/watching/fingerprints.ts";
import { decideFingerprint } from "../../server/watching/fingerprints.ts";

/** What came of verifications, each of which saw the files of a letter: `.` nothing, `w` waits, `S` a ship. */
function follow(letters: string): string {
  let kept: readonly Fingerprint[] = [];
  return letters
    .split("")
    .map((letter, index) => {
      const parts = [`/${letter}.js`, "/style.css"];
      const decided = decideFingerprint(kept, { parts, at: String(index) });
      kept = decided.kept;
      return decided.seen ? "S" : decided.isAwaited ? "w" : ".";
    })
    .join("");
}

const DAYS = "a".repeat(19);

test("a part that is cut is text that a database takes", () => {
  const evidence = evidenceWith((e) => {
    const content = `${"x".repeat(188)}${"🍵".repeat(9)}`;
    pageHtml(e).metas.push({ name: "generator", content, line: 1, isInHead: true, offset: 0 });
  });
  const parts = findFingerprint(evidence)?.filter((part) => part.startsWith("generator")) ?? [];
  expect(parts).toHaveLength(1);
  expect(parts[0]).not.toMatch(/\p{Cs}/u);
});

describe("verifications that saw", () => {
  test.each<[what: string, letters: string, came: string]>([
    ["the first page ever", "aaaa", "...."],
    ["a deployment", "aabbbb", "..wwS."],
    ["a deployment after a single verification", "abbb", ".wwS"],
    ["two deployments", "abbbccc", ".wwSwwS"],
    ["one that was taken back at once", "aabaaa", "..w..."],
    ["one that was taken back within twenty", "abbbaaa", ".wwS..."],
    ["an A/B test", "ababababbbaaabbb", ".w.............."],
    ["another variant of one", "aabcbcbccc", "..ww......"],
    ["names that differ at each request", "abcdefghij", ".ww......."],
    ["a page among the twenty before", `b${DAYS}bbb`, `.wwS${".".repeat(DAYS.length)}`],
    ["a page of before those", `b${DAYS}abbb`, `.wwS${".".repeat(DAYS.length - 2)}wwS`],
  ])("%s", (_, letters, came) => {
    expect(follow(letters)).toBe(came);
  });

  test("which paths appeared and went, those with another ETag in both", () => {
    const see = (...parts: string[]) => ({ parts, at: "2026-01-01T00:00:00Z" });
    const before = [see("/a-1.js", '/site.css "x"', "generator Hugo 1")];
    const now = see("/a-2.js", '/site.css "y"', "generator Hugo 2");
    expect(decideFingerprint([now, now, ...before], now)).toMatchObject({
      since: now.at,
      seen: { added: ["/a-2.js", "/site.css"], gone: ["/a-1.js", "/site.css"] },
    });
  });
});
