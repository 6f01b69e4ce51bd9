import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../harness/package.ts";
import { environmentOf, findProgram } from "../harness/unpacked.ts";
import { useFolder } from "../harness/use.ts";
import { requestThrough } from "../harness/request-through.ts";
import { findWebServer, hasHttp2Directive, loadSnippet } from "../harness/web-servers.ts";

/** What each series is from minute to minute, in promtool's notation. */
type Series = Record<string, string>;

const RULES = join(ROOT, "ops", "prometheus-rules.yml");
const FOREVER = 70;
const always = (value: number) => `${value}+0x${FOREVER}`;
const rising = (aMinute: number) => `0+${aMinute}x${FOREVER}`;

const shares = (metric: string, label: string, [odd, other]: [string, string], of100: number) => ({
  [`${metric}{${label}="${odd}"}`]: rising(of100),
  [`${metric}{${label}="${other}"}`]: rising(100 - of100),
});
const looks = (of100: number) =>
  shares("shipscore_looks_total", "outcome", ["inconclusive", "good"], of100);
const answers = (of100: number) =>
  shares("shipscore_http_requests_total", "status", ["503", "200"], of100);
const statements = (withinHalfSecond: number) => ({
  'shipscore_query_seconds_bucket{le="0.1"}': rising(0),
  'shipscore_query_seconds_bucket{le="0.5"}': rising(withinHalfSecond),
  'shipscore_query_seconds_bucket{le="1.0"}': rising(100),
  'shipscore_query_seconds_bucket{le="+Inf"}': rising(100),
});
const stored = (claimsAMinute: number, resultsAMinute: number) => ({
  shipscore_claims_total: rising(claimsAMinute),
  shipscore_results_total: rising(resultsAMinute),
});

/** Of each alert: the first minute in which it fires on these series, and series on which it never does. */
const CASES: [alert: string, atMinute: number, fires: Series, quiet: Series[]][] = [
  ["ShipscoreDown", 2, { up: always(0) }, [{ up: "0 0 1 0 0 1" }]],
  [
    "ShipscoreLooksLate",
    5,
    { shipscore_cycle_lag_seconds: always(61) },
    [{ shipscore_cycle_lag_seconds: always(60) }],
  ],
  ["ShipscoreLooksStuck", 6, stored(5, 0), [stored(5, 1), stored(0, 0)]],
  [
    "ShipscoreClaimsLost",
    6,
    { shipscore_leases_lost_total: rising(11) },
    [{ shipscore_leases_lost_total: rising(0.9) }],
  ],
  [
    "ShipscoreJudgementWithheld",
    1,
    { shipscore_judgement_withheld: always(1) },
    [{ shipscore_judgement_withheld: "0 1 0 1 0" }],
  ],
  [
    "ShipscoreSetAside",
    1,
    { shipscore_set_aside: always(1) },
    [{ shipscore_set_aside: "0 1 0 1 0" }],
  ],
  ["ShipscoreLooksInconclusive", 16, looks(21), [looks(19), looks(0)]],
  [
    "ShipscoreIncidentsJump",
    32,
    { shipscore_incidents_open: "5+0x30 21+0x9" },
    [{ shipscore_incidents_open: "5+0x30 20+0x9" }, { shipscore_incidents_open: "0+0.3x70" }],
  ],
  [
    "ShipscoreDeploymentsWait",
    10,
    { shipscore_deployments_queued: always(21) },
    [{ shipscore_deployments_queued: always(20) }],
  ],
  [
    "ShipscoreMessagesWait",
    15,
    { 'shipscore_outbox_messages{state="pending"}': always(101) },
    [
      { 'shipscore_outbox_messages{state="pending"}': always(100) },
      { 'shipscore_outbox_messages{state="sent"}': always(1000) },
    ],
  ],
  [
    "ShipscoreMessagesDead",
    61,
    { 'shipscore_outbox_messages{state="dead"}': "3+0x60 4+0x9" },
    [{ 'shipscore_outbox_messages{state="dead"}': "3+0x60 2+0x9" }],
  ],
  ["ShipscoreStatementsSlow", 11, statements(98), [statements(100)]],
  [
    "ShipscoreServerBusy",
    10,
    { nodejs_eventloop_lag_seconds: always(0.21) },
    [{ nodejs_eventloop_lag_seconds: always(0.2) }],
  ],
  [
    "ShipscoreThreadsEnd",
    7,
    { 'shipscore_ended_threads_total{reason="hung"}': "0+0x5 0 6+0x60" },
    [{ 'shipscore_ended_threads_total{reason="hung"}': "0+0x5 0 4+0x60" }],
  ],
  ["ShipscoreAnswersFail", 6, answers(6), [answers(4), answers(0)]],
];

const promtool = findProgram(["promtool"]);
const folder = useFolder();

const ofOneServer = (series: string) => {
  const [metric, labels] = series.split("{");
  return `${metric}{job="shipscore",instance="one"${labels ? `,${labels}` : "}"}`;
};

/** Runs promtool's tests: on each of these, the alerts that an expression is to find at its minute. Returns what differs. */
async function testRules(
  given: Series[],
  expected: { expr: string; minute: number; alerts: string[] }[],
): Promise<string> {
  const file = join(folder, "tests.yml");
  const expressions = expected.map(({ expr, minute, alerts }) => ({
    expr: `sum by (alertname) (${expr}) > bool 0`,
    eval_time: `${minute}m`,
    exp_samples: alerts.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
  }));
  const tests = given.map((each) => ({
    interval: "1m",
    input_series: Object.entries(each).map(([name, values]) => ({
      series: ofOneServer(name),
      values,
    })),
    promql_expr_test: expressions,
  }));
  const content = { rule_files: [RULES], evaluation_interval: "1m", tests };
  await writeFile(file, JSON.stringify(content));
  const words = ["test", "rules", file];
  const { exitCode, all } = await execa(promtool ?? "", words, { reject: false, all: true });
  return exitCode === 0 ? "" : all;
}

const FIRING = 'ALERTS{alertstate="firing"}';

test("each alert has a case", async () => {
  const { groups } = parse(await readFile(RULES, "utf8")) as {
    groups: { rules: { alert: string }[] }[];
  };
  const named = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  expect(CASES.map(([alert]) => alert)).toEqual(named);
});

describe.skipIf(promtool === undefined)(
  "promtool, which tools/test/unpack-programs.sh unpacks,",
  () => {
    test("finds no error in the rules", async () => {
      const { stdout } = await execa(promtool ?? "", ["check", "rules", RULES]);
      expect(stdout).toContain(`SUCCESS: ${CASES.length} rules found`);
    });

    test.each(CASES)("%s fires alone, and not before minute %d", async (alert, minute, series) => {
      const expected = [
        { expr: FIRING, minute: minute - 1, alerts: [] },
        { expr: FIRING, minute, alerts: [alert] },
      ];
      expect(await testRules([series], expected)).toBe("");
    });

    test.each(CASES)(
      "%s stays quiet, as all do, just before that time",
      async (_, __, ___, quiet) => {
        const ever = { expr: `sum_over_time(${FIRING}[${FOREVER}m])`, minute: FOREVER, alerts: [] };
        expect(await testRules(quiet, [ever])).toBe("");
      },
    );
  },
);

const analyze = findProgram(["systemd-analyze"]);
const runAnalyze = (...words: string[]) =>
  execa(analyze ?? "", words, { env: environmentOf(analyze ?? ""), all: true, reject: false });

describe.skipIf(analyze === undefined)("systemd-analyze", () => {
  const unit = join(folder, "shipscore.service");
  beforeAll(async () => {
    const text = await readFile(join(ROOT, "ops", "shipscore.service"), "utf8");
    // It looks for the command, which is not installed here.
    await writeFile(unit, text.replace("=/usr/local/bin/shipscore-server", "=/bin/true"));
  });

  test("finds no error in the unit", async () => {
    expect(await runAnalyze("verify", unit)).toMatchObject({ exitCode: 0, all: "" });
  });

  test("gives it an exposure of at most 2.0", async () => {
    const { stdout } = await runAnalyze("security", "--offline=true", "--threshold=20", unit);
    expect(stdout).toContain("Overall exposure level for shipscore.service");
    expect(Number(/service: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(2);
  });
});

describe.each([
  ["Caddyfile", "caddy"],
  ["nginx.conf", "nginx"],
] as const)("ops/%s", (name, server) => {
  const program = findWebServer(server) ?? "";

  test.skipIf(program === "")(
    "is a valid configuration that forwards only the connection's address, and buffers nothing",
    async () => {
      const text = await readFile(join(ROOT, "ops", name), "utf8");
      const hasDirective = server !== "nginx" || (await hasHttp2Directive(program));
      const fit = hasDirective
        ? text
        : text.replaceAll("443 ssl;", "443 ssl http2;").replace("    http2 on;\n", "");
      expect(await loadSnippet(server, program, fit)).toBe("");
      expect(await requestThrough(server, program, fit)).toEqual({
        protocol: "h2",
        status: 200,
        host: "score.example.com",
        visitor: "127.0.0.1",
      });
    },
  );
});
