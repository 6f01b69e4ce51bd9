import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findCandidates } from "../../cli/completions/candidates.ts";
import { listProjectNames } from "../../cli/completions/project-names.ts";
import type { Context } from "../../cli/terminal/context.ts";
import { openIo } from "../../cli/terminal/io.ts";
import { describeCommands } from "../../cli/program.ts";
import { runCli, runShell, TOKEN } from "../harness/cli.ts";
import { startContractDouble, type ContractDouble } from "../harness/contract-double.ts";

let server: ContractDouble;
let folder: string;
beforeAll(async () => {
  server = await startContractDouble();
  folder = await mkdtemp(join(tmpdir(), "sc-shell-"));
  await symlink(
    fileURLToPath(new URL("../../bin/shipscore.js", import.meta.url)),
    join(folder, "shipscore"),
  );
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const env = () => ({ SHIPSCORE_URL: server.url, SHIPSCORE_TOKEN: TOKEN });

async function complete(words: readonly string[], variables: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = await runCli(["complete", "--", ...words], variables);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t")[0]);
}

describe("what may follow", () => {
  test.each<[words: string[], candidates: string[]]>([
    [["nonesuch", ""], []],
    [["check", ""], []],
    [["last-ship", "one", ""], []],
    [["check", "--min-score", ""], []],
    [["check", "--token", ""], []],
    [["che"], ["check"]],
    [["co"], ["completion"]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish", "powershell"],
    ],
    [["completion", "p"], ["powershell"]],
    [["help", "exit"], ["exit-codes"]],
    [["check", "https://a.example", "--miss"], ["--missing-baseline"]],
    [
      ["check", "--missing-baseline", ""],
      ["fail", "pass"],
    ],
    [["incidents", "--w"], ["--watch"]],
    [["projects", "--h"], ["--help"]],
  ])("%j is %j", async (words, candidates) => {
    expect(await complete(words)).toEqual(candidates);
  });
});

/** In this process: the limit of 300 ms is for the server's answer. */
describe("a project's name", () => {
  const contextOf = async (variables: Record<string, string>): Promise<Context> => ({
    env: variables,
    io: await openIo(new PassThrough(), new PassThrough(), {}),
    openStdin: () => process.stdin,
    version: "1.0.0",
    signal: new AbortController().signal,
    describeCommands: async () => [],
    now: () => new Date(),
  });
  const names = (variables: Record<string, string>) => contextOf(variables).then(listProjectNames);
  const completeProject = async (...words: string[]) => {
    const commands = await describeCommands("1.0.0");
    const candidates = await findCandidates(commands, words, () => names(env()));
    return candidates.map(({ value }) => value);
  };

  test("is left out without a token, or where no answer comes at once", async () => {
    expect(await names({ SHIPSCORE_URL: server.url })).toEqual([]);
    await using silent = await startContractDouble(() => {});
    expect(await names({ SHIPSCORE_URL: silent.url, SHIPSCORE_TOKEN: TOKEN })).toEqual([]);
    expect(silent.requests).toHaveLength(1);
  });

  test("is asked of the server, wherever a project may stand", async () => {
    const all = ["Blog", "Shop", "prj_3", "prj_4"];
    expect(await completeProject("last-ship", "")).toEqual(all);
    expect(await completeProject("incidents", "--json", "")).toEqual(all);
    expect(await completeProject("check", "--project", "S")).toEqual(["Shop"]);
    expect(await completeProject("incidents", '"B')).toEqual(["Blog"]);
  });
});

test("the hidden command is in no help", async () => {
  expect((await runCli(["--help"])).stdout).not.toMatch(/^ +complete /m);
});

const SHELLS: [shell: string, line: string][] = [
  [
    "bash",
    `bash -c 'source <(shipscore completion bash); COMP_WORDS=(shipscore help exit); COMP_CWORD=2; _shipscore; echo "$COMPREPLY"'`,
  ],
  ["fish", `fish -c 'shipscore completion fish | source; complete -C "shipscore help exit"'`],
  [
    "zsh",
    `zsh -fc 'compdef() { :; }; _describe() { print -l -- $entries; }; eval "$(shipscore completion zsh)"; words=(shipscore help exit); CURRENT=3; _shipscore'`,
  ],
];

describe.each(SHELLS)("%s", (shell, line) => {
  test("completes a word", async (context) => {
    const { exitCode: missing } = await runShell(`command -v ${shell}`);
    if (missing !== 0) return context.skip(`${shell} is not installed`);
    const path = `PATH="${folder}:$PATH" HOME="${folder}"`;
    const { stdout } = await runShell(`${path} ${line}`, env());
    return expect(stdout).toMatch(/^exit-codes/);
  });
});

test("a shell that is not known is refused", async () => {
  const { exitCode, stderr } = await runCli(["completion", "tcsh"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("bash, zsh, fish, powershell");
});
