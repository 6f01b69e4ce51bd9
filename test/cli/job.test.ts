import { expect, test } from "vitest";
import { runCli, TOKEN } from "../harness/cli.ts";
import { contract, json, startContractDouble } from "../harness/contract-double.ts";
import { use } from "../harness/use.ts";

const server = use(startContractDouble);

const run = (args: string[], CI: string, url = server.url) =>
  runCli(args, { SHIPSCORE_URL: url, SHIPSCORE_TOKEN: TOKEN, CI });

const URLS = ["https://a.example/", "https://b.example/"];
const CHECK = ["check", "https://example.com/"];

test.each<[string, string[], RegExp]>([
  ["false", CHECK, /^$/],
  ["", CHECK, /^$/],
  [
    "true",
    CHECK,
    /^shipscore: checking https:\/\/example\.com\/\nhttps:\/\/example\.com\/\n[^]*\n59\/100 Do not ship\n$/,
  ],
  ["1", ["projects"], /^shipscore: reading projects\n$/],
  ["true", ["projects", "--json"], /^shipscore: reading projects\n$/],
  [
    "true",
    ["check", ...URLS],
    /^shipscore: checking 2 URLs, which uses 2 checks\.\n(shipscore: https:\/\/[ab]\.example\/: 59, do not ship\.\n){2}SCORE +VERDICT[^]*\+4\.5  asset\.broken: /,
  ],
])("with CI=%s, %j prints on stderr %s", async (CI, args, stderr) => {
  expect((await run(args, CI)).stderr).toMatch(stderr);
});

test("in a job each retry prints a line, after the line that it starts with", async () => {
  await using faltering = await startContractDouble((request, response, count) =>
    (count === 1 ? json({ error: "Indisponible." }, 503, { "retry-after": "0" }) : contract)(
      request,
      response,
      count,
    ),
  );
  const { exitCode, stderr } = await run(CHECK, "true", faltering.url);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(
    /^shipscore: checking https:\/\/example\.com\/\nshipscore: the server returned 503\. Trying again in 0 s \(1 of 3\)\.\nhttps/,
  );
});

const ROW = /^59\tdo_not_ship\t/;
const REPORT = /asset\.broken: A script or stylesheet does not load \(caps the score at 59\)\n/;

test.each<[string[], stdout: RegExp]>([
  [[], ROW],
  [["--json"], /^\{\n/],
  [["--field", "score"], /^59\n$/],
  [["--report", "sarif=-"], /"version": "2\.1\.0"/],
  [["--explain", "hdr.csp"], /^hdr\.csp\tpartial\t/],
])(
  "with %j the report for people is on stderr, without color, in 100 columns",
  async (flags, stdout) => {
    const ran = await run([...CHECK, "--min-score", "80", ...flags], "true");
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toMatch(stdout);
    expect(ran.stderr).toMatch(REPORT);
    expect(ran.stderr).toContain("\nnot met: score 59, minimum 80\nGate: 0 of 1 condition met\n");
    expect(ran.stderr).not.toMatch(/[\u001b█✗]/);
    const lines = ran.stderr.split("\n");
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  },
);

test.each([{ CI: "true" }, {}, { SHIPSCORE_FORCE_TTY: "80" }])(
  "-q keeps the gate's sentences and errors %j",
  async (env) => {
    const quiet = [...CHECK, "-q", "--min-score", "80"];
    const ran = await runCli(quiet, { ...server.env, ...env });
    expect(ran.stderr).toBe(
      "shipscore: not met: score 59, minimum 80.\nshipscore: Gate: 0 of 1 condition met.\n",
    );
    expect(ran.stdout).toMatch("SHIPSCORE_FORCE_TTY" in env ? /^$/ : ROW);
    const failed = await runCli(["check", "http://a.example/", "-q"], { ...server.env, ...env });
    expect(failed.stderr).toMatch(/^shipscore: http:/);
  },
);

test("--color applies to both streams", async () => {
  const env = { ...server.env, SHIPSCORE_FORCE_TTY: "80" };
  const always = await runCli([...CHECK, "--color", "always"], { ...env, NO_COLOR: "1" });
  const never = await runCli([...CHECK, "--color=never"], { ...env, FORCE_COLOR: "1" });
  expect([always.stdout.includes("\u001b["), never.stdout.includes("\u001b[")]).toEqual([
    true,
    false,
  ]);
});
