import { describe, expect, test } from "vitest";
import { RULE_IDS } from "../../cli/rules/rule-ids.ts";
import { findTexts } from "../../cli/rules/texts.ts";
import { RULESET } from "../../server/engine/judge/ruleset.ts";
import { runCli } from "../harness/cli.ts";
import { expectRefused } from "./refused.ts";

test.each([
  [[], "the argument 'rule' is missing", "Run 'shipscore explain --help' for usage"],
  [["hdr.cps"], "there is no rule 'hdr.cps'", "Did you mean hdr.csp?"],
  [["HDR.CSP"], "there is no rule 'HDR.CSP'", "Did you mean hdr.csp?"],
  [["title"], "there is no rule 'title'", expect.stringContaining("html.title")],
  [["new.rule"], "there is no rule 'new.rule'", expect.stringMatching(/closest .*\w\.\w/)],
  [[""], "there is no rule ''", expect.stringContaining("closest")],
  [["constructor"], "there is no rule 'constructor'", expect.stringContaining("closest")],
  [
    ["tls"],
    "'tls' is a category",
    "Use one of its rules: tls.chain, tls.intermediate, tls.hostname, tls.expiry, tls.versions, tls.strength",
  ],
  [["hdr.csp", "hdr.hsts"], expect.stringContaining("too many arguments"), expect.any(String)],
  [["hdr.csp", "--json", "--json"], "--json is used twice", "Use it once"],
  [["hdr.csp", "--base-url", "x"], "unknown option '--base-url'", expect.any(String)],
])("explain rejects %j", async (words, message, advice) => {
  await expectRefused(["explain", ...words], { message, advice });
});

test("the command has its own text for each rule of the newest ruleset", () => {
  expect(RULE_IDS).toEqual(RULESET.rows.map(({ id }) => id));
  for (const { id, points, cap, rule } of RULESET.rows) {
    const { fr, en, lines } = rule.fix;
    const { title, measures, why } = rule;
    const fixLine = lines?.join("\n") ?? null;
    const texts = { points, cap, title, measures, why, fix: { fr, en }, fixLine };
    expect([id, findTexts(id)]).toEqual([id, texts]);
  }
});

/** What needs a server would fail at this address, and at this token. */
const NOWHERE = { SHIPSCORE_URL: "ftp://nowhere.invalid", SHIPSCORE_TOKEN: "broken" };
const HSTS = findTexts("hdr.hsts");

describe("without a server", () => {
  test("--json is the rule in the locale's language, member by member", async () => {
    for (const language of ["en", "fr"] as const) {
      const env = { ...NOWHERE, LC_ALL: `${language}_XX.UTF-8` };
      const { exitCode, stdout, stderr } = await runCli(["explain", "hdr.hsts", "--json"], env);
      expect([exitCode, stderr]).toEqual([0, ""]);
      expect(JSON.parse(stdout)).toStrictEqual({
        id: "hdr.hsts",
        category: "headers",
        points: HSTS?.points,
        title: HSTS?.title[language],
        why: HSTS?.why[language],
        fix: HSTS?.fix[language],
        measures: HSTS?.measures[language],
        cap: HSTS?.cap,
        fixLine: HSTS?.fixLine,
      });
    }
  });

  test("a pipe gets a row, or one field with --field", async () => {
    const { title, why, fix, measures, points, fixLine } = HSTS ?? {};
    const cells = [
      "hdr.hsts",
      "headers",
      points,
      title?.en,
      why?.en,
      fix?.en,
      measures?.en,
      fixLine,
    ];
    const row = { exitCode: 0, stdout: `${cells.join("\t")}\n`, stderr: "" };
    expect(await runCli(["explain", "hdr.hsts"], NOWHERE)).toEqual(row);
    const field = { exitCode: 0, stdout: "headers\n", stderr: "" };
    expect(await runCli(["explain", "hdr.hsts", "--field", "category"], NOWHERE)).toEqual(field);
  });

  test("a terminal gets a page in its language, with an unbroken line to paste", async () => {
    const env = { ...NOWHERE, LANG: "fr_FR.UTF-8", SHIPSCORE_FORCE_TTY: "60" };
    const { exitCode, stdout } = await runCli(["explain", "tls.chain"], env);
    const lines = stdout.split("\n");
    expect([exitCode, lines[0]]).toEqual([0, "tls.chain\u00a0: Chaîne de certificats"]);
    expect(stdout).toMatch(
      /\nTLS et certificat, 4 points, plafonne le score à 20\n\nCe qui est vérifié .*\n\nEnjeu .*\n\nCorrection /s,
    );
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
    const csp = await runCli(["explain", "hdr.csp"], env);
    expect(csp.stdout.split("\n")).toContain(findTexts("hdr.csp")?.fixLine);
  });
});
