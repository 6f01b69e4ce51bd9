import { describe, expect, test } from "vitest";
import { runCli } from "../harness/cli.ts";
import { CHECK, json, startContractDouble } from "../harness/contract-double.ts";
import { use } from "../harness/use.ts";

const [csp] = CHECK.findings;

const ANSWER = {
  ...CHECK,
  caps: [
    { findingId: "asset.broken", limit: 79, reason: "A script of the page does not load." },
    { findingId: "tls.chain", limit: 39, reason: "The certificate is not trusted." },
  ],
  findings: [
    ...CHECK.findings,
    ...[1, 2, 3, 4, 5, 6].map((points) => ({ ...csp, id: `r.${points}`, earned: 0, points })),
  ],
};

const REASONS = [
  "tls.chain caps the score at 39: The certificate is not trusted.",
  "asset.broken caps the score at 79: A script of the page does not load.",
  "+6 r.6: The Content-Security-Policy stops little",
  "+5 r.5: The Content-Security-Policy stops little",
  "+4 hdr.csp: The Content-Security-Policy stops little",
  "+4 r.4: The Content-Security-Policy stops little",
  "+3 r.3: The Content-Security-Policy stops little",
];
const UNMET = "shipscore: not met: score 59, minimum 80.";
const total = (met: number, all = 1) =>
  `shipscore: Gate: ${met} of ${all} condition${all === 1 ? "" : "s"} met.`;
const MET = "shipscore: met: score 59, minimum 50.";

const server = use(() => startContractDouble(json(ANSWER)));

async function note(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const settings = { ...server.env, ...env };
  const { stderr } = await runCli(["check", "https://example.com/", ...words], settings);
  return stderr.split("\n").filter((line) => line !== "" && !line.startsWith("::"));
}

describe("an unmet gate explains itself if nothing else does:", () => {
  test.each([
    ["in a pipe", []],
    ["beside JSON", ["--json"]],
    ["beside a field", ["--field", "score"]],
    ["where failing is off", ["--no-fail"]],
    ["beside a report on stdout", ["--report", "gitlab=-"]],
  ])("%s", async (_, words) => {
    expect(await note(["--min-score", "80", ...words])).toEqual([UNMET, ...REASONS, total(0)]);
  });

  test("for each page of several", async () => {
    const lines = await note(["https://other.example/", "--min-score", "80"]);
    const page = "https://other.example/: ";
    expect(lines.slice(-REASONS.length - 2)).toEqual([
      UNMET.replace("not met", `${page}not met`),
      ...REASONS.map((line) => page + line),
      total(0, 2),
    ]);
  });

  test("in the language of the locale", async () => {
    const lines = await note(["--min-score", "80"], { LANG: "fr_FR.UTF-8" });
    expect(lines.slice(1, 3)).toEqual([
      "tls.chain plafonne le score à 39\u00a0: The certificate is not trusted.",
      "asset.broken plafonne le score à 79\u00a0: A script of the page does not load.",
    ]);
    expect(lines[3]).toBe("+6 r.6\u00a0: The Content-Security-Policy stops little");
  });
});

test.each([
  ["of a gate that is met", ["--min-score", "50"], {}, [MET, total(1)]],
  ["without a gate", [], {}, []],
  ["in GitHub Actions", ["--min-score", "80"], { GITHUB_ACTIONS: "true" }, [UNMET, total(0)]],
  [
    "on a terminal",
    ["--min-score", "80", "--json"],
    { SHIPSCORE_FORCE_TTY: "80" },
    [UNMET, total(0)],
  ],
])("no explanation follows %s", async (_, words, env, lines) => {
  expect(await note(words, env)).toEqual(lines);
});
