import { expect, test } from "vitest";
import { COMMANDS, HIDDEN_COMMAND } from "../../cli/commands.ts";
import { runCli } from "../harness/cli.ts";
import { expectFrench } from "./refused.ts";

const TOPICS = ["exit-codes", "environment", "output", "ci"];
const NAMES = Object.keys(COMMANDS).filter((name) => name !== HIDDEN_COMMAND);
const HELPS = [
  ["--help"],
  ...NAMES.map((name) => [name, "--help"]),
  ...NAMES.map((name) => [name, "--help-all"]),
  ...TOPICS.map((topic) => ["help", topic]),
  ...TOPICS.map((topic) => ["help", topic, "--help-all"]),
];

/** Help without code: examples, members of JSON, tables of names. */
const withoutCode = (help: string): string =>
  help
    .split("\n")
    .filter((line) => !/^ {2,}(?:shipscore|case|["{}\]]|command|args|env)|\\$/.test(line))
    .join("\n");

test.each(HELPS)("%s %s is French in French, and English in English", async (...words) => {
  const argv = words.filter((word) => word !== undefined);
  const french = await runCli(argv, { LC_ALL: "fr_FR.UTF-8" });
  const english = await runCli(argv, { LC_ALL: "C" });
  expectFrench(withoutCode(french.stdout));
  const [, usage = ""] = /^Utilisation\s: (.*)$/m.exec(french.stdout) ?? [];
  const [, described = ""] = /^Arguments\s:\n((?: {2}.*\n)*)/m.exec(french.stdout) ?? [];
  for (const [, name] of described.matchAll(/^ {2}([^ ]+)/gm)) expect(usage).toMatch(`${name}`);
  expect(english.stdout).not.toMatch(/[éèêàçœ«»]|\u00a0/);
  expect(withoutCode(french.stdout)).not.toMatch(/ [:;?!»]|« /);
  const isTooWide = (line: string) => line.length > 80;
  expect([french, english].flatMap(({ stdout }) => stdout.split("\n").filter(isTooWide))).toEqual(
    [],
  );
});
