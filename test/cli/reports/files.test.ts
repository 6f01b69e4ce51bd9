import { mkdir, mkdtemp, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FORMATS } from "../../../cli/reports/formats.ts";
import { writeFiles } from "../../../cli/reports/files.ts";
import { runCli, startCli, TOKEN } from "../../harness/cli.ts";
import { CHECK, contract, json, startContractDouble } from "../../harness/contract-double.ts";
import { useFolder, use } from "../../harness/use.ts";
import { expectRefused } from "../refused.ts";

const NAMES = Object.keys(FORMATS);
const WRONG_FORMAT = `Use FORMAT=FILE, where FORMAT is one of ${NAMES.join(", ")}`;

const server = use(() =>
  startContractDouble((request, response, count) => {
    if (request.path !== "/silent/api/v1/check") contract(request, response, count);
  }),
);
const root = useFolder();

/** A folder of a test's own. */
const makeFolder = async (): Promise<string> => mkdtemp(join(root, "t-"));

const envFor = (url: string) => ({ SHIPSCORE_URL: url, SHIPSCORE_TOKEN: TOKEN });

function check(...reports: string[]) {
  const flags = reports.flatMap((report) => ["--report", report]);
  const words = ["check", "https://example.com/", "--min-score", "80", ...flags];
  return runCli(words, envFor(server.url));
}

test.each([
  [["html"], WRONG_FORMAT],
  [["html="], WRONG_FORMAT],
  [["=a.html"], WRONG_FORMAT],
  [["HTML=a.html"], WRONG_FORMAT],
  [["toString=a"], WRONG_FORMAT],
  [["html=a", "json=./b/../a"], "Use a separate file for each report"],
])("--report %j is rejected", async (values, reason) => {
  const flags = values.flatMap((value) => ["--report", value]);
  await expectRefused(["check", "https://example.com/", ...flags], {
    message: `--report does not take '${values.at(-1)}'`,
    advice: reason,
  });
});

test.each([
  ["a folder that is not there", "missing/a.html", "ENOENT"],
  ["a folder", "folder", "not a file"],
  ["a file as a folder", "file/a.html", "ENOTDIR"],
])(
  "a path that can't be written is reported before a check is made: %s",
  async (_, name, reason) => {
    const folder = await makeFolder();
    await mkdir(join(folder, "folder"));
    await writeFile(join(folder, "file"), "before");
    const before = await readdir(folder);
    const path = join(folder, name);
    const url = `${server.url}/untouched${encodeURIComponent(name)}`;
    const flags = ["--report", `json=${join(folder, "a.json")}`, "--report", `html=${path}`];
    expect(await runCli(["check", "https://example.com/", ...flags], envFor(url))).toEqual({
      exitCode: 74,
      stdout: "",
      stderr: `shipscore: ${path} cannot be written (${reason}). Use the path of a file in a folder that exists and is writable.\n`,
    });
    expect(server.requests.filter((request) => url.endsWith(request.path))).toEqual([]);
    expect(await readdir(folder)).toEqual(before);
  },
);

test("each format is written, also when the gate is not met", async () => {
  const folder = await makeFolder();
  const { exitCode, stdout } = await check(
    ...NAMES.map((format) => `${format}=${join(folder, format)}`),
  );
  expect([exitCode, stdout.split("\t")[0]]).toEqual([1, "59"]);
  expect(await readdir(folder)).toEqual(NAMES.toSorted());
  const beginnings = NAMES.map(async (format) => {
    const text = await readFile(join(folder, format), "utf8");
    return [format, text.endsWith("\n"), text.split("\n", 2).join("\n")];
  });
  expect(await Promise.all(beginnings)).toEqual([
    ["json", true, '{\n  "id": "chk_1",'],
    ["markdown", true, "## Ship Score 59/100: Do not ship\n"],
    ["junit", true, '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>'],
    ["sarif", true, '{\n  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",'],
    ["gitlab", true, "[\n  {"],
    ["html", true, expect.stringMatching(/^<!doctype html>\n<html lang="en">/)],
  ]);
});

describe("a rejected check is a finding in the reports of findings,", () => {
  const refuse = json({ error: "Jeton révoqué." }, 401);
  test.each([
    ["by itself", []],
    ["or for its baseline", ["--max-drop", "3", "--project", "prj_2"]],
  ])("%s", async (_, flags) => {
    await using refusing = await startContractDouble(refuse);
    const folder = await makeFolder();
    const reports = ["gitlab", "sarif"].flatMap((format) => [
      "--report",
      `${format}=${join(folder, format)}`,
    ]);
    const words = ["check", "https://example.com/", ...reports, ...flags];
    const { exitCode, stdout } = await runCli(words, envFor(refusing.url));
    expect([exitCode, stdout, refusing.requests.length]).toEqual([41, "", 1]);
    expect(JSON.parse(await readFile(join(folder, "gitlab"), "utf8"))).toMatchObject([
      {
        severity: "blocker",
        description: expect.stringContaining('"Jeton révoqué."'),
        location: { path: "example.com" },
      },
    ]);
    expect(JSON.parse(await readFile(join(folder, "sarif"), "utf8"))).toMatchObject({
      runs: [{ results: [{ ruleId: "not-checked", level: "error" }] }],
    });
  });
});

test("an older file is replaced, also behind a link, and a link may point to a new file", async () => {
  const folder = await makeFolder();
  await symlink("new.json", join(folder, "other.json"));
  await writeFile(join(folder, "real.json"), "before");
  await symlink("real.json", join(folder, "link.json"));
  await check(`json=${join(folder, "link.json")}`, `gitlab=${join(folder, "other.json")}`);
  expect(JSON.parse(await readFile(join(folder, "real.json"), "utf8"))).toMatchObject(CHECK);
  expect(await readdir(folder)).toEqual(["link.json", "new.json", "other.json", "real.json"]);
  expect(await readlink(join(folder, "other.json"))).toBe("new.json");
});

test("if one file fails during writing, none is replaced", async () => {
  const folder = await makeFolder();
  const { signal } = new AbortController();
  const files = [
    { path: join(folder, "a"), text: "a" },
    { path: join(folder, "missing", "b"), text: "b" },
  ];
  await expect(writeFiles(files, signal)).rejects.toThrow(
    expect.objectContaining({ exitCode: 74 }),
  );
  expect(await readdir(folder)).toEqual([]);
});

test("Ctrl-C leaves the files unchanged", async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, "old.json"), "before");
  const flags = ["old.json", "new.json"].flatMap((name) => [
    "--report",
    `json=${join(folder, name)}`,
  ]);
  const url = `${server.url}/silent`;
  const child = startCli(["check", "https://example.com/", ...flags], envFor(url));
  await expect
    .poll(() => server.requests.some(({ path }) => path.startsWith("/silent/")), {
      timeout: 15_000,
    })
    .toBe(true);
  child.kill("SIGINT");
  expect((await child).exitCode).toBe(130);
  expect(await readdir(folder)).toEqual(["old.json"]);
  expect(await readFile(join(folder, "old.json"), "utf8")).toBe("before");
});
