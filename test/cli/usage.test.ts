import { describe, expect, test } from "vitest";
import { EXIT, EXIT_MEANINGS } from "../../cli/terminal/exit-codes.ts";
import { parseCommandLine } from "../../cli/program.ts";
import { runCli } from "../harness/cli.ts";
import { startContractDouble } from "../harness/contract-double.ts";
import { expectRefused } from "./refused.ts";
import { COMMANDS, HIDDEN_COMMAND } from "../../cli/commands.ts";

const RUN_CHECK_HELP = "Run 'shipscore check --help' for usage";
const OR_BASELINE = "Add --project PROJECT, or --baseline FILE";
const ADD_MAX_DROP = "Add --max-drop N, or leave it out";

test.each([
  ["chekc https://a.example", "unknown command 'chekc'", "Did you mean check?"],
  [
    "check",
    "there is no URL to check, and no shipscore.json in this folder",
    "Add one or more URLs, or --urls FILE, or run 'shipscore init'",
  ],
  ["check a --max-drop 5", "--max-drop has no baseline to compare with", OR_BASELINE],
  ["check a --project Shop", "--project has no effect by itself", ADD_MAX_DROP],
  ["check a --missing-baseline pass", "--missing-baseline has no effect by itself", ADD_MAX_DROP],
  [
    "check a --missing-baseline maybe",
    "--missing-baseline does not take 'maybe'",
    "Use one of fail, pass",
  ],
  ["check a --color alw", "--color does not take 'alw'", "Did you mean always?"],
  ["check a -o table", "unknown option '-o'", expect.stringContaining("--report FORMAT=FILE")],
  ["version", "there is no command 'version'", "Run 'shipscore --version'"],
  ["login", "there is no command 'login'", expect.stringContaining("SHIPSCORE_TOKEN")],
  ["auth status", "there is no command 'auth'", expect.stringContaining("/settings/api")],
  ["config list", "there is no command 'config'", expect.stringContaining("shipscore.json")],
  ["help exit-code", "there is no topic 'exit-code'", "Did you mean exit-codes?"],
  ["check a --min-category headers", expect.any(String), expect.stringContaining("headers=12")],
  ["check a --min-category headers=x", expect.any(String), expect.stringContaining("headers=12")],
  [
    "check a --min-category tls=1 --min-category tls=2",
    "--min-category does not take 'tls=2'",
    "tls is used twice",
  ],
  ["check a --require ,", expect.any(String), expect.stringContaining("hdr.csp,tls")],
  ["check a --wait-for-ready 0", expect.any(String), expect.stringContaining("from 1 to 3600")],
  ["check a --min-scor 80", "unknown option '--min-scor'", "Did you mean --min-score?"],
  ["check a --min", "unknown option '--min'", RUN_CHECK_HELP],
  ["check a --min-score", "--min-score needs a value", RUN_CHECK_HELP],
  ["check a --exit-code", "unknown option '--exit-code'", RUN_CHECK_HELP],
  ["incidents --exitcode", "unknown option '--exitcode'", "Did you mean --exit-code?"],
  ["last-ship", "the argument 'project' is missing", expect.any(String)],
  ["projects x", expect.stringContaining("too many arguments"), expect.any(String)],
  [
    "help exit-cods",
    "there is no topic 'exit-cods'",
    expect.stringContaining("exit-codes, environment"),
  ],
])("%s is rejected", async (line, message, advice) => {
  await expectRefused(line.split(" "), { message, advice });
});

describe("a flag that is not repeatable is rejected the second time", () => {
  const flags = [
    ["--min-score", "80"],
    ["--max-drop", "5"],
    ["--project", "Shop"],
    ["--missing-baseline", "pass"],
    ["--no-fail"],
    ["--preview"],
    ["--urls", "a"],
    ["--wait-for-ready", "5"],
    ["--timeout", "5"],
    ["--save", "a"],
    ["--baseline", "a"],
    ["--explain", "hdr.csp"],
  ];
  test.each(flags)("%s", async (...flag) => {
    const words = ["check", "https://a.example/", ...flag, ...flag];
    await expectRefused(words, { message: `${flag[0]} is used twice` });
  });

  test("and repeatable ones are not", async () => {
    const twice = ["tls=1", "headers=2"].flatMap((value) => ["--min-category", value]);
    const words = [...twice, "--require", "tls", "--require", "hdr.csp"];
    await expect(
      parseCommandLine(["check", "https://a.example/", ...words], "1.0.0"),
    ).resolves.toMatchObject({ isJson: false });
  });
});

describe("typographic characters are a usage error, and nothing is sent:", () => {
  const SPACE = "\u00a0";
  test.each<[typed: string[], message: string, advice: string]>([
    ...["—", "–", "−", "－", "﹣", "‐", "‑", "‒", "―", "-–", "⁃", "\u00ad-"].map(
      (dash): [string[], string, string] => [
        [`${dash}min-score`, "80"],
        `'${dash}min-score' begins with U+`,
        "Type --min-score.",
      ],
    ),
    [["—min-score=80"], "'—min-score' begins with U+2014", "Type --min-score."],
    [["--min-score", "–5"], "'–5' begins with U+2013", "Type a hyphen."],
    [["--min–score", "80"], "unknown option '--min–score'", "Did you mean --min-score?"],
    [[`--min-score${SPACE}80`], "contains U+00A0, which is invisible", "as a separate word."],
    [[`${SPACE}--min-score`, "80"], "contains U+00A0", "as a separate word."],
    [[`https://b.example/${SPACE}`], "contains U+00A0", "as a separate word."],
    [["https://b.example/\u200b"], "contains U+200B", "as a separate word."],
    [["--min-score", "８０"], "--min-score does not take '８０'", "from 0 to 100."],
    [["--min-category", "headers=１２"], "--min-category does not take", "such as headers=12."],
    [["min-score", "80"], "'min-score' is not a URL", "such as https://example.com/."],
    [["80"], "'80' is not a URL", "such as https://example.com/."],
    [["--", "—b.example"], "'—b.example' begins with U+2014", "Type --b.example."],
  ])("%j", async (typed, message, advice) => {
    await using server = await startContractDouble();
    const ran = await runCli(["check", "https://a.example/", ...typed], server.env);
    expect([ran.exitCode, ran.stdout, server.requests.length]).toEqual([2, "", 0]);
    expect(ran.stderr).toContain(message);
    expect(ran.stderr.trim().endsWith(advice)).toBe(true);
  });

  test("but a name after -- may start with a dash", async () => {
    await expect(parseCommandLine(["last-ship", "--", "— Shop"], "1.0.0")).resolves.toBeDefined();
  });
});

test.each(["abc", "101", "-1", "1e1", "", " 80", "79.5", "0x50", "--json"])(
  "--min-score %j is rejected",
  async (value) => {
    for (const flag of [["--min-score", value], [`--min-score=${value}`]])
      await expectRefused(["check", "https://a.example", ...flag], {
        message: `--min-score does not take '${value}'`,
        advice: "Use a whole number from 0 to 100",
      });
  },
);

test.each(["0", "3601", "1.5", "60s", ""])("--timeout %j is rejected", async (value) => {
  await expectRefused(["projects", "--timeout", value]);
});

test.each([
  ["check", "--token", "psk_secret", "https://a.example"],
  ["--token=psk_secret", "projects"],
  ["projects", "--token"],
])("%s %s %s explains why there is no --token, and does not repeat it", async (...args) => {
  expect(await runCli(args.filter((arg) => arg !== undefined))).toEqual({
    exitCode: 2,
    stdout: "",
    stderr:
      "shipscore: there is no --token, because other processes can read the command line, and the shell's history keeps it. Set SHIPSCORE_TOKEN to the token, and revoke the one that you typed here.\n",
  });
});

test("a token in a mistyped flag is masked", async () => {
  const { exitCode, stderr } = await runCli(["projects", "--tokn=psk_secret"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^shipscore: unknown option '--tokn=\*\*\*'\. /);
});

test("no command is a usage error, with the help on stderr", async () => {
  const { exitCode, stdout, stderr } = await runCli([]);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("Usage: shipscore [options] [command]");
});

test("--version", async () => {
  expect(await runCli(["--version"])).toEqual({
    exitCode: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: "",
  });
});

test.each([
  [["--help"], "Start here:"],
  [["help"], "Start here:"],
  [["help", "check"], "--min-score <n>"],
  [["check", "--help-all"], "Each URL counts as one check"],
  [["incidents", "-h"], "--exit-code"],
  [["help", "environment"], "SHIPSCORE_TARGET_HEADERS"],
  [["help", "output"], "columns are only added"],
  [["help", "mcp"], "Claude Code, .mcp.json:"],
  [["help", "ci"], "shipscore-server exec -- \\\n"],
])("%j explains itself on stdout, in 80 columns", async (args, part) => {
  const { exitCode, stdout, stderr } = await runCli(args);
  expect([exitCode, stderr]).toEqual([0, ""]);
  expect(stdout).toContain(part);
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("the help of each command and topic fits 45 lines, and starts with examples", async () => {
  const topics = ["exit-codes", "environment", "output", "ci"].map((topic) => ["help", topic]);
  const commands = Object.keys(COMMANDS)
    .filter((name) => name !== HIDDEN_COMMAND && name !== "help")
    .map((name) => [name, "--help"]);
  for (const words of [...topics, ...commands]) {
    const lines = (await runCli(words)).stdout.trimEnd().split("\n");
    expect([words, lines.length]).toEqual([words, Math.min(lines.length, 45)]);
    if (words[0] !== "mcp") expect(lines.slice(0, 3)).toContain("Examples:");
  }
});

test("rare flags and the ids of rules are in --help-all", async () => {
  const [brief, whole] = [await runCli(["check", "--help"]), await runCli(["check", "--help-all"])];
  for (const part of ["--missing-baseline", "--color <when>", "--timeout", "hdr.csp hdr.framing"]) {
    expect(brief.stdout).not.toContain(part);
    expect(whole.stdout).toContain(part);
  }
  expect((await runCli(["help", "check", "--help-all"])).stdout).toBe(whole.stdout);
});

test("help exit-codes lists every code", async () => {
  const { stdout } = await runCli(["help", "exit-codes"]);
  for (const code of Object.values(EXIT))
    expect(stdout).toContain(`${code}  ${EXIT_MEANINGS[code].en}`);
});
