import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli, TOKEN, type CliRun } from "../harness/cli.ts";
import { CHECK, json, startContractDouble } from "../harness/contract-double.ts";
import { useFolder } from "../harness/use.ts";
import { answerWithStatus, HOSTILE_CHECK } from "./reports/runs.ts";

const root = useFolder();

interface Step extends CliRun {
  readonly summary: string;
  readonly outputs: string;
}

/** Runs a check as a step of a workflow whose summary holds something already. */
async function runStep(
  answer: unknown,
  env: Readonly<Record<string, string>> = {},
  before = "before\n",
): Promise<Step> {
  await using server = await startContractDouble(json(answer));
  const folder = await mkdtemp(join(root, "step-"));
  const [summary, outputs] = [join(folder, "summary.md"), join(folder, "outputs")];
  await Promise.all([writeFile(summary, before), writeFile(outputs, "")]);
  const ran = await runCli(["check", "https://example.com/", "--min-score", "80"], {
    ...server.env,
    GITHUB_ACTIONS: "true",
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputs,
    ...env,
  });
  return {
    ...ran,
    summary: await readFile(summary, "utf8"),
    outputs: await readFile(outputs, "utf8"),
  };
}

/** The outputs as the runner reads them: `name<<delimiter`, lines, and the delimiter alone. */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  while (lines.length > 1) {
    const [, name = "", delimiter = ""] = /^(\w+)<<(.+)$/.exec(lines.shift() ?? "") ?? [];
    const end = lines.indexOf(delimiter);
    if (end < 0) throw new Error(`no end of output ${name}`);
    outputs[name] = lines
      .splice(0, end + 1)
      .slice(0, -1)
      .join("\n");
  }
  return outputs;
}

/** The lines that the runner takes for commands, wherever they are from. */
const listCommands = ({ stdout, stderr }: CliRun): string[] =>
  `${stdout}\n${stderr}`.split("\n").filter((line) => /^\s*::|##\w*\[/.test(line));

describe.each(["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"])("%s", (name) => {
  test("that can't be written is reported before a check is made", async () => {
    const path = join(root, "missing", "file");
    const { exitCode, stdout, stderr } = await runStep(CHECK, { [name]: path });
    expect([exitCode, stdout]).toEqual([74, ""]);
    expect(stderr).toContain(`${path} cannot be written (ENOENT). `);
  });

  test("that is not set is ignored", async () => {
    const { exitCode, stderr } = await runStep(CHECK, { [name]: "" });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("::error ")]);
  });
});

test("outside Actions nothing is annotated or written", async () => {
  const { stderr, summary, outputs } = await runStep(CHECK, { GITHUB_ACTIONS: "" });
  expect([stderr, summary, outputs]).toEqual([
    expect.stringMatching(/^shipscore: not met: score 59, minimum 80\.\n/),
    "before\n",
    "",
  ]);
});

test("in Actions the log, the summary and the outputs report the check", async () => {
  const step = await runStep(CHECK);
  expect(step.exitCode).toBe(1);
  expect(listCommands(step)).toMatchInlineSnapshot(`
    [
      "::error title=--min-score 80::not met: score 59, minimum 80 (https://example.com/)",
      "::error title=asset.broken (+4.5)%3A A script or stylesheet does not load::Caps the score at 59: A script of the page does not load. GET https://www.example.com/app.js answered 404. Publish /app.js, or remove the script element on line 12. (https://example.com/)",
      "::warning title=hdr.csp (+4)%3A The Content-Security-Policy stops little::script-src 'unsafe-inline' lets any injected script run. Give each script a nonce, and remove 'unsafe-inline' from script-src. (https://example.com/)",
    ]
  `);
  expect(step.summary).toMatch(/^before\n## Ship Score 59\/100: Do not ship\n/);
  expect(readOutputs(step.outputs)).toEqual({
    score: "59",
    verdict: "do_not_ship",
    gate: "not_met",
    report: expect.stringMatching(/^## Ship Score 59[^]*chk_1`$/),
  });
});

test("at most ten annotations are made: the gate, then the most costly findings", async () => {
  const [finding] = CHECK.findings;
  const findings = Array.from({ length: 12 }, (_, index) => ({
    ...finding,
    id: `r.${index}`,
    earned: 0,
    points: index + 1,
  }));
  const commands = listCommands(await runStep({ ...CHECK, findings }));
  expect(commands.map((line) => /r\.\d+ \(\+\d+\)/.exec(line)?.[0])).toEqual([
    undefined,
    ...[11, 10, 9, 8, 7, 6, 5, 4, 3].map((index) => `r.${index} (+${index + 1})`),
  ]);
});

test("a page that could not be assessed or checked is an error in the log, with advice", async () => {
  const open = await runStep(answerWithStatus(403));
  expect([open.exitCode, readOutputs(open.outputs)["gate"]]).toEqual([4, "not_met"]);
  expect(listCommands(open)[0]).toMatch(
    /^::error title=reach\.status \(not checked\)%3A .*status 403\. .*SHIPSCORE_TARGET_HEADERS/,
  );
  const refused = await runStep({ no: "check" });
  expect(listCommands(refused)).toEqual([
    expect.stringMatching(/^::error title=The page was not checked::.* which is not a shipscore/),
  ]);
});

test("caps of the score come before costly findings, lowest limit first", async () => {
  const caps = [
    { findingId: "hdr.csp", limit: 79, reason: "Scripts are open." },
    { findingId: "tls.chain", limit: 39, reason: "Nobody trusts it." },
  ];
  const findings = CHECK.findings.map((finding) => ({ ...finding, status: "fail", earned: 0 }));
  const commands = listCommands(await runStep({ ...CHECK, caps, findings }));
  expect(commands.map((line) => line.slice(0, line.indexOf(")")))).toEqual([
    expect.stringMatching(/^::error title=--min-score 80::not met: /),
    "::error title=tls.chain (+5",
    "::error title=hdr.csp (+7",
    "::warning title=asset.broken (+4.5",
    "::warning title=perf.http2 (+1",
  ]);
});

test.each([
  ["of the set-up", ["check", "https://example.com/"], { SHIPSCORE_TOKEN: "" }],
  ["of usage", ["check", "https://example.com/", "--min-scor", "80"], {}],
  ["of another command", ["projects"], { SHIPSCORE_TOKEN: "" }],
])("an error that ends the command is annotated once, %s", async (_, words, env) => {
  const settings = { GITHUB_ACTIONS: "true", SHIPSCORE_TOKEN: TOKEN, ...env };
  const ran = await runCli(words, settings);
  const [, message] = /^shipscore: (.*)$/m.exec(ran.stderr) ?? [];
  expect(listCommands(ran)).toEqual([`::error title=shipscore::${message}`]);
});

test("hostile text creates no command, no output and no extra line", async () => {
  const step = await runStep(HOSTILE_CHECK);
  expect(
    listCommands(step).map((line) => line.replace(/^(::\w+ title=)[^:,]*::.*$/, "$1")),
  ).toEqual(["::error title=", "::error title=", "::error title=", "::error title="]);
  const outputs = readOutputs(step.outputs);
  expect(Object.keys(outputs)).toEqual(["score", "verdict", "gate", "report"]);
  expect(outputs["verdict"]).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
  expect(step.summary.match(/^#+ .*$/gm)).toEqual([
    expect.stringMatching(/^## Ship Score 59\/100: /),
    "### Gate",
    "### Fix first",
    "### Not checked",
  ]);
});

test("a nearly full summary keeps its content, within GitHub's limit", async () => {
  const before = `${"x".repeat(1024 * 1024 - 200)}\n`;
  const { summary, outputs } = await runStep(CHECK, {}, before);
  expect(summary).toBe(
    `${before}Pages left out, for lack of space: 1 of 1. \`--report markdown=FILE\` has all of them.\n\n`,
  );
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(1024 * 1024);
  expect(readOutputs(outputs)["report"]).toMatch(/^## Ship Score 59/);
});
