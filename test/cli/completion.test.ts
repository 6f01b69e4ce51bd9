import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { findCandidates } from "../../cli/completions/candidates.ts";
import { listProjectNames } from "../../cli/commands/complete.ts";
import { describeCommands } from "../../cli/program.ts";
import { openContext, runCli, runShell } from "../harness/cli.ts";
import { startContractDouble } from "../harness/contract-double.ts";
import { useFolder, use } from "../harness/use.ts";

const server = use(startContractDouble);
const folder = useFolder();
beforeAll(async () => {
  await symlink(
    fileURLToPath(new URL("../../bin/shipscore.js", import.meta.url)),
    join(folder, "shipscore"),
  );
});

async function complete(words: readonly string[]): Promise<string[]> {
  const commands = await describeCommands("1.0.0");
  const candidates = await findCandidates(commands, words, {
    language: "en",
    listNames: async () => [],
  });
  return candidates.map(({ value, isFile }) => (isFile ? `${value}FILE` : value));
}

describe("completion candidates", () => {
  const categories = "reach tls redirects headers cookies html assets performance";
  test.each<[line: string, candidates: string]>([
    ["nonesuch ", ""],
    ["check ", ""],
    ["last-ship one ", ""],
    ["check --min-score ", ""],
    ["check --min-score= ", ""],
    ["check --min-score=8", ""],
    ["check --min-category tls=5", ""],
    [
      "check --explain tls",
      "tls.chain tls.intermediate tls.hostname tls.expiry tls.versions tls.strength",
    ],
    ["check --explain hdr.csp,", ""],
    ["check --preview= ", ""],
    ["check --nonesuch=", ""],
    ["check --token ", ""],
    ["che", "check"],
    ["comp", "completion"],
    ["completion ", "bash zsh fish powershell"],
    ["completion p", "powershell"],
    ["help exit", "exit-codes"],
    ["check https://a.example --miss", "--missing-baseline"],
    ["check --missing-baseline ", "fail pass"],
    ["check --missing-baseline=", "--missing-baseline=fail --missing-baseline=pass"],
    ["check --require hdr.cs", "hdr.csp"],
    ["check --require tls,hdr.cs", "tls,hdr.csp"],
    [
      "check --require cookies,cookie",
      "cookies,cookie.secure cookies,cookie.session cookies,cookie.shared",
    ],
    ["check --require=seo.so", "--require=seo.social"],
    ["check --require=tls,redir.h", "--require=tls,redir.https --require=tls,redir.host"],
    ["check --explain=hdr.cs", "--explain=hdr.csp"],
    ["explain perf.h", "perf.http2"],
    ["check --min-category ", `${categories.replaceAll(" ", "= ")}=`],
    ["check --min-category=tl", "--min-category=tls="],
    ["check --report j", "json= junit="],
    ["check --report=sa", "--report=sarif="],
    ["check --report json=check", "json=FILE"],
    ["check --report=junit=", "--report=junit=FILE"],
    ["check --urls u", "FILE"],
    ["check --urls=u", "--urls=FILE"],
    ["check https://a.example/ --from ", "FILE"],
    ["check https://a.example/ --save ", "FILE"],
    ["check https://a.example/ --baseline ", "FILE"],
    ["incidents --w", "--watch"],
    ["projects --h", "--help"],
  ])("%j is %j", async (line, candidates) => {
    expect((await complete(line.split(" "))).join(" ")).toBe(candidates);
  });

  test("are one row each: the word, its meaning, and whether a file name follows", async () => {
    expect(await runCli(["complete", "--", "check", "--require=hdr.c"])).toEqual({
      exitCode: 0,
      stdout: "--require=hdr.csp\tContent Security Policy (CSP)\n",
      stderr: "",
    });
    const { stdout } = await runCli(["complete", "--", "check", "--report=json="]);
    expect(stdout).toBe("--report=json=\t\tfile\n");
  });
});

/** In this process: the limit of 300 ms is for the server's answer. */
describe("a project's name", () => {
  const names = (variables: Record<string, string>) =>
    openContext(variables).then(listProjectNames);
  const completeProject = async (...words: string[]) => {
    const commands = await describeCommands("1.0.0");
    const candidates = await findCandidates(commands, words, {
      language: "en",
      listNames: () => names(server.env),
    });
    return candidates.map(({ value }) => value);
  };

  test("are left out without a token, or without an immediate answer", async () => {
    expect(await names({ SHIPSCORE_URL: server.url })).toEqual([]);
    await using silent = await startContractDouble(() => {});
    expect(await names(silent.env)).toEqual([]);
    expect(silent.requests).toHaveLength(1);
  });

  test("come from the server, at any position of a project", async () => {
    const all = ["Blog", "Shop", "prj_3", "prj_4"];
    expect(await completeProject("last-ship", "")).toEqual(all);
    expect(await completeProject("incidents", "--json", "")).toEqual(all);
    expect(await completeProject("check", "--project", "S")).toEqual(["Shop"]);
    expect(await completeProject("incidents", '"B')).toEqual(["Blog"]);
  });
});

test("the hidden command is not in the help", async () => {
  expect((await runCli(["--help"])).stdout).not.toMatch(/^ +complete /m);
});

type Line = [words: string[], completed: string];

/** The words as bash splits them, and what it puts in place of the last. */
const BASH_LINES: Line[] = [
  [["help", "exit"], "exit-codes"],
  [["check", "--require", "tls,hdr.cs"], "tls,hdr.csp"],
  [["check", "--require", "=", "hdr.cs"], "hdr.csp"],
  [["check", "--min-category", "="], "reach="],
  [["check", "--report", "=", "js"], "json="],
  [["check", "https", ":", "//a.example/", "--expl"], "--explain"],
  [["check", "--urls", "shipsc"], "shipscore"],
  [["check", "--report", "=", "json", "=", "shipsc"], "shipscore"],
];

const LINES: Line[] = [
  [["help", "exit"], "exit-codes"],
  [["check", "--require", "tls,hdr.cs"], "tls,hdr.csp"],
  [["check", "--require=hdr.cs"], "--require=hdr.csp"],
  [["check", "--report", "js"], "json="],
];

const quote = (words: readonly string[]) => words.map((word) => `"${word}"`).join(" ");

/** For each shell, a line for each case, which prints the first word that it completes. */
const SHELLS: [shell: string, lines: Line[], start: string, each: (words: string[]) => string][] = [
  [
    "bash",
    BASH_LINES,
    "source <(shipscore completion bash)",
    (words) =>
      `COMP_WORDS=(shipscore ${quote(words)}); COMP_CWORD=${words.length}; _shipscore; echo "$COMPREPLY"`,
  ],
  [
    "fish",
    [
      ...LINES,
      [["check", "--urls", "shipsc"], "shipscore"],
      [["check", "--report=json=shipsc"], "--report=json=shipscore"],
    ],
    "shipscore completion fish | source",
    (words) => `complete -C "shipscore ${words.join(" ")}"`,
  ],
  [
    "zsh",
    [...LINES, [["check", "--report=json=shipsc"], "after 14, a file"]],
    'compdef() { :; }; compset() { print -n "after $2, "; }; _files() { print "a file"; }; _describe() { print -l -- $entries $open; }; eval "$(shipscore completion zsh)"',
    (words) => `words=(shipscore ${quote(words)}); CURRENT=${words.length + 1}; _shipscore`,
  ],
];

describe.each(SHELLS)("%s", (shell, lines, start, each) => {
  test("completes words, and files if the option takes a file", async (context) => {
    const { exitCode: missing } = await runShell(`command -v ${shell}`);
    if (missing !== 0) return context.skip(`${shell} is not installed`);
    const script = [start, ...lines.map(([words]) => each(words))].join("\n");
    const path = `cd "${folder}" && PATH="${folder}:$PATH" HOME="${folder}"`;
    const { stdout, stderr } = await runShell(
      `${path} ${shell} ${shell === "zsh" ? "-fc" : "-c"} "$SCRIPT"`,
      { ...server.env, SCRIPT: script },
    );
    const first = stdout.split("\n").map((row) => row.split(/[\t:]/, 1)[0]);
    return expect([first.filter((word) => word !== ""), stderr]).toEqual([
      lines.map(([, completed]) => completed),
      "",
    ]);
  });
});

test("an unknown shell is rejected", async () => {
  const { exitCode, stderr } = await runCli(["completion", "tcsh"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("bash, zsh, fish, powershell");
});
