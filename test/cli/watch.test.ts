import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { fitDrawing, openCanvas, type Drawing } from "../../cli/terminal/canvas.ts";
import { openIo } from "../../cli/terminal/io.ts";
import { CliError, untranslated } from "../../cli/terminal/errors.ts";
import { watch, type Display } from "../../cli/terminal/command.ts";
import { listChanges, openIncidentScreen } from "../../cli/views/watched-incidents.ts";
import { interruptOnTerminal, openContext, runCli, runShell, startCli } from "../harness/cli.ts";
import { contract, INCIDENTS, json, startContractDouble } from "../harness/contract-double.ts";
import { use } from "../harness/use.ts";

const server = use(startContractDouble);

test.each<[args: string[], sentence: string]>([
  [["--watch", "--json"], "--watch is for a screen, and --json for programs"],
  [["--watch", "--exit-code"], "--watch is for a screen, and --exit-code for programs"],
  [["--interval", "9"], "--interval has no effect by itself"],
  [["--watch", "--interval", "4"], "from 5 to 3600"],
])("--watch is rejected %j", async (args, sentence) => {
  const { exitCode, stdout, stderr } = await runCli(["incidents", ...args], server.env);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(sentence);
});

const { exitCode: hasTerminal } = await runShell("script -qec true /dev/null");

test.skipIf(hasTerminal !== 0)(
  "on a terminal it redraws silently, and Ctrl-C ends it with 130 and keeps the list",
  async () => {
    const line = "node bin/shipscore.js incidents --watch; echo code $?";
    const stdout = await interruptOnTerminal(line, "Ctrl-C to stop.", server.env);
    expect(stdout).toContain("https://blog.example.com/");
    expect(stdout).toMatch(
      /1 URL failing\. Read at \d\d:\d\d:\d\d UTC, again every 30 s\. Press Ctrl-C to stop\./,
    );
    expect(stdout).not.toContain("\u0007");
    const left = stdout.slice(stdout.lastIndexOf("\u001b[?1049l"));
    expect(left).toMatch(/https:\/\/blog\.example\.com\/[^]*code 130\n$/);
  },
);

test("in a pipe it prints a line for each opening and closing, until it is interrupted", async () => {
  let lists = 0;
  const failing = INCIDENTS.incidents[0];
  const later = { ...failing, id: "inc_2", reason: "It\tanswers 502." };
  await using changing = await startContractDouble((request, response, count) => {
    if (!request.path.endsWith("/prj_1/incidents")) return contract(request, response, count);
    lists += 1;
    const incidents = lists === 1 ? [failing] : [later];
    return json(lists === 2 ? { error: "Panne." } : { incidents }, lists === 2 ? 500 : 200)(
      request,
      response,
      count,
    );
  });
  const watching = startCli(["incidents", "--watch", "--interval", "5"], changing.env);
  for await (const line of watching) if (line.includes("502")) watching.kill("SIGINT");
  const { exitCode, stdout, stderr } = await watching;
  expect(exitCode).toBe(130);
  expect(stdout).toMatch(
    new RegExp(
      [
        "^opened\t2026-11-20T06:30:00.000Z\tBlog\thttps://blog.example.com/\tThe server answered 500.",
        "closed\t20\\d\\d-[^\t]{5}T[^\t]+Z\tBlog\thttps://blog.example.com/\tThe server answered 500.",
        "opened\t2026-11-20T06:30:00.000Z\tBlog\thttps://blog.example.com/\tIt answers 502.\n$",
      ].join("\n"),
    ),
  );
  expect(stderr).toMatch(
    /^shipscore: no response since [\d:]{8} UTC: .*"Panne\.".*\nshipscore: responding again at [\d:]{8} UTC\.\n$/,
  );
});

const NOW = new Date("2026-11-21T08:30:00.000Z");
const incident = (id: string) => ({
  id,
  url: "https://a.example/",
  since: "2026-11-21T06:30:00.000Z",
  reason: "It answers 500.",
  lastCheckedAt: "2026-11-21T08:30:00.000Z",
  projectId: "prj_1",
  projectName: "Blog",
});

test("a URL that fails again was closed before it opened", () => {
  expect(listChanges([incident("a"), incident("b")], [incident("b"), incident("c")], NOW)).toEqual([
    ["closed", "2026-11-21T08:30:00.000Z", "Blog", "https://a.example/", "It answers 500."],
    ["opened", "2026-11-21T06:30:00.000Z", "Blog", "https://a.example/", "It answers 500."],
  ]);
});

describe("it retries temporary failures, and ends for others:", () => {
  const lost = new CliError(
    3,
    untranslated("http://127.0.0.1:1 refused the connection"),
    untranslated("x"),
  );
  const refused = new CliError(41, untranslated("the server refused the token"), untranslated("x"));

  test.each<[string, (string | Error)[], string[], unknown]>([
    ["a lost server", ["one", lost, lost, "two"], ["one", "lost", "lost", "two"], "AbortError"],
    ["a refused token", ["one", refused, "two"], ["one"], "CliError"],
  ])("%s", async (_, answers, shown, end) => {
    const { context, stop } = await openTerminal();
    const seen: string[] = [];
    const display: Display<string> = {
      show: async (text) => seen.push(text) > 0,
      showLoss: async () => void seen.push("lost"),
      close: async () => void seen.push("closed"),
    };
    const read = async () => {
      const answer = answers.shift();
      if (answers.length === 0) stop();
      if (answer instanceof Error) throw answer;
      return answer ?? "";
    };
    const error = await watch(context, 1, read, display).catch((thrown: Error) => thrown.name);
    expect([seen, error]).toEqual([[...shown, "closed"], end]);
  });
});

/** A terminal of 40 columns and 12 rows that keeps what was written to it. */
async function openTerminal(LANG = "en") {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 40, rows: 12 });
  const written: string[] = [];
  stdout.on("data", (chunk: Buffer) => written.push(chunk.toString()));
  const stopping = new AbortController();
  const io = await openIo(stdout, new PassThrough(), { TERM: "xterm", NO_COLOR: "1", LANG });
  const context = { ...(await openContext()), io, signal: stopping.signal, now: () => NOW };
  return { context, stdout, written, stop: () => stopping.abort() };
}

async function openScreen(language: "fr" | "en") {
  const { context, stdout, written } = await openTerminal(language);
  const { io } = context;
  if (io.screen === null) throw new Error("no screen");
  const screen = await openIncidentScreen(io, io.screen, 30_000, context.now);
  const drawn = () => written.join("").split("\u001b[H\u001b[J").at(-1);
  return { screen, stdout, drawn };
}

const lost = new CliError(
  3,
  untranslated("http://127.0.0.1:1 refused the connection"),
  untranslated("x"),
);

test("without the server it keeps the last list, with its time, also after a resize", async () => {
  const { screen, stdout, drawn } = await openScreen("en");
  await screen.showLoss(lost, NOW);
  expect(drawn()).toBe(
    "No response since 08:30:00 UTC:\nhttp://127.0.0.1:1 refused the\nconnection.",
  );
  await screen.show([incident("a"), incident("b")], NOW);
  await screen.showLoss(lost, NOW);
  expect(drawn()).toMatchInlineSnapshot(`
    "FOR  PROJECT, URL, REASON
    2 h  Blog https://a.example/
         It answers 500.
    2 h  Blog https://a.example/
         It answers 500.

    2 URLs failing. No response since
    08:30:00 UTC: http://127.0.0.1:1 refused
    the connection."
  `);
  Object.assign(stdout, { columns: 100, rows: 3 }).emit("resize");
  await sleep(0);
  expect(drawn()).toMatchInlineSnapshot(`
    "2 h  Blog     https://a.example/  It answers 500.
    … and 1 more
    2 URLs failing. No response since 08:30:00 UTC: http://127.0.0.1:1 refused the connection."
  `);
  Object.assign(stdout, { columns: 60, rows: 1 }).emit("resize");
  await sleep(0);
  expect(drawn()).toMatchInlineSnapshot(`"2 URLs failing. No response since 08:30:00 UTC:"`);
  await screen.close();
});

test("in French", async () => {
  const { screen, drawn } = await openScreen("fr");
  await screen.show([incident("a")], NOW);
  expect(drawn()).toMatchInlineSnapshot(`
    "DEPUIS  PROJET, URL, CAUSE
       2 h  Blog https://a.example/
            It answers 500.

    1 URL en échec. Dernière lecture à
    08:30:00 UTC, puis toutes les 30 s.
    Ctrl-C pour arrêter."
  `);
  await screen.showLoss(lost, NOW);
  expect(drawn()).toContain("Sans réponse depuis\n08:30:00 UTC\u00a0: ");
  await screen.close();
});

test("an undrawn terminal is left unchanged", async () => {
  const { stdout, written } = await openTerminal();
  await openCanvas(stdout).close();
  expect(written).toEqual([]);
});

describe("a drawing", () => {
  const drawing = (count: number): Drawing => ({
    heading: "TITLES",
    rows: Array.from({ length: count }, (_, index) => [`row ${index}`]),
    describeLeft: (left) => `and ${left} more`,
    foot: "total and status",
    footStyle: (line) => line,
  });

  test.each([
    [0, 5, ["total and status"]],
    [3, 6, ["TITLES", "row 0", "row 1", "row 2", "", "total and status"]],
    [3, 5, ["TITLES", "row 0", "row 1", "row 2", "total and status"]],
    [9, 5, ["TITLES", "row 0", "row 1", "and 7 more", "total and status"]],
    [9, 4, ["TITLES", "row 0", "and 8 more", "total and status"]],
    [9, 3, ["row 0", "and 8 more", "total and status"]],
    [9, 2, ["and 9 more", "total and status"]],
    [9, 1, ["total and status"]],
  ])("of %i rows on a terminal of %i", (count, rows, lines) => {
    expect(fitDrawing(drawing(count), { rows, columns: 40 })).toEqual(lines);
  });

  test.each([
    [6, ["TITLES", "row 0", "below 0", "row 1", "below 1", "total and status"]],
    [5, ["TITLES", "row 0", "below 0", "and 1 more", "total and status"]],
    [4, ["TITLES", "and 2 more", "total and status"]],
  ])("of two rows of two lines on a terminal of %i has them complete", (rows, lines) => {
    const two = [0, 1].map((index) => [`row ${index}`, `below ${index}`]);
    expect(fitDrawing({ ...drawing(0), rows: two }, { rows, columns: 40 })).toEqual(lines);
  });

  test("cuts its footer last", () => {
    expect(fitDrawing(drawing(9), { rows: 1, columns: 9 })).toEqual(["total and"]);
    expect(fitDrawing(drawing(9), { rows: 2, columns: 9 })).toEqual(["total and", "status"]);
  });
});
