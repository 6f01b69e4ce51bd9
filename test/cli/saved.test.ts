import { execFile } from "node:child_process";
import { open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { readSaved } from "../../cli/check/saved-results.ts";
import { readUrls } from "../../cli/check/urls.ts";
import { openIo } from "../../cli/terminal/io.ts";
import { runCli, runShell } from "../harness/cli.ts";
import { CHECK, json, startContractDouble } from "../harness/contract-double.ts";
import { useFolder } from "../harness/use.ts";
import { expectRefused } from "./refused.ts";

const folder = useFolder();

const at = (name: string) => join(folder, name);

async function write(name: string, content: unknown): Promise<string> {
  await writeFile(at(name), typeof content === "string" ? content : JSON.stringify(content));
  return at(name);
}

const USE_PATH = "Use the path of a file";
const LEAVE_ONE_OUT = "Leave one of them out";
const USE_FILE = "Use a file for one of them";

test.each([
  [
    "check https://a.example/ --from a.json",
    "--from cannot be used with a URL",
    "Leave out the URL, or leave out --from to check the URL now",
  ],
  [
    "check --from a.json --urls b",
    "--urls has no effect with --from, which sends nothing",
    LEAVE_ONE_OUT,
  ],
  [
    "check --from a.json --preview",
    "--preview has no effect with --from, which sends nothing",
    LEAVE_ONE_OUT,
  ],
  [
    "check --from a.json --wait-for-ready 3",
    "--wait-for-ready has no effect with --from, which sends nothing",
    LEAVE_ONE_OUT,
  ],
  [
    "check --from a.json --max-drop 3 --project Shop",
    "--project has no effect with --from, which sends nothing",
    LEAVE_ONE_OUT,
  ],
  ["check --from - --baseline -", "--from and --baseline both read stdin", USE_FILE],
  ["check --urls - --baseline -", "--urls and --baseline both read stdin", USE_FILE],
  ["check --from=", "--from does not take ''", USE_PATH],
  ["check https://a.example/ --baseline=", "--baseline does not take ''", USE_PATH],
  ["check --from a.json --from b.json", "--from is used twice", "Use it once"],
  [
    "check https://a.example/ --save a.json --report json=./a.json",
    "--save and --report both write a.json",
    "Use a separate file for each",
  ],
  [
    "check https://a.example/ --save a.json --baseline ./a.json --fail-on-new",
    "--save would replace the baseline a.json even if the gate is not met",
    "Save to another file, and move it once the conditions are met",
  ],
  ["check https://a.example/ --save -", "--save does not take '-'", "Use --json for stdout"],
  ["check https://a.example/ --save=", "--save does not take ''", USE_PATH],
  [
    "check https://a.example/ --fail-on-new",
    "--fail-on-new has no baseline to compare with",
    "Add --baseline FILE",
  ],
  [
    "check https://a.example/ --baseline a --max-drop 3 --project Shop",
    "--max-drop has two baselines: --project and --baseline",
    "Use one of them",
  ],
  [
    "check https://a.example/ --baseline a --missing-baseline pass",
    "--missing-baseline has no effect by itself",
    "Add --max-drop N, or leave it out",
  ],
])("rejected before a request: %s", async (line, message, advice) => {
  await expectRefused(line.split(" "), { message, advice });
});

describe("a file that is no saved answer is rejected, with nothing on stdout:", () => {
  const deep = `{"checks":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const many = { ...CHECK, findings: Array.from({ length: 301 }, () => CHECK.findings[0]) };

  test.each<[what: string, content: unknown]>([
    ["an empty file", ""],
    ["a text", "score 59\n"],
    ["another value", { score: 59 }],
    ["an error", { url: CHECK.url, exitCode: 49, error: "the quota is used up" }],
    ["a list of nothing", { checks: [] }],
    ["a list that holds something else", { checks: [CHECK, { score: 59 }] }],
    ["errors that are none", { checks: [CHECK], errors: [3] }],
    ["nested 100,000 deep", deep],
    ["hundreds of findings", many],
    ["a text as long as a book", { ...CHECK, url: `https://a.example/${"a".repeat(200_000)}` }],
  ])("%s", async (_, content) => {
    const file = await write("none.json", content);
    const ran = await runCli(["check", "--from", file, "--json"]);
    expect(ran).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: `shipscore: ${file} is not a saved shipscore result. Use a file that 'shipscore check URL --save FILE' wrote.\n`,
    });
  });

  test.each([
    ["that is not there", "nonesuch.json", "ENOENT"],
    ["that is a folder", ".", "EISDIR"],
  ])("a file of %s", async (_, name, code) => {
    const ran = await runCli(["check", "--from", at(name)]);
    expect([ran.exitCode, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain(`the saved result ${at(name)} cannot be read (${code})`);
  });

  test("a file of a gigabyte", async () => {
    const file = await open(at("huge.json"), "w");
    await file.truncate(1_000_000_000);
    await file.close();
    const ran = await runCli(["check", "https://a.example/", "--baseline", at("huge.json")]);
    expect([ran.exitCode, ran.stdout]).toEqual([2, ""]);
    expect(ran.stderr).toContain("is over 64 MB, so it is not a saved result");
  });
});

describe("a saved answer", () => {
  test("is what --json prints, and is shown, explained, gated and reported without a server", async () => {
    await using server = await startContractDouble();
    const words = ["check", CHECK.url, "--json", "--save", at("one.json")];
    const checked = await runCli([...words, "--min-score", "60"], server.env);
    expect(checked.exitCode).toBe(1);
    expect(await readFile(at("one.json"), "utf8")).toBe(checked.stdout);

    const from = (...more: string[]) => runCli(["check", "--from", at("one.json"), ...more]);
    const row = `59\tdo_not_ship\t${CHECK.url}\t${CHECK.finalUrl}\tchk_1\n`;
    expect(await from()).toEqual({ exitCode: 0, stdout: row, stderr: "" });
    const whole = await from("--json", "--report", `sarif=${at("one.sarif")}`);
    expect(JSON.parse(whole.stdout)).toEqual(CHECK);
    expect(await readFile(at("one.sarif"), "utf8")).toContain("asset.broken");
    expect((await from("--explain", "hdr.csp")).stdout).toMatch(/^hdr\.csp\tpartial\t3\t7\t/);
    const gated = await from("--min-score", "60");
    expect([gated.exitCode, gated.stdout]).toEqual([1, row]);
    expect(gated.stderr).toContain("not met: score 59, minimum 60");
  });

  test("is read from stdin, also as Windows PowerShell writes it", async () => {
    await write("crlf.json", "");
    await writeFile(at("crlf.json"), Buffer.from(`\ufeff${JSON.stringify(CHECK)}\r\n`, "utf16le"));
    const ran = await runShell(
      `node bin/shipscore.js check --from - --field score < '${at("crlf.json")}'`,
    );
    expect(ran).toEqual({ exitCode: 0, stdout: "59\n", stderr: "" });
  });

  test("is read from a pipe, and waits for its writer until Ctrl-C", async () => {
    const pipe = at("pipe");
    await promisify(execFile)("mkfifo", [pipe]);
    const file = await write("piped.json", CHECK);
    const from = `node bin/shipscore.js check --field score --from '${pipe}'`;
    const ran = await runShell(`cat '${file}' > '${pipe}' & ${from}`);
    expect(ran).toEqual({ exitCode: 0, stdout: "59\n", stderr: "" });

    const ended = new AbortController();
    const reading = { openStdin: () => process.stdin, signal: ended.signal };
    const unwritten = readSaved(pipe, reading);
    ended.abort(130);
    await expect(unwritten).rejects.toBe(130);
    const io = {
      ...reading,
      openStdin: () => new PassThrough(),
      io: await openIo(process.stdout, process.stderr, {}),
    };
    await expect(readUrls([], "-", io)).rejects.toBe(130);
  });

  test("is unchanged after an error, even if one page of many fails", async () => {
    const file = await write("kept.json", CHECK);
    await using server = await startContractDouble((request, response, count) => {
      const answer = count === 1 ? json(CHECK) : json({ error: "Non." }, 400);
      answer(request, response, count);
    });
    const urls = ["https://a.example/", "https://b.example/", "https://c.example/"];
    const ran = await runCli(["check", ...urls, "--save", file], server.env);
    expect([ran.exitCode, await readFile(file, "utf8")]).toEqual([40, JSON.stringify(CHECK)]);
    expect(ran.stderr).toContain(
      `shipscore: ${file} was not saved, because a page has no result.\n`,
    );
  });

  test("of several pages has a row for each, with the exit code of those that could not be checked", async () => {
    const other = { ...CHECK, url: "https://b.example/", score: 80, verdict: "ship" };
    const error = { url: "https://c.example/", exitCode: 49, error: "the quota is used up" };
    const rows = `59\tdo_not_ship\t${CHECK.url}\t${CHECK.finalUrl}\tchk_1\n80\tship\t${other.url}\t${CHECK.finalUrl}\tchk_1\n`;
    const checks = await write("list.json", { checks: [CHECK, other] });
    expect(await runCli(["check", "--from", checks])).toMatchObject({ exitCode: 0, stdout: rows });
    const both = { checks: [CHECK, other], errors: [error] };
    const ran = await runCli(["check", "--from", await write("errors.json", both)]);
    expect(ran).toEqual({
      exitCode: 49,
      stdout: `${rows}\t\t${error.url}\t\t\n`,
      stderr: `shipscore: ${error.url}: the quota is used up. Check it again.\n`,
    });
    const again = await runCli(["check", "--from", at("errors.json"), "--json"]);
    expect(JSON.parse(again.stdout)).toEqual(both);
    const explained = await runCli(["check", "--from", checks, "--explain", "hdr.csp"]);
    expect([explained.exitCode, explained.stdout]).toEqual([2, ""]);
  });

  test("contains texts of strangers, and no token", async () => {
    const evil = "\u001b[31m ::error::x\u202e psk_0123456789 <script>";
    const findings = CHECK.findings.map((one) => ({ ...one, title: evil, evidence: evil }));
    const file = await write("evil.json", { ...CHECK, findings });
    const ran = await runCli(["check", "--from", file, "--json"], { SHIPSCORE_FORCE_TTY: "80" });
    const page = await runCli(["check", "--from", file], { SHIPSCORE_FORCE_TTY: "80" });
    expect(ran.stdout + page.stdout).not.toMatch(/\u001b|psk_0/);
    expect(page.stdout).not.toMatch(/\u202e| ::error/);
  });
});
