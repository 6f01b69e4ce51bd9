import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { runCli, runShell, startCli } from "../../harness/cli.ts";
import { contract, json, startContractDouble } from "../../harness/contract-double.ts";
import { useFolder, use } from "../../harness/use.ts";
import { expectRefused } from "../refused.ts";

const URL = "https://example.com/";

const server = use(() =>
  startContractDouble((request, response, count) => {
    const answer = request.path.startsWith("/refused") ? json({ error: "Non." }, 401) : contract;
    answer(request, response, count);
  }),
);
const root = useFolder();

test.each([
  [["--report", "sarif=-", "--json"], "--report sarif=- and --json both print to stdout"],
  [["--report", "json=-", "--field", "score"], "--report json=- and --field both print to stdout"],
  [["--report", "junit=-", "--explain", "hdr.csp"], "--report junit=- and --explain both"],
  [["--report", "junit=-", "--report", "html=-"], "--report does not take 'html=-'"],
  [["--as", "http://example.com/"], "--as does not take"],
  [["--as", "example.com"], "--as does not take"],
])("%j is rejected before anything is sent", async (flags, message) => {
  await expectRefused(["check", URL, ...flags], { message: expect.stringContaining(message) });
});

test("--as with several URLs is rejected before the token is needed", async () => {
  const { exitCode, stderr } = await runCli(["check", URL, "https://other.example/", "--as", URL]);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    "shipscore: --as names one page, but there are 2 to check. Check one URL, or leave --as out.\n",
  );
});

test.each([
  ["a gate that is not met", [URL, "--min-score", "80"], ""],
  ["several URLs", [URL, "https://example.com/?key=secret", "--min-score", "80"], ""],
  ["an error of the API", [URL], "/refused"],
  ["a refused list", [URL, "https://other.example/"], "/refused"],
  [
    "a baseline that is refused",
    [URL, "https://other.example/", "--max-drop", "3", "--project", "prj_1"],
    "/refused",
  ],
])("--report json=- prints what --json does, byte for byte: %s", async (_, words, path) => {
  const settings = { ...server.env, SHIPSCORE_URL: server.url + path };
  const [asFlag, asReport] = await Promise.all(
    [["--json"], ["--report", "json=-"]].map((flags) =>
      runCli(["check", ...words, ...flags], settings),
    ),
  );
  expect(asReport).toEqual(asFlag);
  expect(asFlag?.stdout).not.toBe("");
});

test("another format replaces the result, on a terminal too; notes stay on stderr", async () => {
  const words = ["check", URL, "--min-score", "80", "--report", "markdown=-"];
  const { exitCode, stdout, stderr } = await runCli(words, {
    ...server.env,
    SHIPSCORE_FORCE_TTY: "80",
  });
  expect([exitCode, stdout.split("\n", 1)]).toEqual([1, ["## Ship Score 59/100: Do not ship"]]);
  expect(stdout).not.toContain("59\tdo_not_ship");
  expect(stderr).toBe(
    "shipscore: not met: score 59, minimum 80.\nshipscore: Gate: 0 of 1 condition met.\n",
  );
});

test("a page without a check is an error in the report on stdout, as in a file", async () => {
  const words = ["check", URL, "--report", "gitlab=-"];
  const { exitCode, stdout } = await runCli(words, {
    ...server.env,
    SHIPSCORE_URL: `${server.url}/refused`,
  });
  expect(exitCode).toBe(41);
  expect(JSON.parse(stdout)).toMatchObject([{ check_name: "not-checked" }]);
});

describe("what is not a file is written to, and not replaced:", () => {
  const shell = (line: string) =>
    runShell(
      line.replace("CHECK", `"${process.execPath}" bin/shipscore.js check ${URL}`),
      server.env,
    );

  test("a device", async () => {
    const { exitCode, stdout } = await shell("CHECK --report json=/dev/null");
    expect([exitCode, stdout.split("\t")[0]]).toEqual([0, "59"]);
    expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
  });

  test("a stream that is a file, which keeps its earlier content", async () => {
    const path = join(root, "out");
    await shell(`CHECK --report gitlab=/dev/stdout > "${path}"`);
    const text = await readFile(path, "utf8");
    expect(text).toMatch(/^\[\n[^]*\n\]\n59\tdo_not_ship\t/);
  });

  test.each(["-", "/dev/stdout"])(
    "a closed reader of %s does not change the exit code",
    async (path) => {
      const { stderr } = await shell(
        `{ CHECK --min-score 80 --report html=${path}; echo $? >&2; } | true`,
      );
      expect(stderr).toMatch(/^shipscore: not met: score 59,[^]*\n1\n$/);
    },
  );

  test("a full device is reported", async () => {
    const { exitCode, stderr } = await shell("CHECK --report json=/dev/full");
    expect([exitCode, stderr]).toEqual([
      74,
      expect.stringContaining("/dev/full cannot be written (ENOSPC)"),
    ]);
  });

  /** Starts a check that has got to the pipe: devices are written to once all files are. */
  async function startUntilPipe(path: string) {
    const reports = ["--report", `html=${path}`, "--report", `json=${path}.json`];
    const child = startCli(["check", URL, ...reports], server.env);
    await expect.poll(() => existsSync(`${path}.json`), { timeout: 15_000 }).toBe(true);
    return { ended: child, interrupt: () => child.kill("SIGINT") };
  }

  test("a pipe with a late reader", async () => {
    const path = join(root, "pipe");
    await promisify(execFile)("mkfifo", [path]);
    const child = await startUntilPipe(path);
    const [text, { exitCode }] = await Promise.all([readFile(path, "utf8"), child.ended]);
    expect([exitCode, text.slice(-8), (await stat(path)).isFIFO()]).toEqual([0, "</html>\n", true]);
  });

  test("a pipe that nobody reads, until Ctrl-C", async () => {
    const path = join(root, "unread");
    await promisify(execFile)("mkfifo", [path]);
    const child = await startUntilPipe(path);
    child.interrupt();
    expect((await child.ended).exitCode).toBe(130);
  });
});
