import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Changes } from "../../../server/engine/judge/changes.ts";
import { RULESET } from "../../../server/engine/judge/ruleset.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import { rescore as rescoreHere } from "../../../server/operator/rescore.ts";
import { BIN, runServerCommand } from "../../harness/process.ts";
import { evidenceWith, goodEvidence } from "./evidence-fixtures.ts";
import { OLDER, WITH_OLDER } from "./older-ruleset.ts";

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

describe("an error is one sentence with advice", () => {
  const good = JSON.stringify(goodEvidence());
  test.each<[why: string, content: string, words: string[], exitCode: number, sentence: RegExp]>([
    ["no JSON", "{", [], 1, /is not JSON\. `shipscore-server evidence CHECK_ID` prints/],
    ["empty", "", [], 1, /is not JSON/],
    ["another value", "[]", [], 1, /is not evidence \(the whole file: /],
    ["an answer", '{"score":1}', [], 1, /is not evidence \(version: /],
    ["a later version", good.replace('"version":3', '"version":4'), [], 1, /another version/],
    ["an older version", good.replace('"version":3', '"version":2'), [], 1, /another version/],
    ["no version", good.replace('"version":3,', ""), [], 1, /is not evidence \(version: /],
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
      /There is no ruleset 2999\.1 here\. Known rulesets: /,
    ],
    ["no such ruleset", good, ["--ruleset", "1999.1"], 2, /There is no ruleset 1999\.1 here/],
    ["no such language", good, ["--language", "de"], 2, /--language must be one of fr, en/],
  ])("%s", async (why, content, words, exitCode, sentence) => {
    const result = await rescore(await saveFile(`${why}.json`, content), ...words);
    expect([result.exitCode, result.stdout]).toEqual([exitCode, ""]);
    expect(result.stderr).toMatch(/^shipscore-server: [^\n]+\n$/);
    expect(result.stderr).toMatch(sentence);
  });

  test("no such file, and a folder", async () => {
    expect((await rescore(join(folder, "none"))).stderr).toContain(`There is no file ${folder}`);
    expect((await rescore(folder)).stderr).toContain("cannot be read: EISDIR");
  });
});

test("evidence comes through a pipe, and without its ruleset", async () => {
  const child = spawn(process.execPath, [BIN, "rescore", "-", "--language", "en"]);
  let stdout = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stdin.end(JSON.stringify(goodEvidence()));
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ score: 100, ruleset: RULESET.version });
});

test("people get the score, the caps and a line for each finding", async () => {
  const file = await saveFile("good.json", JSON.stringify(goodEvidence()));
  const { stdout } = await runServerCommand(["rescore", file], { SHIPSCORE_FORCE_TTY: "80" });
  const points = RULESET.rows[0]?.points;
  expect(stdout).toMatch(
    new RegExp(
      `^100, ship \\(${RULESET.version}\\)\n\nreach\\.dns +pass +${points} of ${points}\n`,
    ),
  );
});

describe("assessed by an older ruleset,", () => {
  const evidence = evidenceWith(({ assets }) => {
    for (const asset of assets.slice(1)) Object.assign(asset, { status: 404, kind: "icon" });
  });

  async function rescoreFile(ruleset: string, asked: string, isForPeople: boolean) {
    const judged = { ...evidence, judged: { ruleset, language: "en" } };
    const file = await saveFile("older.json", JSON.stringify(judged));
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const output = { stdin, stdout, stderr, columns: 80, isForPeople };
    await rescoreHere(output, file, { ruleset: asked }, WITH_OLDER);
    stdout.end();
    return text(stdout);
  }

  test("a file shows its result, and which points moved", async () => {
    const { changes, ...result } = JSON.parse(
      await rescoreFile(RULESET.version, OLDER.version, false),
    ) as { changes: Changes };
    expect(result).toEqual(scoreEvidence(evidence, "en", OLDER));
    expect(changes.from).toEqual({ ruleset: RULESET.version, score: 99, verdict: "ship" });
    expect(changes.to).toEqual({ ruleset: OLDER.version, score: 40, verdict: "do_not_ship" });
    expect(changes.findings).toHaveLength(RULESET.rows.length);
  });

  test("a file keeps that result next to the newest one", async () => {
    const lines = (await rescoreFile(OLDER.version, RULESET.version, true)).split("\n");
    expect(lines.slice(0, 5)).toEqual([
      "2025.1: 40, do_not_ship",
      `${RULESET.version}: 99, ship`,
      "",
      "reach.dns: 40 → 1 points, worth 1 point instead of 40",
      "asset.broken: 0 → 2 points, assessed partial instead of fail, worth 2.5 points instead of 60",
    ]);
  });
});
