import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findBareUrl } from "../../cli/check/urls.ts";
import { runCli } from "../harness/cli.ts";
import { startContractDouble } from "../harness/contract-double.ts";
import { useFolder } from "../harness/use.ts";
import { expectRefused } from "./refused.ts";

const folder = useFolder();

async function check(...args: string[]) {
  await using server = await startContractDouble();
  const ran = await runCli(["check", ...args], server.env);
  const urls = server.requests.map(({ body }) => (JSON.parse(body) as { url: string }).url);
  return { ...ran, urls, stderr: ran.stderr.trim().split("\n") };
}

const CATEGORIES = "reach, tls, redirects, headers, cookies, html, assets, performance";

describe("before it needs a token or sends anything, check rejects", () => {
  test.each<[args: string[], message: string, advice: string | RegExp]>([
    [["--require", "tsl"], "there is no rule or category 'tsl'", "Did you mean tls?"],
    [["--require", "hdrcsp"], "there is no rule or category 'hdrcsp'", "Did you mean hdr.csp?"],
    [["--require", "tls,hdr.cps"], "there is no rule 'hdr.cps'", "Did you mean hdr.csp?"],
    [["--require", "HDR.CSP"], "there is no rule 'HDR.CSP'", "Did you mean hdr.csp?"],
    [
      ["--require", "html.basics"],
      "there is no longer a rule 'html.basics'",
      /^asset\.blocked has/,
    ],
    [["--explain", "html.basics"], "there is no longer a rule 'html.basics'", /^asset\.blocked/],
    [["--require", "safety"], "there is no rule or category 'safety'", new RegExp(CATEGORIES)],
    [["--require", "a b.c"], "there is no rule 'a b.c'", new RegExp(CATEGORIES)],
    [["--explain", "hdr.cps"], "there is no rule 'hdr.cps'", "Did you mean hdr.csp?"],
    [["--explain", "csp"], "there is no rule 'csp'", "Use a rule's ID, such as hdr.csp"],
    [["--explain", "cookies"], "'cookies' is a category", /^Use one of its rules: cookie\.secure,/],
    [["--min-category", "header=3"], "there is no category 'header'", "Did you mean headers?"],
    [["--min-category", "safety=3"], "there is no category 'safety'", `Use one of ${CATEGORIES}`],
  ])("%j", async (args, message, advice) => {
    const words = ["check", "https://a.example/", ...args];
    await expectRefused(words, { message, advice: expect.stringMatching(advice) });
  });

  test.each(["", " "])("the URL %j", async (url) => {
    const advice = expect.stringContaining("if it comes from a variable, check that it is set");
    await expectRefused(["check", url], { message: "the URL is empty", advice });
  });
});

test.each([
  ["https://a.example/?a=1", "--min-score", "80"],
  ["http://a.example/"],
  ["a.example"],
  ["localhost:3000"],
])("shipscore %s suggests check", async (...argv) => {
  const advice = `Run 'shipscore check ${argv[0]}' to check it`;
  await expectRefused(argv, { message: `'${argv[0]}' is not a command`, advice });
});

test.each([
  [{}, "http://127.0.0.1:7070/settings/api"],
  [
    { SHIPSCORE_URL: "https://score.example/base", SHIPSCORE_TOKEN: "" },
    "https://score.example/base/settings/api",
  ],
])("without a token, the error names both ways to set one on %j", async (env, page) => {
  const { exitCode, stdout, stderr } = await runCli(["check", "https://a.example/"], env);
  expect([exitCode, stdout]).toEqual([41, ""]);
  expect(stderr).toContain(`Set it to a token of your account, from ${page}, or `);
  expect(stderr).toMatch(/: shipscore-server exec -- shipscore check URL\.\n$/);
});

test("a rule that only the server may know is sent, and reported on stderr", async () => {
  const { exitCode, stderr, urls } = await check(
    "https://a.example/",
    "--explain",
    "hdr.future",
    "--require",
    "hdr.csp,new.rule",
  );
  expect(stderr.slice(0, 2)).toEqual([
    "shipscore: this command does not know new.rule, but its server may.",
    "shipscore: this command does not know hdr.future, but its server may.",
  ]);
  expect([exitCode, urls.length]).toEqual([2, 1]);
});

describe("a URL without a scheme", () => {
  test.each([
    "a b.c",
    ..."shop shop:80 shop/a.b . .. ./a.b /a.b //a.example ?a.b a.b: 79.5 1.2.3 1.2.3.4.5".split(
      " ",
    ),
    ..."a.b:99999 a.b:x a\\b.c mailto:me@a.example me@a.example javascript:a.b".split(" "),
    ..."http:a.example file:a.b".split(" "),
  ])("%j is not one", (word) => expect(findBareUrl(word)).toBeUndefined());

  test.each([
    ..."example.com example.com. www.example.co.uk/a?b=c.d#e a.example?b A.EXAMPLE".split(" "),
    ..."a.example:8443 a.example:8443/ été.example 192.0.2.7 192.0.2.7/a".split(" "),
    ..."localhost localhost:3000 LOCALHOST/a".split(" "),
  ])("%j is read as https", (word) => expect(findBareUrl(word)).toBe(`https://${word}`));

  test("is completed, in --urls too", async () => {
    const file = join(folder, "urls.txt");
    await writeFile(file, "b.example/a\nhttps://a.example\nhttps://localhost:3000/\n");
    const { stderr, urls } = await check("a.example", "--urls", file);
    expect(stderr.slice(0, 2)).toEqual([
      "shipscore: a.example has no scheme and is interpreted as https://a.example",
      "shipscore: b.example/a has no scheme and is interpreted as https://b.example/a",
    ]);
    expect(urls.toSorted()).toEqual([
      "https://a.example",
      "https://b.example/a",
      "https://localhost:3000/",
    ]);
  });

  test.each([
    ["http://b.example/?a=secret", "Type https://b.example/?a=***."],
    ["ftp://b.example/", "Type https://b.example/."],
    ["localhost:3000/a", "Type https://localhost:3000/a if it responds over https "],
    ["LOCALHOST", "Type https://LOCALHOST if "],
    ["127.0.0.1:8443", "Type https://127.0.0.1:8443 if "],
  ])("%s gets advice on what to type, in --urls too, and nothing is sent", async (word, advice) => {
    const file = join(folder, "urls.txt");
    await writeFile(file, `https://a.example\n${word}\n`);
    for (const words of [[word], ["--urls", file]]) {
      const { exitCode, stderr, urls } = await check(...words);
      expect([exitCode, urls]).toEqual([2, []]);
      expect(stderr.at(-1)).toContain(advice);
    }
  });

  test("that is invalid is rejected in --urls", async () => {
    const file = join(folder, "words.txt");
    await writeFile(file, "a.example\n—b.example\n");
    const { exitCode, stderr, urls } = await check("--urls", file);
    expect([exitCode, urls]).toEqual([2, []]);
    expect(stderr.at(-1)).toContain("'—b.example' begins with U+2014");
  });
});
