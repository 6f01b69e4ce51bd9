import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { FORMATS } from "../../cli/reports/formats.ts";
import { runCli } from "../harness/cli.ts";
import {
  CHECK,
  INCIDENTS,
  json,
  LAST_SHIP,
  PROJECTS,
  startContractDouble,
} from "../harness/contract-double.ts";
import { useFolder, use } from "../harness/use.ts";

/** The members whose words are a closed list. */
const CLOSED = ["verdict", "status", "category", "state", "role", "environment"];

/** A value as a newer server may send it: with an unknown member in every object, and unknown words. */
function grow(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(grow);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    CLOSED.includes(name) ? `new_${name}` : grow(member),
  ]);
  return { ...Object.fromEntries(members), isNew: { a: [1] } };
}

const CATEGORIES = [...CHECK.categories, { id: "new_category", earned: 0, points: 1 }];

const ANSWERS: Readonly<Record<string, unknown>> = {
  "POST /api/v1/check": grow({ ...CHECK, categories: CATEGORIES }),
  "GET /api/v1/projects": grow(PROJECTS),
  "GET /api/v1/projects/prj_1/incidents": grow(INCIDENTS),
  "GET /api/v1/projects/prj_2/last-ship": grow(LAST_SHIP),
};

/** What each read prints of which answer. */
const READS: readonly (readonly [words: string[], answer: string, rows: string])[] = [
  [
    ["check", "https://example.com/"],
    "POST /api/v1/check",
    "59\tnew_verdict\thttps://example.com/\thttps://www.example.com/\tchk_1\n",
  ],
  [
    ["projects"],
    "GET /api/v1/projects",
    [
      "prj_1\tnew_state\t12\tBlog\thttps://blog.example.com/\n",
      "prj_2\tnew_state\t91\tShop\thttps://shop.example.com/\n",
      "prj_3\tnew_state\t\tTwin\thttps://one.example.com/\n",
      "prj_4\tnew_state\t80\tTwin\thttps://two.example.com/\n",
    ].join(""),
  ],
  [
    ["incidents", "Blog"],
    "GET /api/v1/projects/prj_1/incidents",
    "prj_1\tinc_1\t2026-11-20T06:30:00.000Z\thttps://blog.example.com/\tThe server answered 500.\tBlog\n",
  ],
  [
    ["last-ship", "Shop"],
    "GET /api/v1/projects/prj_2/last-ship",
    "dep_1\t2026-11-20T08:30:00.000Z\t88\tnew_verdict\tmain\t0a1b2c3\thttps://shop.example.com/\n",
  ],
];

const folder = useFolder();
const server = use(() =>
  startContractDouble((request, response, count) => {
    const body = ANSWERS[`${request.method} ${request.path}`];
    json(body ?? { error: "Introuvable." }, body ? 200 : 404)(request, response, count);
  }),
);
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  env = server.env;
});

const ODD = /undefined|NaN|\[object/;

test.each(READS)("%j prints %s: rows, whole JSON, and a page", async (words, answer, rows) => {
  expect(await runCli(words, env)).toEqual({ exitCode: 0, stdout: rows, stderr: "" });
  const whole = await runCli([...words, "--json"], env);
  expect([whole.exitCode, JSON.parse(whole.stdout)]).toEqual([0, ANSWERS[answer]]);
  const page = await runCli(words, { ...env, SHIPSCORE_FORCE_TTY: "80" });
  expect(page).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/\S/), stderr: "" });
  expect(page.stdout).not.toMatch(ODD);
});

test("the incidents of all projects", async () => {
  const { exitCode, stdout } = await runCli(["incidents"], env);
  expect([exitCode, stdout.match(/^prj_\d/gm)]).toEqual([0, ["prj_1"]]);
});

test("one finding, the gate, which ignores an unknown verdict, and every report", async () => {
  const formats = Object.keys(FORMATS);
  const reports = formats.flatMap((name) => ["--report", `${name}=${join(folder, name)}`]);
  const gate = ["--min-score", "80", "--max-drop", "20", "--project", "Shop"];
  const words = ["check", "https://example.com/", "--explain", "hdr.csp"];
  const { exitCode, stdout } = await runCli([...words, ...gate, ...reports], env);
  expect([exitCode, stdout.split("\t", 2)]).toEqual([4, ["hdr.csp", "new_status"]]);
  for (const name of formats) expect(await readFile(join(folder, name), "utf8")).not.toMatch(ODD);
});

test("a saved answer, also as a baseline", async () => {
  const file = join(folder, "saved");
  const answer = ANSWERS["POST /api/v1/check"];
  await writeFile(file, JSON.stringify(answer));
  const whole = await runCli(["check", "--from", file, "--json"]);
  expect(JSON.parse(whole.stdout)).toEqual(answer);
  const gate = ["--baseline", file, "--fail-on-new", "--max-drop", "0"];
  const page = await runCli(["check", "--from", file, ...gate], { SHIPSCORE_FORCE_TTY: "80" });
  expect(page).toMatchObject({ exitCode: 4, stderr: expect.not.stringMatching(ODD) });
  expect(page.stdout).toMatch(/\n\d+ unchanged\n/);
  expect(page.stdout).not.toMatch(ODD);
});

test("doctor", async () => {
  const { exitCode, stdout } = await runCli(["doctor"], env);
  expect(exitCode).toBe(0);
  expect(stdout).toContain("Token\tgood\taccepted; visible projects: 4\n");
});
