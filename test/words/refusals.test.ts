import { describe, expect, test } from "vitest";
import { RefusalCode } from "../../server/engine/evidence/failure.ts";
import { describeRefusal } from "../../server/words/refusals.ts";

describe("describeRefusal", () => {
  test.each(RefusalCode.options)("says %s in both languages, and what to do", (code) => {
    const { fr, en } = describeRefusal({ code, host: null });
    expect(fr).toMatch(/^(L'|Le )[^.]+\. .+\.$/);
    expect(en).toMatch(/^(The |DNS )[^.]+\. .+\.$/);
  });

  test("names the host, cut and on one line", () => {
    const host = `\u202E\n${"a".repeat(200)}`;
    expect(describeRefusal({ code: "private", host }).fr).toMatch(
      /^L'hôte « a{99}… » est privé : /,
    );
  });
});
