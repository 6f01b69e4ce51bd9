import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli, runShell, startCli } from "../harness/cli.ts";
import { CHECK, json, startContractDouble, type Handler } from "../harness/contract-double.ts";
import { useFolder } from "../harness/use.ts";
import { answerWithStatus } from "./reports/runs.ts";

const folder = useFolder();

const A = "https://a.example/";
const B = "https://b.example/";
const C = "https://c.example/";

/** Answers by the URL that is asked for: a score, or a status with its error. */
function scores(byUrl: Record<string, number | [status: number, error: string]>): Handler {
  return (request, response, count) => {
    const { url } = JSON.parse(request.body) as { url: string };
    const answer = byUrl[url] ?? 90;
    const verdict = (score: number) => (score < 60 ? "do_not_ship" : "ship");
    const handler = Array.isArray(answer)
      ? json({ error: answer[1] }, answer[0])
      : json({ ...CHECK, url, finalUrl: url, score: answer, verdict: verdict(answer) });
    handler(request, response, count);
  };
}

async function check(handler: Handler, ...args: string[]) {
  await using server = await startContractDouble(handler);
  const ran = await runCli(["check", ...args], server.env);
  return { ...ran, requests: server.requests };
}

describe("a list is rejected before anything is sent if", () => {
  test.each<[why: string, args: string[], sentence: string]>([
    ["there is no URL", [], "there is no URL to check"],
    ["its file is not there", ["--urls", "nonesuch.txt"], "nonesuch.txt cannot be read (ENOENT)"],
    ["one is not a URL", [A, "shop"], "'shop' is not a URL"],
    [
      "one finding is to be explained",
      [A, B, "--explain", "hdr.csp"],
      "--explain works with one URL only",
    ],
  ])("%s", async (_, args, sentence) => {
    const { exitCode, stdout, stderr, requests } = await check(scores({}), ...args);
    expect([exitCode, stdout, requests.length]).toEqual([2, "", 0]);
    expect(stderr).toContain(sentence);
  });

  test("its file contains none", async () => {
    const file = join(folder, "empty.txt");
    await writeFile(file, "\n# nothing\n   \n");
    const { exitCode, stderr } = await check(scores({}), "--urls", file);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("contains no URL");
  });
});

describe("the worst result decides the exit code", () => {
  const gone: [number, string] = [400, "L'hôte est introuvable."];
  test.each<[Parameters<typeof scores>[0], string[], number]>([
    [{ [A]: 90, [B]: 95 }, ["--min-score", "80"], 0],
    [{ [A]: 90, [B]: 10 }, [], 0],
    [{ [A]: 90, [B]: 10 }, ["--min-score", "80"], 1],
    [{ [A]: 90, [B]: 10 }, ["--min-score", "80", "--no-fail"], 0],
    [{ [A]: gone, [B]: 10 }, ["--min-score", "80"], 40],
    [{ [A]: gone, [B]: 10 }, ["--min-score", "80", "--no-fail"], 40],
    [{ [A]: gone, [B]: [500, "Erreur interne."] }, [], 50],
  ])("%j with %j exits %i", async (byUrl, flags, exitCode) => {
    expect((await check(scores(byUrl), A, B, ...flags)).exitCode).toBe(exitCode);
  });
});

test("each URL has a row, in order, and stderr has the list, the progress and each gate", async () => {
  const { stdout, stderr } = await check(
    scores({ [A]: 90, [B]: [400, "L'hôte est introuvable."] }),
    A,
    B,
    "--min-score",
    "80",
  );
  expect(stdout).toBe(`90\tship\t${A}\t${A}\tchk_1\n\t\t${B}\t\t\n`);
  const lines = stderr.trim().split("\n");
  expect(lines[0]).toBe("shipscore: checking 2 URLs, which uses 2 checks.");
  expect(lines.slice(1, 3).toSorted()).toEqual([
    `shipscore: ${A}: 90, ship.`,
    `shipscore: ${B}: the server refused the URL: "L'hôte est introuvable." Use the https URL of a page that anyone can reach. (request req-1)`,
  ]);
  expect(lines[3]).toBe(`shipscore: ${A}: met: score 90, minimum 80.`);
});

test("--json has the checks, and the URLs that were not checked", async () => {
  const { stdout } = await check(scores({ [B]: [400, "Non."] }), A, B, "--json");
  const { checks, errors } = JSON.parse(stdout) as { checks: object[]; errors: object[] };
  expect(checks).toEqual([{ ...CHECK, url: A, finalUrl: A, score: 90, verdict: "ship" }]);
  expect(errors).toEqual([{ url: B, exitCode: 40, error: "Non." }]);
});

test("URLs come from a file and from stdin, each once, also a single one as a list", async () => {
  const file = join(folder, "urls.txt");
  await writeFile(file, `# the shop\n${B}\r\n\n  ${A}  \n`);
  const { stdout } = await check(scores({}), C, A, "--urls", file, "--field", "checks.2.url");
  expect(stdout).toBe(`${B}\n`);
  await using server = await startContractDouble(scores({}));
  const piped = await runShell(
    `echo ${A} | node bin/shipscore.js check --urls - --json`,
    server.env,
  );
  expect(JSON.parse(piped.stdout)).toMatchObject({ checks: [{ url: A }] });
});

test("a list leads to at most 100 checks, unless --limit allows more; typed URLs do not count towards it", async () => {
  const urls = Array.from({ length: 101 }, (_, number) => `${A}${number}`);
  const file = join(folder, "many.txt");
  await writeFile(file, [...urls, ...urls].join("\n"));
  const refused = await check(scores({}), "--urls", file);
  expect([refused.exitCode, refused.requests.length]).toEqual([2, 0]);
  expect(refused.stderr).toContain(
    `--urls ${file} needs 101 checks, and without --limit the maximum is 100. Add --limit N, such as --limit 101`,
  );
  const fewer = await check(scores({}), "--urls", file, "--limit", "100");
  expect([fewer.exitCode, fewer.requests.length]).toEqual([2, 0]);
  expect(fewer.stderr).toContain("--limit 100 is less than the 101 pages to check.");
  expect((await check(scores({}), "--urls", file, "--limit", "101")).requests).toHaveLength(101);
  expect((await check(scores({}), ...urls)).requests).toHaveLength(101);
});

test("the report for people is a table, worst page first, with the main findings, each gate, and the rest of the quota", async () => {
  await using server = await startContractDouble(scores({ [B]: 41 }));
  const env = { ...server.env, SHIPSCORE_FORCE_TTY: "60" };
  const { stdout } = await runCli(["check", A, B, "--min-score", "80"], env);
  expect(stdout).toBe(`SCORE  VERDICT      URL
   41  Do not ship  ${B}
   90  Ship         ${A}

asset.broken costs 4.5 points and caps the score at 59 on 2
of 2 pages: one fix is enough
hdr.csp costs 4 points on 2 of 2 pages: one fix is enough

${A}
+4.5  asset.broken: A script or styl… (caps the score at 59)
  +4  hdr.csp: The Content-Security-Policy stops little

${B}
+4.5  asset.broken: A script or styl… (caps the score at 59)
  +4  hdr.csp: The Content-Security-Policy stops little

✓ ${A}: met: score 90, minimum 80
✗ ${B}: not met: score 41, minimum 80
Gate: 1 of 2 conditions met

2 of 2 URLs checked; 288 of 300 checks left this month.
`);
});

test("a page that could not be assessed has its reason under the table", async () => {
  await using server = await startContractDouble(json(answerWithStatus(403)));
  const env = { ...server.env, SHIPSCORE_FORCE_TTY: "400" };
  const { stdout } = await runCli(["check", A, B], env);
  expect(stdout).toMatch(
    /\n\nhttps:\/\/a\.example\/: reach\.status unknown: [^]*403\.[^]*SHIPSCORE_TARGET_HEADERS\.\nhttps:\/\/b/,
  );
});

test("the table is in the locale's language", async () => {
  await using server = await startContractDouble(scores({ [B]: 41 }));
  const env = { ...server.env, SHIPSCORE_FORCE_TTY: "60" };
  const { stdout } = await runCli(["check", A, B], { ...env, LC_ALL: "fr_FR.UTF-8" });
  expect(stdout).toBe(`SCORE  VERDICT        URL
   41  Ne pas livrer  ${B}
   90  Bon à livrer   ${A}

asset.broken coûte 4,5 points et plafonne le score à 59 sur
2 pages sur 2 : une seule correction suffit
hdr.csp coûte 4 points sur 2 pages sur 2 : une seule
correction suffit

${A}
+4,5  asset.broken : A script or s… (plafonne le score à 59)
  +4  hdr.csp : The Content-Security-Policy stops little

${B}
+4,5  asset.broken : A script or s… (plafonne le score à 59)
  +4  hdr.csp : The Content-Security-Policy stops little

2 URL vérifiées sur 2. Il reste 288 vérifications sur 300 ce mois-ci.
`);
});

test("at most 4 checks run at once", async () => {
  let running = 0;
  let most = 0;
  const slow: Handler = (request, response, count) => {
    most = Math.max(most, ++running);
    setTimeout(() => {
      running -= 1;
      scores({})(request, response, count);
    }, 100);
  };
  const urls = Array.from({ length: 9 }, (_, index) => `https://${index}.example/`);
  const { exitCode, requests } = await check(slow, ...urls);
  expect([exitCode, requests.length, most]).toEqual([0, 9, 4]);
});

test("when the month's quota is used up, the rest is skipped with a message", async () => {
  const urls = Array.from({ length: 9 }, (_, index) => `https://${index}.example/`);
  const { exitCode, stdout, requests } = await check(
    (request, response, count) =>
      count === 1
        ? scores({})(request, response, count)
        : json({ error: "Épuisé.", quota: { used: 30, limit: 30, remaining: 0 } }, 429)(
            request,
            response,
            count,
          ),
    ...urls,
    "--json",
  );
  const { checks, errors } = JSON.parse(stdout) as {
    checks: object[];
    errors: { error: string }[];
  };
  expect([exitCode, checks.length, errors.length]).toEqual([49, 1, 8]);
  expect(requests.length).toBeLessThan(9);
  expect(errors.at(-1)?.error).toMatch(
    /^not checked: the monthly quota of checks is used up: "Épuisé\."/,
  );
});

test("a busy server gets more than three retries", async () => {
  const busy = json({ error: "Occupé." }, 503, { "x-shipscore-error": "busy", "retry-after": "0" });
  const { exitCode, stderr, requests } = await check(
    (request, response, count) => (count < 6 ? busy : scores({}))(request, response, count),
    A,
  );
  expect([exitCode, requests.length]).toEqual([0, 6]);
  expect(new Set(requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(stderr.match(/running its maximum of checks\. Trying again in/g)).toHaveLength(5);
});

test("Ctrl-C ends a list with 130 and nothing on stdout", async () => {
  await using server = await startContractDouble(() => {});
  const running = startCli(["check", A, B], server.env);
  await expect.poll(() => server.requests.length, { timeout: 15_000 }).toBe(2);
  running.kill("SIGINT");
  const { exitCode, stdout } = await running;
  expect([exitCode, stdout]).toEqual([130, ""]);
});
