import { describe, expect, test } from "vitest";
import { RefusalCode } from "../../server/evidence/evidence.ts";
import { describeRefusal } from "../../server/net/refusal.ts";

describe("describeRefusal", () => {
  test.each(RefusalCode.options)("says %s in both languages, and what to do", (code) => {
    const [fr, en] = (["fr", "en"] as const).map((language) =>
      describeRefusal({ code, host: null }, language),
    );
    expect(fr).toMatch(/^(L'|Le )[^.]+\. .+\.$/);
    expect(en).toMatch(/^(The |DNS )[^.]+\. .+\.$/);
  });

  test("names the host, cut and on one line", () => {
    const host = `\u202E\n${"a".repeat(200)}`;
    const sentence = describeRefusal({ code: "private", host }, "fr");
    expect(sentence).toMatch(/^L'hôte « a{99}… » est privé : /);
  });
});
