import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { expect, test } from "vitest";
import { describeCommands } from "../../cli/program.ts";
import { Config } from "../../cli/config/schema.ts";
import { addCommands } from "../../server/operator/commands.ts";
import { readBlocks } from "../ci/blocks.ts";
import { ROOT } from "../harness/package.ts";

const TOPICS = ["exit-codes", "environment", "output", "ci"];
/** The commands that server/main.ts defines. */
const PROGRAM = {
  start: ["--port", "--host", "--data-dir", "--setup"],
  migrate: [],
  exec: ["--data-dir"],
  rescore: ["--ruleset", "--language"],
};

async function listPages(): Promise<string[]> {
  const names = await Promise.all(
    ["docs", "docs/fr"].map(async (folder) =>
      (await readdir(join(ROOT, folder))).map((name) => `${folder}/${name}`),
    ),
  );
  return ["README.md", ...names.flat().filter((name) => name.endsWith(".md"))];
}
const pages = await Promise.all(
  (await listPages()).map(
    async (name) => [name, await readFile(join(ROOT, name), "utf8")] as const,
  ),
);

/** Yields the words of each command on the pages, without the shell around it. */
function* listCommands(program: string): Generator<[page: string, words: string[]]> {
  const call = new RegExp(`(?:^|[\\s\`/])${program}(?:\\.tgz|\\.js)? ([^\`\\n|]*)`, "gm");
  for (const [page, text] of pages)
    for (const [, words = ""] of text.matchAll(call))
      yield [page, words.split(/\s+/).map((word) => word.replace(/[,.;:)]+$/, ""))];
}

const isFlag = (word: string) => /^--?[a-z][a-z-]*$/.test(word);

test("each command of shipscore in README and docs exists, with its flags", async () => {
  const commands = new Map((await describeCommands("1.0.0")).map((one) => [one.name(), one]));
  let count = 0;
  for (const [page, [name = "", ...words]] of listCommands("shipscore")) {
    if (!/^[a-z-]+$/.test(name) || !/`|\n/.test(name + "`")) continue;
    const command = commands.get(name);
    if (name === "help" && words[0])
      expect([page, TOPICS.concat(...commands.keys())]).toEqual([
        page,
        expect.arrayContaining([words[0]]),
      ]);
    if (command === undefined) continue;
    const known = command.options.flatMap(({ long, short }) => [long, short]);
    const flags = words.filter(isFlag).filter((flag) => !["--help", "--help-all"].includes(flag));
    expect([page, name, flags.filter((flag) => !known.includes(flag))]).toEqual([page, name, []]);
    count += 1;
  }
  expect(count).toBeGreaterThan(40);
});

test("each command of shipscore-server in README and docs exists", () => {
  const program = new Command();
  addCommands(program, () => {});
  const namesOf = ({ commands }: Command) => commands.map((one) => one.name());
  const groups = new Map(
    program.commands.flatMap((one) =>
      one.commands.length === 0 ? [] : [[one.name(), namesOf(one)]],
    ),
  );
  const own = namesOf(program).filter((name) => !groups.has(name));
  let count = 0;
  for (const [page, [name = "", word = ""]] of listCommands("shipscore-server")) {
    const words = groups.get(name);
    if (words === undefined || !/^[a-z-]+$/.test(word)) {
      if (own.includes(name) || name in PROGRAM) count += 1;
      continue;
    }
    expect([page, name, word, words.includes(word)]).toEqual([page, name, word, true]);
    count += 1;
  }
  expect(count).toBeGreaterThan(30);
});

test("docs/command.md shows a file that check accepts", () => {
  const [, text = ""] =
    /```json\n([^]*?)```/.exec(new Map(pages).get("docs/command.md") ?? "") ?? [];
  expect(Config.safeParse(JSON.parse(text)).success).toBe(true);
});

test("docs/ci.md starts with the smallest gate of each system, then has a file that check accepts", async () => {
  const blocks = await readBlocks();
  const systems = [
    "GitHub Actions",
    "GitLab CI",
    "Jenkins",
    "CircleCI",
    "Buildkite",
    "Azure Pipelines",
  ];
  expect(blocks.slice(0, 6).map(({ system }) => system)).toEqual(systems);
  for (const { text } of blocks.slice(0, 6))
    expect(text.split("\n").filter((line) => !/^(#|$)/.test(line)).length).toBeLessThanOrEqual(10);
  const file = blocks.find(({ system }) => system === "The file");
  expect(Config.safeParse(JSON.parse(file?.text ?? "")).success).toBe(true);
});
