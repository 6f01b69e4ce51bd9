import { describe, expect, test } from "vitest";
import { runCli, runShell, TOKEN } from "../harness/cli.ts";
import { CHECK, json, startContractDouble } from "../harness/contract-double.ts";
import { use } from "../harness/use.ts";
import { answerWithStatus } from "./reports/runs.ts";

const URL_TO_CHECK = "https://example.com/";
const NOT_MET = `shipscore: not met: score 59, minimum 80.
asset.broken caps the score at 59: A script of the page does not load.
+4 hdr.csp: The Content-Security-Policy stops little
shipscore: Gate: 0 of 1 condition met.
`;
const ROW = "59\tdo_not_ship\thttps://example.com/\thttps://www.example.com/\tchk_1\n";

const server = use(startContractDouble);

const check = (...args: string[]) => runCli(["check", URL_TO_CHECK, ...args], server.env);

test("piped, it prints one row", async () => {
  expect(await check()).toEqual({ exitCode: 0, stdout: ROW, stderr: "" });
});

test("it sends one POST with the page", async () => {
  const env = {
    SHIPSCORE_URL: `${server.url}/`,
    SHIPSCORE_TOKEN: TOKEN,
    SHIPSCORE_TARGET_HEADERS: '{"cf-access-client-id":"a"}',
    LANG: "fr_FR.UTF-8",
  };
  await runCli(["check", URL_TO_CHECK, "--preview"], env);
  const request = server.requests.at(-1);
  expect(request).toMatchObject({
    method: "POST",
    path: "/api/v1/check",
    headers: {
      authorization: `Bearer ${TOKEN}`,
      "accept-language": "fr",
      "idempotency-key": expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  });
  expect(JSON.parse(request?.body ?? "")).toEqual({
    url: URL_TO_CHECK,
    preview: true,
    headers: { "cf-access-client-id": "a" },
  });
});

describe("the gate", () => {
  test("that is not met exits 1, after printing the result", async () => {
    expect(await check("--min-score", "80")).toEqual({ exitCode: 1, stdout: ROW, stderr: NOT_MET });
  });

  test("that is met exits 0", async () => {
    expect(await check("--min-score", "59")).toEqual({
      exitCode: 0,
      stdout: ROW,
      stderr: "shipscore: met: score 59, minimum 59.\nshipscore: Gate: 1 of 1 condition met.\n",
    });
  });

  test("with --no-fail exits 0 with the same output", async () => {
    const { exitCode, stderr } = await check("--min-score", "80", "--no-fail");
    expect([exitCode, stderr]).toEqual([0, NOT_MET]);
  });
});

test.each<[status: number, exitCode: number, lines: RegExp[]]>([
  [
    500,
    1,
    [
      /^shipscore: [\d.]+ points not checked: reach\.status failed\. .* responds with 500\. .*server's log/,
      /^shipscore: not met: headers not checked: reach\.status failed\.$/,
      /^reach\.status caps the score at \d+: \w/,
      /^shipscore: Gate: 0 of 1 condition met\.$/,
    ],
  ],
  [
    403,
    4,
    [
      /^shipscore: [\d.]+ points not checked: reach\.status unknown\. .*403\. .*SHIPSCORE_TARGET_HEADERS/,
      /^shipscore: not met: headers not checked: reach\.status unknown\.$/,
      /^shipscore: not met: verdict inconclusive, so nothing can be decided\.$/,
      /^shipscore: Gate: 0 of 2 conditions met\.$/,
    ],
  ],
])(
  "a page that could not be assessed explains why and what to do, also in a pipe %i exits %i",
  async (status, exitCode, lines) => {
    await using own = await startContractDouble(json(answerWithStatus(status)));
    const args = ["check", URL_TO_CHECK, "--min-category", "headers=17"];
    const ran = await runCli(args, own.env);
    expect(ran.exitCode).toBe(exitCode);
    const noted = ran.stderr.trimEnd().split("\n");
    expect(noted).toHaveLength(lines.length);
    for (const [index, line] of lines.entries()) expect(noted[index]).toMatch(line);
    const { stdout } = await runCli(["check", URL_TO_CHECK, "--explain", "hdr.csp"], {
      ...own.env,
      SHIPSCORE_FORCE_TTY: "200",
    });
    expect(stdout).toMatch(/\nnot checked: reach\.status \w+\n\nFound +.*\d\d\d\.[^]*\nFix +\w/);
    expect(stdout.includes("\nWhy it matters  ")).toBe(status !== 403);
  },
);

test("--explain prints why the rule matters between what was found and the fix", async () => {
  const explain = async (why: string, locale: string) => {
    const findings = CHECK.findings.map((finding) => ({ ...finding, why }));
    await using own = await startContractDouble(json({ ...CHECK, findings }));
    const env = { ...own.env, LC_ALL: locale, SHIPSCORE_FORCE_TTY: "200" };
    return (await runCli(["check", URL_TO_CHECK, "--explain", "hdr.csp"], env)).stdout;
  };
  const [english, french, none] = [
    await explain("Scripts steal.", "C"),
    await explain("Les scripts volent.", "fr_FR.UTF-8"),
    await explain("", "C"),
  ];
  expect(english).toMatch(/\nFound {11}.*\nWhy it matters {2}Scripts steal\.\nFix {13}/);
  expect(french).toMatch(/\nConstaté +.*\nEnjeu +Les scripts volent\.\nCorrection {2}/);
  expect(none).toMatch(/\nFound {2}.*\nFix {4}/);
});

test("--json prints the API's value, also when the gate is not met", async () => {
  const { exitCode, stdout } = await check("--json", "--min-score", "80");
  expect(exitCode).toBe(1);
  const text = "score 59, minimum 80";
  const conditions = [{ asked: "--min-score 80", met: false, text }];
  expect(JSON.parse(stdout)).toEqual({ ...CHECK, gate: { met: false, conditions } });
  expect((await check("--field", "gate.met", "--min-score", "50")).stdout).toBe("true\n");
});

test("without a condition there is no gate in --json", async () => {
  expect(JSON.parse((await check("--json")).stdout)).toEqual(CHECK);
  expect((await check("--field", "gate")).exitCode).toBe(2);
});

test("--verbose traces the request without the token", async () => {
  const { stderr } = await check("--verbose");
  expect(stderr).toMatch(
    /^> POST http:\S+\/api\/v1\/check, Authorization: Bearer \*\*\*\n< 200 in \d+ ms, X-Request-Id: req-1\n$/,
  );
});

test("a closed reader never turns a failed gate into 0", async () => {
  const command = "node bin/shipscore.js check https://example.com/ --min-score 80";
  const { stderr } = await runShell(`{ ${command}; echo $? >&2; } | true`, server.env);
  expect(stderr).toBe(`${NOT_MET}1\n`);
});
