import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RULESET } from "../../server/judge/ruleset.ts";
import { BIN, runServerCommand } from "../harness/process.ts";
import { goodEvidence } from "./evidence-fixtures.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sc-rescore-"));
});
afterAll(() => rm(folder, { recursive: true }));

const rescore = (...words: string[]) => runServerCommand(["rescore", ...words], {});
const saveFile = async (name: string, content: string) => {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
};

describe("a refusal is one sentence that says what to do", () => {
  const good = JSON.stringify(goodEvidence());
  test.each<[why: string, content: string, words: string[], exitCode: number, sentence: RegExp]>([
    ["no JSON", "{", [], 1, /is not JSON\. `shipscore-server evidence CHECK_ID` prints/],
    ["empty", "", [], 1, /is not JSON/],
    ["another value", "[]", [], 1, /is not evidence \(the whole: /],
    ["an answer", '{"score":1}', [], 1, /is not evidence \(version: /],
    ["a later version", good.replace('"version":2', '"version":3'), [], 1, /\(version: /],
    [
      "a part missing",
      good.replace('"status":200', '"state":200'),
      [],
      1,
      /\(page\.hops\.0\.status/,
    ],
    [
      "a later ruleset",
      good.replace("{", '{"judged":{"ruleset":"2999.1","language":"fr"},'),
      [],
      1,
      /There is no ruleset 2999\.1 here\. Known: /,
    ],
    ["no such ruleset", good, ["--ruleset", "1999.1"], 2, /There is no ruleset 1999\.1 here/],
    ["no such language", good, ["--language", "de"], 2, /--language is one of fr, en/],
  ])("%s", async (why, content, words, exitCode, sentence) => {
    const result = await rescore(await saveFile(`${why}.json`, content), ...words);
    expect([result.exitCode, result.stdout]).toEqual([exitCode, ""]);
    expect(result.stderr).toMatch(/^shipscore-server: [^\n]+\n$/);
    expect(result.stderr).toMatch(sentence);
  });

  test("no such file, and a folder", async () => {
    expect((await rescore(join(folder, "none"))).stderr).toContain(`There is no file ${folder}`);
    expect((await rescore(folder)).stderr).toContain("can't be read: EISDIR");
  });
});

test("evidence comes through a pipe, and without a word of how it was judged", async () => {
  const child = spawn(process.execPath, [BIN, "rescore", "-", "--language", "en"]);
  let stdout = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stdin.end(JSON.stringify(goodEvidence()));
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ score: 100, ruleset: RULESET.version });
});

test("a person reads the score, the caps and a line a finding", async () => {
  const file = await saveFile("good.json", JSON.stringify(goodEvidence()));
  const { stdout } = await runServerCommand(["rescore", file], { SHIPSCORE_FORCE_TTY: "80" });
  const points = RULESET.rows[0]?.points;
  expect(stdout).toMatch(
    new RegExp(
      `^100, ship \\(${RULESET.version}\\)\n\nreach\\.dns +pass +${points} of ${points}\n`,
    ),
  );
});
