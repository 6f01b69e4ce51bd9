import { describe, expect, test } from "vitest";
import { interruptOnTerminal, runOnTerminal, runShell, TOKEN } from "../harness/cli.ts";
import { contract, startContractDouble } from "../harness/contract-double.ts";
import { use } from "../harness/use.ts";

const CURSOR_HIDDEN = "\u001b[?25l";
const CURSOR_SHOWN = "\u001b[?25h";
const LINE_ERASED = "\u001b[1G\u001b[0K";

const { exitCode: scriptExitCode } = await runShell("script -qec true /dev/null");

const server = use(() =>
  startContractDouble((request, response, count) => {
    if (request.path !== "/silent/api/v1/projects") contract(request, response, count);
  }),
);

const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
  runOnTerminal(line, { ...server.env, ...env });

const CHECK = "node bin/shipscore.js check https://example.com/ --min-score 80";

describe.skipIf(scriptExitCode !== 0)("on a terminal", () => {
  test("a check is a report in color, and keeps its gate's code", async () => {
    const { exitCode, stdout: text } = await run(CHECK);
    expect(exitCode).toBe(1);
    for (const part of ["\u001b[31m\u001b[1m59/100", "✗ "]) expect(text).toContain(part);
  });

  test("a rule is a link on a terminal with links, and not in a CI job", async () => {
    const link = `\u001b]8;;${server.url}/docs/rules#hdr.csp\u001b\\hdr.csp`;
    expect((await run(CHECK, { VTE_VERSION: "7601" })).stdout).toContain(link);
    expect((await run(CHECK, { VTE_VERSION: "7601", CI: "true" })).stdout).not.toContain("]8;");
  });

  test("NO_COLOR removes the color and keeps the drawing", async () => {
    const { stdout: text } = await run(CHECK, { NO_COLOR: "1" });
    expect(text).not.toMatch(/\u001b\[\d+m/);
    expect(text).toContain("59/100  ████");
  });

  test("TERM=dumb has neither color, drawing nor spinner", async () => {
    const { stdout: text } = await run(CHECK, { TERM: "dumb" });
    expect(text).not.toMatch(/[\u001b█░✓✗]/);
    expect(text).toContain("\n59/100  Do not ship\n");
  });

  test("--json is plain", async () => {
    const { stdout: text } = await run("node bin/shipscore.js projects --json 2>/dev/null");
    expect(JSON.parse(text)).toHaveProperty("projects.length", 4);
  });

  test("a terminal of 0 columns works", async () => {
    const { exitCode, stdout: text } = await run("stty cols 0; node bin/shipscore.js projects");
    expect(exitCode).toBe(0);
    expect(text).toContain("URL");
  });

  test("a spinner turns during the wait; Ctrl-C erases it and exits 130 with the cursor shown", async () => {
    const url = `${server.url}/silent`;
    const line = "node bin/shipscore.js projects; echo code $?";
    const env = { SHIPSCORE_URL: url, SHIPSCORE_TOKEN: TOKEN };
    const text = await interruptOnTerminal(line, "Reading projects", env);
    expect(text).toMatch(/code 130\s*$/);
    expect(text).toContain(CURSOR_HIDDEN);
    expect(text).toContain("\u001b[36m⠋\u001b[39m Reading projects");
    const [, end = ""] = text.split(CURSOR_HIDDEN);
    const last = end.lastIndexOf("Reading projects");
    expect(end.indexOf(LINE_ERASED, last)).toBeGreaterThan(last);
    expect(end.lastIndexOf(CURSOR_SHOWN)).toBeGreaterThan(last);
  });
});
