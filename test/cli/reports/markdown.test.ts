import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanText } from "../../../cli/terminal/json.ts";
import { formatMarkdownReport } from "../../../cli/reports/markdown.ts";
import { code, prose } from "../../../shared/report/markdown-text.ts";
import { subjectOf } from "../../../cli/check/results.ts";
import { evaluateGate } from "../../../shared/report/gate.ts";
import { CHECK } from "../../harness/contract-double.ts";
import {
  ABOUT,
  answerWithStatus,
  CLEAN_RUNS,
  HOSTILE,
  judge,
  PASSED,
  UNCHECKED,
  UNMET,
} from "./runs.ts";

/** What is left when each code span is taken out, as CommonMark finds them: from a fence to the next of its length. */
const withoutCode = (markdown: string): string =>
  markdown.replace(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/gs, "");

test.each([
  ["@team", "`@team`"],
  ["(see #12).", "(see `#12`)."],
  ["GH-12", "`GH-12`"],
  ["https://a.example/b?c", "`https://a.example/b?c`"],
  ["www.a.example", "`www.a.example`"],
  ["deadbeef0", "`deadbeef0`"],
  [":tada: $x$", "`:tada: $x$`"],
  ["<b>a</b> & c", "`<b>a</b> &` c"],
  ["a `b` c", "a `` `b` `` c"],
  ["[a](b) _c_ **d**", "`[a](b) _c_ **d**`"],
  ["Send: X-Frame-Options: DENY", "Send: X-Frame-Options: DENY"],
  [
    'Put in <head>: <meta property="og:title" content="Subject of the page"> …',
    'Put in `<head>: <meta property="og:title" content="Subject of the page">` …',
  ],
  [
    "Set-Cookie: SID=…; HttpOnly; SameSite=Lax; path=/ is sent",
    "`Set-Cookie: SID=…; HttpOnly; SameSite=Lax; path=/` is sent",
  ],
  ["coût\u00a0: «\u00a0@team\u00a0» !", "coût\u00a0: «\u00a0`@team`\u00a0» !"],
  ["L’été, « çà » — 日本語 (3 of 4)!", "L’été, « çà » — 日本語 (3 of 4)!"],
])("%j is written %s", (text, markdown) => expect(prose(text)).toBe(markdown));

test("outside code, all text is plain text", () => {
  const words = fc.constantFrom(...HOSTILE.split(/\s+/), "`", "``", "(", ")", ".", "a", ":", "|");
  const hostile = fc.array(words).map((list) => list.join(" "));
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.string(), hostile), (text) => {
      expect(withoutCode(prose(cleanText(text)))).not.toMatch(
        /[<>@#&*_~[\]\\`|$={}/]|www\.|GH-\d/i,
      );
    }),
  );
});

test("a code span contains the text unchanged", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("`", "a", "<", "*") }), (text) => {
      const markdown = code(text);
      const fence = /^`+/.exec(markdown)?.[0] ?? "";
      const inner = markdown.slice(fence.length, -fence.length);
      expect(inner.match(/`+/g) ?? []).not.toContain(fence);
      expect(inner.replace(/^ (.*) $/, "$1").trim()).toBe(text);
    }),
  );
});

describe("the Markdown report", () => {
  test.each(CLEAN_RUNS)("of %s contains only its own markup", (_, run) => {
    const own =
      /^## |^### |^ *- |\*\*[+\w ,.:-]+\*\*|\]\(<https:\/\/shipscore\.example\/[^<> ]+>\)|[|[/]/gm;
    const rest = withoutCode(formatMarkdownReport(run, ABOUT)).replace(own, "");
    expect(rest).not.toMatch(/[<>@#&*_~[\]\\`$={}]|https?:|www\./i);
  });

  test("of an unmet gate", () => {
    expect(formatMarkdownReport([UNMET], ABOUT)).toMatchInlineSnapshot(`
      "## Ship Score 59/100: Do not ship

      \`https://example.com/\`, final URL \`https://www.example.com/\`, 1 rule (1 point) could not be checked

      - **At most 59:** A script of the page does not load. (\`asset.broken\`)

      ### Gate

      - ❌ **not met:** score 59, minimum 80

      | Category | Points | Maximum |
      | :-- | --: | --: |
      | TLS and certificate | 16 | 16 |
      | Security headers | 14 | 18 |
      | Files and links | 3.5 | 8 |

      ### Fix first

      - **+4.5, caps the score at 59** [\`asset.broken\`](<https://shipscore.example/team/docs/rules#asset.broken>) A script or stylesheet does not load (0 of 4.5 points)
        - Found: GET \`https://www.example.com/app.js\` answered 404.
        - **Fix:** Publish \`/app.js\`, or remove the script element on line 12.
      - **+4** [\`hdr.csp\`](<https://shipscore.example/team/docs/rules#hdr.csp>) The Content-Security-Policy stops little (3 of 7 points)
        - Found: script-src 'unsafe-inline' lets any injected script run.
        - **Fix:** Give each script a nonce, and remove 'unsafe-inline' from script-src.

      ### Not checked

      - **1 point not checked:** perf.http2 unknown (\`perf.http2\`)
        - Found: The handshake timed out.
        - **Fix:** Offer h2.

      shipscore 1.2.3, ruleset 2026.1, 20 November 2026 at 08:30 UTC, \`chk_1\`
      "
    `);
  });

  test("of a page without a check", () => {
    expect(formatMarkdownReport([UNCHECKED], ABOUT)).toMatchInlineSnapshot(`
      "## Not checked

      \`https://late.example/shop?key=***\`: the monthly quota is used up. Wait until then.
      "
    `);
  });

  test("contains only French words in French", () => {
    const language = "fr";
    const gate = evaluateGate(CHECK, { minScore: 80, require: ["tls"] }, {}, language);
    const checked = { ...subjectOf(CHECK.url), check: CHECK, gate };
    expect(formatMarkdownReport([checked, UNCHECKED], { ...ABOUT, language }))
      .toMatchInlineSnapshot(`
        "| Page | Score | Verdict | Conditions |
        | :-- | --: | :-- | :-- |
        | \`https://late.example/shop?key=***\` |  | Non vérifiée |  |
        | \`https://example.com/\` | 59 | Ne pas livrer | ❌ **non remplies** |

        ## Ship Score 59/100 : Ne pas livrer

        \`https://example.com/\`, URL finale \`https://www.example.com/\`, 1 règle (1 point) n'a pas pu être vérifiée

        - **Au plus 59 :** A script of the page does not load. (\`asset.broken\`)

        ### Conditions

        - ❌ **non remplie :** score 59, minimum 80
        - ✅ remplie : tls (obligatoire) : réussie

        | Catégorie | Points | Maximum |
        | :-- | --: | --: |
        | TLS et certificat | 16 | 16 |
        | En-têtes de sécurité | 14 | 18 |
        | Fichiers et liens | 3,5 | 8 |

        ### À corriger d'abord

        - **+4,5, plafonne le score à 59** [\`asset.broken\`](<https://shipscore.example/team/docs/rules#asset.broken>) A script or stylesheet does not load (0 sur 4,5 points)
          - Constaté : GET \`https://www.example.com/app.js\` answered 404.
          - **Correction :** Publish \`/app.js\`, or remove the script element on line 12.
        - **+4** [\`hdr.csp\`](<https://shipscore.example/team/docs/rules#hdr.csp>) The Content-Security-Policy stops little (3 sur 7 points)
          - Constaté : script-src 'unsafe-inline' lets any injected script run.
          - **Correction :** Give each script a nonce, and remove 'unsafe-inline' from script-src.

        ### Règles non vérifiées

        - **1 point non vérifié :** perf.http2 indéterminée (\`perf.http2\`)
          - Constaté : The handshake timed out.
          - **Correction :** Offer h2.

        shipscore 1.2.3, règles 2026.1, 20 novembre 2026 à 08:30 UTC, \`chk_1\`

        ## Non vérifiée

        \`https://late.example/shop?key=***\`: le quota mensuel est épuisé. Attendez jusque-là.
        "
      `);
  });

  test("has the line to paste in a separate block, with any content", () => {
    const findings = CHECK.findings.map((finding) => ({
      ...finding,
      fixLine: finding.id === "hdr.csp" ? "Content-Security-Policy: default-src 'self'" : "a ````b",
    }));
    const report = formatMarkdownReport([judge({ ...CHECK, findings })], ABOUT);
    expect(report).toContain(
      [
        "  - **Fix:** Give each script a nonce, and remove 'unsafe-inline' from script-src.",
        "    ```",
        "    Content-Security-Policy: default-src 'self'",
        "    ```",
        "",
      ].join("\n"),
    );
    expect(report).toContain("    `````\n    a ````b\n    `````\n");
  });

  test("has each of several lines to paste on its own line", () => {
    const findings = CHECK.findings.map((one) => ({
      ...one,
      fix: "Send it.",
      fixLine: "a: 1\nb: 2",
    }));
    const report = formatMarkdownReport([judge({ ...CHECK, findings })], ABOUT);
    expect(report).toContain("  - **Fix:** Send it.\n    ```\n    a: 1\n    b: 2\n    ```\n");
  });

  test.each([
    [403, "unknown"],
    [500, "failed"],
  ])("of a page that returns %i starts with the reason why it was not assessed", (status, end) => {
    const report = formatMarkdownReport([judge(answerWithStatus(status))], ABOUT);
    const [, , facts = "", , reason = ""] = report.split("\n");
    expect(facts).toMatch(/^`https:/);
    expect(reason).toMatch(new RegExp(`^\\*\\*Not checked:\\*\\* .*${status}.*`));
    expect(report).toContain(`reach.status ${end}`);
    expect(report).toMatch(/^\| Security headers \| not checked \| \d+ \|$/m);
  });

  test("of several pages starts with a table of them, the worst first", () => {
    const report = formatMarkdownReport([UNMET, PASSED, UNCHECKED], ABOUT);
    expect(report.split("\n\n", 1)).toEqual([
      [
        "| Page | Score | Verdict | Gate |",
        "| :-- | --: | :-- | :-- |",
        "| `https://late.example/shop?key=***` |  | Not checked |  |",
        "| `https://example.com/` | 59 | Do not ship | ❌ **not met** |",
        "| `https://good.example/` | 100 | Ship | ✅ met |",
      ].join("\n"),
    ]);
  });

  test("omits whole pages if there is no room, and counts them", () => {
    const [page, run] = [formatMarkdownReport([PASSED], ABOUT), [PASSED, PASSED, PASSED]];
    const whole = formatMarkdownReport(run, ABOUT);
    const table = whole.slice(0, whole.indexOf(page));
    const bytes = Buffer.byteLength(table + page) + 150;
    const left = (count: number) =>
      `Pages left out, for lack of space: ${count} of 3. \`--report markdown=FILE\` has all of them.\n`;
    expect(formatMarkdownReport(run, ABOUT, bytes)).toBe(`${table}${page}\n${left(2)}`);
    expect(formatMarkdownReport(run, ABOUT, 150)).toBe(left(3));
    expect(formatMarkdownReport(run, ABOUT, 3 * bytes)).toBe(whole);
  });
});
