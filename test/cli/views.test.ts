import { Chalk } from "chalk";
import { describe, expect, test } from "vitest";
import { evaluateGate } from "../../shared/report/gate.ts";
import type { Screen } from "../../cli/terminal/io.ts";
import type { Language } from "../../shared/language.ts";

import type { ReceivedCheck } from "../../cli/client/api-responses.ts";
import { formatCheckReport } from "../../cli/views/check-report.ts";
import { formatIncidentTable } from "../../cli/views/incident-table.ts";
import { formatLastShipCard } from "../../cli/views/last-ship-card.ts";
import { formatProjectTable } from "../../cli/views/project-table.ts";
import { formatRows, lastShipRows } from "../../cli/views/rows.ts";
import { CHECK, LAST_SHIP, PROJECTS } from "../harness/contract-double.ts";

import { answerWithStatus } from "./reports/runs.ts";

const NOW = new Date("2026-11-20T08:35:00.000Z");

interface ScreenOptions {
  canDraw?: boolean;
  isColoured?: boolean;
  language?: Language;
}

function screenOf(columns: number, options: ScreenOptions = {}): Screen {
  const { canDraw = true, isColoured = false, language = "en" } = options;
  const chalk = new Chalk({ level: isColoured ? 1 : 0 });
  return { columns, width: columns, canDraw, hasLinks: false, chalk, language };
}

const FRENCH = { language: "fr" } as const;
const docsBase = new URL("https://shipscore.example/team/");

function reportOf(check: ReceivedCheck, screen = screenOf(80), minScore = 80): string {
  const gate = evaluateGate(check, { minScore });
  return formatCheckReport({ check, gate }, { ...screen, docsBase });
}

describe("the report of a check", () => {
  test("at 80 columns", () => {
    expect(reportOf(CHECK)).toMatchInlineSnapshot(`
      "https://example.com/
      final URL https://www.example.com/
      59/100  █████████████████████████████░░░░░░░░░░░░░░░░░░░░░  Do not ship
      ruleset 2026.1, 1 rule (1 point) could not be checked, 0.8 s

      At most 59  A script of the page does not load. (asset.broken)

      Security headers  ███████████████████░░░░░░   14 of 18
      Files and links   ██████████░░░░░░░░░░░░░░░  3.5 of  8

      Fix first

      +4.5  asset.broken: A script or stylesheet does not load (caps the score at 59)
            Found  GET https://www.example.com/app.js answered 404.
            Fix    Publish /app.js, or remove the script element on line 12.
            0 of 4.5 points, https://shipscore.example/team/docs/rules#asset.broken

        +4  hdr.csp: The Content-Security-Policy stops little
            Found  script-src 'unsafe-inline' lets any injected script run.
            Fix    Give each script a nonce, and remove 'unsafe-inline' from
                   script-src.
            3 of 7 points, https://shipscore.example/team/docs/rules#hdr.csp

      1 point not checked: perf.http2 unknown. The handshake timed out.

      1 rule passed; --all shows everything.

      ✗ not met: score 59, minimum 80
      Gate: 0 of 1 condition met
      288 of 300 checks left this month.
      59/100 Do not ship
      "
    `);
  });

  test("at 44 columns, on a dumb terminal", () => {
    expect(reportOf(CHECK, screenOf(44, { canDraw: false }), 50)).toMatchInlineSnapshot(`
      "https://example.com/
      final URL https://www.example.com/
      59/100  Do not ship
      ruleset 2026.1, 1 rule (1 point) could not
      be checked, 0.8 s

      At most 59  A script of the page does not
                  load. (asset.broken)

      Security headers   14 of 18
      Files and links   3.5 of  8

      Fix first

      +4.5  asset.broken: A script or stylesheet
            does not load (caps the score at 59)
            Found  GET
                   https://www.example.com/app.js
                   answered 404.
            Fix    Publish /app.js, or remove the
                   script element on line 12.
            0 of 4.5 points,
            https://shipscore.example/team/docs/rules#asset.broken

        +4  hdr.csp: The Content-Security-Policy
            stops little
            Found  script-src 'unsafe-inline' lets
                   any injected script run.
            Fix    Give each script a nonce, and
                   remove 'unsafe-inline' from
                   script-src.
            3 of 7 points,
            https://shipscore.example/team/docs/rules#hdr.csp

      1 point not checked: perf.http2 unknown. Th…

      1 rule passed; --all shows everything.

      met: score 59, minimum 50
      Gate: 1 of 1 condition met
      288 of 300 checks left this month.
      59/100 Do not ship
      "
    `);
  });

  test("has rules without points in one line, and only with --all", () => {
    const [first] = CHECK.findings;
    if (!first) throw new Error("the check has no finding");
    const note = { ...first, status: "pass" as const, earned: 0, points: 0 };
    const notes = ["Permissions-Policy: camera=().", "No COOP."].map((evidence, index) => ({
      ...note,
      id: `hdr.note${index}`,
      evidence,
    }));
    const check = { ...CHECK, findings: [...CHECK.findings, ...notes] };
    const gate = evaluateGate(check, { minScore: 80 });
    const whole = formatCheckReport({ check, gate }, { ...screenOf(80), docsBase }, true);
    expect(whole).toContain("  For information: Permissions-Policy: camera=(). No COOP.\n");
    expect(whole).not.toContain("hdr.note");
    expect(reportOf(check)).toBe(reportOf(CHECK));
  });

  test("of a page with all points", () => {
    const findings = CHECK.findings.filter(({ status }) => status === "pass");
    const score = { score: 100, scoreRange: { min: 100, max: 100 }, coverage: 100 };
    const perfect = { ...CHECK, ...score, finalUrl: CHECK.url, verdict: "ship" as const };
    const categories = CHECK.categories.map(({ id, points }) => ({ id, earned: points, points }));
    expect(reportOf({ ...perfect, caps: [], categories, findings })).toMatchInlineSnapshot(`
      "https://example.com/
      100/100  ██████████████████████████████████████████████████  Ship
      ruleset 2026.1, 0.8 s

      No rule costs points (--all shows all rules).

      ✓ met: score 100, minimum 80
      Gate: 1 of 1 condition met
      288 of 300 checks left this month.
      100/100 Ship
      "
    `);
  });

  test("of a page that a failure left unassessed says so first, and gives no points for unseen rules", () => {
    const report = reportOf(answerWithStatus(500));
    expect(report).toMatch(
      /^Not checked: https:\/\/www\.example\.com\/ responds with 500\.\nLook for/,
    );
    expect(report).toMatch(/^Security headers +░+ {2}not checked$/m);
    expect(report).toMatch(/^[\d.]+ points not checked: reach\.status failed\n/m);
    expect(report.match(/responds with 500/g)).toHaveLength(1);
  });

  test("of a page behind a login starts with the reason and the fix", () => {
    expect(reportOf(answerWithStatus(403))).toMatch(
      /^Not checked: [^]*status\s403\.\nLet the check through .*\nbypass header to SHIPSCORE_TARGET_HEADERS\.\n\n/,
    );
    expect(reportOf(answerWithStatus(200))).toMatch(/^https:/);
  });

  test("has the same text in color", () => {
    const coloured = reportOf(CHECK, screenOf(80, { isColoured: true }));
    expect(coloured).toContain("\u001b[31m\u001b[1m59/100");
    expect(coloured.replaceAll(/\u001b\[\d+m/g, "")).toBe(reportOf(CHECK));
  });

  test.each([40, 60, 80])("wraps at %i columns, except for a long word", (columns) => {
    const tooLong = reportOf(CHECK, screenOf(columns))
      .split("\n")
      .filter((line) => line.length > columns && line.trim().includes(" "));
    expect(tooLong).toEqual([]);
  });
});

describe("projects", () => {
  test("at 80 columns", () => {
    expect(formatProjectTable(PROJECTS, NOW, screenOf(80))).toMatchInlineSnapshot(`
      "STATE    FOR  SCORE  NAME  URL
      down     2 d     12  Blog  https://blog.example.com/
      up       2 d     91  Shop  https://shop.example.com/
      unknown           -  Twin  https://one.example.com/
      up       2 d     80  Twin  https://two.example.com/
      "
    `);
  });

  test("are cut on a narrow terminal, with wide characters counted", () => {
    const projects = PROJECTS.projects.map((project) => ({ ...project, name: "東京の店" }));
    expect(formatProjectTable({ projects }, NOW, screenOf(44))).toMatchInlineSnapshot(`
      "STATE    FOR  SCORE  NAME      URL
      down     2 d     12  東京の店  https://blog…
      up       2 d     91  東京の店  https://shop…
      unknown           -  東京の店  https://one.…
      up       2 d     80  東京の店  https://two.…
      "
    `);
  });

  test("in French", () => {
    const [first, ...others] = formatProjectTable(PROJECTS, NOW, screenOf(80, FRENCH)).split("\n");
    expect(first).toBe("ÉTAT      DEPUIS  SCORE  NOM   URL");
    expect(others[0]).toBe("en panne     2 j     12  Blog  https://blog.example.com/");
    expect(others[2]).toBe("inconnu               -  Twin  https://one.example.com/");
  });

  test("with a state that only a newer server knows", () => {
    const projects = PROJECTS.projects.map((project) => ({ ...project, state: "asleep" }));
    expect(formatProjectTable({ projects }, NOW, screenOf(80, FRENCH))).toContain("\nasleep");
  });

  test("may be empty", () => {
    expect(formatProjectTable({ projects: [] }, NOW, screenOf(80))).toMatchInlineSnapshot(`
      "No project is visible to this token yet.
      "
    `);
  });
});

describe("incidents", () => {
  const failing = (id: string, since: string) => ({
    id,
    url: "https://blog.example.com/",
    since,
    reason: "The server answered 500.",
    lastCheckedAt: since,
    projectId: "prj_1",
    projectName: "Blog",
  });
  const two = [
    failing("inc_1", "2026-11-18T06:30:00.000Z"),
    failing("inc_2", "2026-11-20T06:30:00.000Z"),
  ];

  test("are one row each", () => {
    expect(formatIncidentTable(two, NOW, screenOf(80))).toMatchInlineSnapshot(`
      "FOR  PROJECT  URL                        REASON
      2 d  Blog     https://blog.example.com/  The server answered 500.
      2 h  Blog     https://blog.example.com/  The server answered 500.

      2 URLs failing.
      "
    `);
  });

  const long = {
    ...failing("inc_3", "2026-11-18T06:30:00.000Z"),
    projectName: "The shop of our customers",
    url: `https://shop.example.com/${"catalogue/".repeat(4)}`,
    reason: "The certificate expired on 2026-11-17, and every browser warns its visitors.",
  };

  test("take one line each at 80 columns, however long they are", () => {
    expect(formatIncidentTable([long, two[1] ?? long], NOW, screenOf(80))).toMatchInlineSnapshot(`
      "FOR  PROJECT                  URL                       REASON
      2 d  The shop of our custom…  https://shop.example.co…  The certificate expired…
      2 h  Blog                     https://blog.example.co…  The server answered 500.

      2 URLs failing.
      "
    `);
  });

  test("have their reason below if a narrow terminal would cut them to fragments", () => {
    expect(formatIncidentTable([long, two[1] ?? long], NOW, screenOf(60))).toMatchInlineSnapshot(`
      "FOR  PROJECT, URL, REASON
      2 d  The shop of our customers
           https://shop.example.com/catalogue/catalogue/catalogue/
           catalogue/
           The certificate expired on 2026-11-17, and every
           browser warns its visitors.
      2 h  Blog https://blog.example.com/
           The server answered 500.

      2 URLs failing.
      "
    `);
    expect(formatIncidentTable(two, NOW, screenOf(60, FRENCH))).toMatchInlineSnapshot(`
      "DEPUIS  PROJET, URL, CAUSE
         2 j  Blog https://blog.example.com/
              The server answered 500.
         2 h  Blog https://blog.example.com/
              The server answered 500.

      2 URL en échec.
      "
    `);
    expect(formatIncidentTable(two.slice(0, 1), NOW, screenOf(60, FRENCH))).toContain(
      "\n\n1 URL en échec.\n",
    );
  });

  test.each([40, 60, 80, 120])("keep to %i columns, for any text of a server", (columns) => {
    const hostile = { ...long, url: "x".repeat(3000), reason: "é".repeat(5000) };
    const lines = formatIncidentTable([long, hostile], NOW, screenOf(columns)).split("\n");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    expect(lines.length).toBeLessThan(20);
    if (columns >= 80) return;
    const words = lines.join("").replaceAll(/\s/g, "");
    for (const text of [long.url, long.reason]) expect(words).toContain(text.replaceAll(/\s/g, ""));
  });

  test("may be empty", () => {
    expect(formatIncidentTable([], NOW, screenOf(80))).toBe("Nothing is failing.\n");
    expect(formatIncidentTable([], NOW, screenOf(80, FRENCH))).toBe("Aucune URL en échec.\n");
  });
});

describe("the last deployment", () => {
  test("that is verified", () => {
    expect(formatLastShipCard(LAST_SHIP, NOW, screenOf(80))).toMatchInlineSnapshot(`
      "https://shop.example.com/
      88/100  ████████████████████████████████████████████░░░░░░  Ship

      Deployed  20 November 2026 at 08:30 UTC, 5 min ago
      Ref       main
      Commit    0a1b2c3
      Ruleset   2026.1
      Check     chk_1
      ID        dep_1

      5 of 6 files of the previous build still answer
      "
    `);
  });

  test("whose verification is running", () => {
    const pending = {
      score: null,
      verdict: null,
      ruleset: null,
      checkId: null,
      commit: null,
      previousFiles: null,
    };
    const lastShip = LAST_SHIP.lastShip && { ...LAST_SHIP.lastShip, ...pending };
    expect(formatLastShipCard({ lastShip }, NOW, screenOf(80))).toMatchInlineSnapshot(`
      "https://shop.example.com/
      Its check has not finished yet.

      Deployed  20 November 2026 at 08:30 UTC, 5 min ago
      Ref       main
      ID        dep_1
      "
    `);
    expect(formatRows(lastShipRows({ lastShip }))).toBe(
      "dep_1\t2026-11-20T08:30:00.000Z\t\t\tmain\t\thttps://shop.example.com/\n",
    );
  });

  test("in French", () => {
    expect(formatLastShipCard(LAST_SHIP, NOW, screenOf(80, FRENCH))).toMatchInlineSnapshot(`
      "https://shop.example.com/
      88/100  ████████████████████████████████████████████░░░░░░  Bon à livrer

      Déployé le          20 novembre 2026 à 08:30 UTC, il y a 5 min
      Branche ou tag      main
      Commit              0a1b2c3
      Version des règles  2026.1
      Vérification        chk_1
      Identifiant         dep_1

      5 fichiers sur 6 de la version précédente répondent encore
      "
    `);
  });

  test("that does not exist", () => {
    expect(formatLastShipCard({ lastShip: null }, NOW, screenOf(80))).toBe(
      "Nothing has been deployed to production yet.\n",
    );
    expect(formatRows(lastShipRows({ lastShip: null }))).toBe("");
  });
});
