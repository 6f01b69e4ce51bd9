import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FORMATS } from "../../cli/reports/formats.ts";
import { runCli, TOKEN } from "../harness/cli.ts";
import {
  json,
  startContractDouble,
  type ContractDouble,
  type Handler,
} from "../harness/contract-double.ts";

type Responses = Readonly<Record<string, unknown>>;

interface Recorded {
  readonly responses: Responses;
  readonly refusals: readonly {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: { readonly error: string };
  }[];
}

/** Recorded for good: what the wire has gained since 0.1.0 is missing here, and the command does without it. */
const RECORDING = new URL("./server-0.1.0.json", import.meta.url);
const recorded = JSON.parse(await readFile(RECORDING, "utf8")) as Recorded;

const OLDEST: Responses = recorded.responses;

/** A JSON value with an unknown member in every object of it, as a newer server may send it. */
function grow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(grow);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, grow(member)]);
  return { ...Object.fromEntries(members), isNew: { a: [1] } };
}

const NEWER: Responses = Object.fromEntries(
  Object.entries(OLDEST).map(([path, body]) => [path, grow(body)]),
);

const answer =
  (responses: Responses): Handler =>
  (request, response, count) => {
    const body = responses[`${request.method} ${request.path}`];
    json(body ?? { error: "Introuvable." }, body ? 200 : 404)(request, response, count);
  };

/** What each read prints of which response, and the beginnings of its rows. */
const READS: readonly (readonly [words: string[], path: string, rows: string])[] = [
  [
    ["check", "https://shop.example/"],
    "POST /api/v1/check",
    "20\tdo_not_ship\thttps://shop.example/\thttps://shop.example/\tchk_1\n",
  ],
  [
    ["projects"],
    "GET /api/v1/projects",
    [
      "prj_1\tdown\t20\tBlog\thttps://blog.example/\n",
      "prj_2\tdegraded\t79\tDocs\thttps://docs.example/\n",
      "prj_3\tunknown\t\tNew\thttps://new.example/\n",
      "prj_4\tup\t40\tShop\thttps://shop.example/\n",
    ].join(""),
  ],
  [
    ["incidents", "prj_1"],
    "GET /api/v1/projects/prj_1/incidents",
    "prj_1\tinc_1\t2026-11-22T12:01:05.364Z\thttps://blog.example/\thttps://blog.example/ answers 500.\n",
  ],
  [
    ["last-ship", "prj_4"],
    "GET /api/v1/projects/prj_4/last-ship",
    "dep_1\t2026-11-22T12:01:13.004Z\t40\tdo_not_ship\tmain\t4f2a9c1\thttps://shop.example/\n",
  ],
  [
    ["last-ship", "prj_1"],
    "GET /api/v1/projects/prj_1/last-ship",
    "dep_2\t2026-11-22T12:01:13.465Z\t\t\t\t\thttps://blog.example/\n",
  ],
  [["last-ship", "prj_3"], "GET /api/v1/projects/prj_3/last-ship", ""],
];

describe("a server refuses without a code in a header, as 0.1.0 did:", () => {
  const exitCodes = [40, 41, 44, 49, 44];

  test.each(recorded.refusals.map((refusal, index) => [refusal, exitCodes[index]] as const))(
    "$status %#",
    async ({ status, headers, body }, exitCode) => {
      await using refusing = await startContractDouble(json(body, status, headers));
      const env = { SHIPSCORE_URL: refusing.url, SHIPSCORE_TOKEN: TOKEN };
      const ran = await runCli(["projects", "--json"], env);
      expect([ran.exitCode, JSON.parse(ran.stdout)]).toEqual([exitCode, body]);
      expect(ran.stderr).toContain(body.error);
    },
  );
});

describe.each([
  ["0.1.0", OLDEST],
  ["a newer version", NEWER],
])("of a server of %s", (_, responses) => {
  let folder: string;
  let server: ContractDouble;
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "sc-versions-"));
    server = await startContractDouble(answer(responses));
    env = { SHIPSCORE_URL: server.url, SHIPSCORE_TOKEN: TOKEN };
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  test.each(READS)(
    "%j prints %s: rows that may have gained columns, whole JSON, and a page",
    async (words, path, rows) => {
      const piped = await runCli(words, env);
      expect(piped.exitCode).toBe(0);
      const beginnings = rows.split("\n");
      const lines = piped.stdout.split("\n");
      expect(lines.map((line, index) => line.slice(0, beginnings[index]?.length))).toEqual(
        beginnings,
      );
      const whole = await runCli([...words, "--json"], env);
      expect([whole.exitCode, JSON.parse(whole.stdout)]).toEqual([0, responses[path]]);
      const page = await runCli(words, { ...env, SHIPSCORE_FORCE_TTY: "80" });
      expect(page).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\S/), stderr: "" });
      expect(page.stdout).not.toMatch(/undefined|NaN|\[object/);
    },
  );

  test("incidents of all projects", async () => {
    const { exitCode, stdout } = await runCli(["incidents"], env);
    expect([exitCode, stdout.match(/^prj_\d/gm)]).toEqual([0, ["prj_1", "prj_2"]]);
  });

  test("one finding, the gate and every report", async () => {
    const formats = Object.keys(FORMATS);
    const reports = formats.flatMap((name) => ["--report", `${name}=${join(folder, name)}`]);
    const gate = ["--min-score", "80", "--max-drop", "20", "--project", "Shop"];
    const words = ["check", "https://shop.example/", "--explain", "reach.status"];
    const { exitCode, stdout } = await runCli([...words, ...gate, ...reports], env);
    expect([exitCode, stdout.split("\t", 2)]).toEqual([1, ["reach.status", "fail"]]);
    for (const name of formats)
      expect(await readFile(join(folder, name), "utf8")).not.toMatch(/undefined|NaN|\[object/);
  });

  test("a saved answer, also as a baseline", async () => {
    const file = join(folder, "saved");
    await writeFile(file, JSON.stringify(responses["POST /api/v1/check"]));
    const gate = ["--baseline", file, "--fail-on", "new", "--max-drop", "0"];
    const whole = await runCli(["check", "--from", file, "--json"]);
    expect(JSON.parse(whole.stdout)).toEqual(responses["POST /api/v1/check"]);
    const page = await runCli(["check", "--from", file, ...gate], { SHIPSCORE_FORCE_TTY: "80" });
    expect(page).toMatchObject({ exitCode: 0, stderr: "" });
    expect(page.stdout).toMatch(/\n\d+ unchanged\n/);
    expect(page.stdout).not.toMatch(/undefined|NaN|\[object/);
  });

  test("doctor", async () => {
    const { exitCode, stdout } = await runCli(["doctor"], env);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Token\tgood\taccepted; it sees 4 projects\n");
  });
});
