import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CliError } from "../../cli/terminal/errors.ts";
import { openIo } from "../../cli/terminal/io.ts";
import { fitFrame } from "../../cli/terminal/frame.ts";
import { watch } from "../../cli/terminal/watch.ts";
import { runCli, runOnTerminal, runShell, TOKEN } from "../harness/cli.ts";
import { startContractDouble, type ContractDouble } from "../harness/contract-double.ts";

let server: ContractDouble;
beforeAll(async () => {
  server = await startContractDouble();
});
afterAll(() => server[Symbol.asyncDispose]());

const env = () => ({ SHIPSCORE_URL: server.url, SHIPSCORE_TOKEN: TOKEN });

describe("--watch is refused", () => {
  test.each<[args: string[], sentence: string]>([
    [["--watch"], "--watch needs a terminal to draw on"],
    [["--watch", "--json"], "--watch is for a screen, and --json for programs"],
    [["--watch", "--exit-code"], "--watch is for a screen, and --exit-code for programs"],
    [["--interval", "9"], "--interval does nothing by itself"],
    [["--watch", "--interval", "4"], "from 5 to 3600"],
  ])("%j", async (args, sentence) => {
    const { exitCode, stdout, stderr } = await runCli(["incidents", ...args], env());
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(sentence);
  });
});

const { exitCode: hasTerminal } = await runShell("script -qec true /dev/null");

test.skipIf(hasTerminal !== 0)(
  "on a terminal it draws, rings nothing, and Ctrl-C ends it with 130",
  async () => {
    const line =
      "timeout --preserve-status -s INT 2 node bin/shipscore.js incidents --watch; echo code $?";
    const { stdout } = await runOnTerminal(line, env());
    expect(stdout).toContain("https://blog.example.com/");
    expect(stdout).toMatch(/Read at \d\d:\d\d:\d\d UTC, again every 30 s\. Ctrl-C ends\./);
    expect(stdout).not.toContain("\u0007");
    expect(stdout).toMatch(/code 130\n$/);
  },
);

/** A terminal of 40 columns and 12 rows that keeps what was written to it. */
async function openTerminal() {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 40, rows: 12 });
  const written: string[] = [];
  stdout.on("data", (chunk: Buffer) => written.push(chunk.toString()));
  const stopping = new AbortController();
  const io = await openIo(stdout, new PassThrough(), { TERM: "xterm", NO_COLOR: "1" });
  const context = {
    env: {},
    io,
    version: "1.0.0",
    openStdin: () => process.stdin,
    signal: stopping.signal,
    describeCommands: async () => [],
    now: () => new Date("2026-11-21T08:30:00.000Z"),
  };
  return { context, written, stop: () => stopping.abort() };
}

/** Watches what the answers say, one a refresh, until they are used up. */
async function watchAnswers(answers: (string | Error)[]) {
  const { context, written, stop } = await openTerminal();
  const watching = watch(context, 1, {
    async read() {
      const answer = answers.shift();
      if (answers.length === 0) stop();
      if (answer instanceof Error) throw answer;
      return answer ?? "";
    },
    show: (text) => `${text}\n`,
  });
  const end = await watching.catch((error: unknown) => error);
  return { written, end };
}

test("a lost server leaves the last list, with since when; it comes back", async () => {
  const lost = new CliError(3, "http://127.0.0.1:1 refused the connection", "x");
  const { written } = await watchAnswers(["one", lost, lost, "two"]);
  expect(written).toHaveLength(4);
  expect(written[1]).toBe(
    "\u001b[4A\u001b[Jone\n\nNo answer since 08:30:00 UTC:\nhttp://127.0.0.1:1 refused the\nconnection.\n",
  );
  expect(written[3]).toMatch(/^\u001b\[5A\u001b\[Jtwo\n\nRead at/);
});

test("a token that is refused ends it", async () => {
  const refused = new CliError(41, "the server refused the token", "x");
  expect((await watchAnswers(["one", refused, "two"])).end).toBe(refused);
});

describe("a frame", () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `line ${index}`).join("\n");

  test("that fits stays whole", () => {
    expect(fitFrame(lines(4), { rows: 12, columns: 40 })).toEqual({
      text: `${lines(4)}\n`,
      rows: 4,
    });
  });

  test("that does not is cut before its last line", () => {
    const { text, rows } = fitFrame(lines(20), { rows: 6, columns: 40 });
    expect(text).toBe("line 0\nline 1\nline 2\n... and 16 more lines\nline 19\n");
    expect(rows).toBe(5);
  });

  test("counts the rows that a long line takes", () => {
    expect(fitFrame(`${"x".repeat(81)}\nlast`, { rows: 12, columns: 40 }).rows).toBe(4);
  });
});
