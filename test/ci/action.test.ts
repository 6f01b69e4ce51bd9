import { expect, test } from "vitest";
import { runCli } from "../harness/cli.ts";
import { startContractDouble } from "../harness/contract-double.ts";
import { use } from "../harness/use.ts";
import { action, runAction } from "./run-action.ts";

const server = use(startContractDouble);

const run = (inputs: Readonly<Record<string, string>>) =>
  runAction(inputs, { SHIPSCORE_URL: server.url });

const url = "https://example.com/";

test.each<[Record<string, string>, string]>([
  [{ url: " \n" }, "shipscore: url is empty. Correct the inputs of the step."],
  [{ url, preview: "yes" }, "shipscore: preview is neither true nor false."],
  [{ url, fail: "fasle" }, "shipscore: fail is neither true nor false."],
  [{ url, "min-score": "a lot" }, "shipscore: --min-score does not take 'a lot'."],
  [{ url, "min-score": "$(id)" }, "--min-score does not take '$(id)'."],
  [{ url, "max-drop": "3" }, "shipscore: --max-drop has no baseline"],
  [{ url, "fail-on-new": "true" }, "shipscore: --fail-on-new has no baseline"],
  [
    { url, "pull-request-comment": "true" },
    "shipscore: pull-request-comment is true, but env has no GITHUB_TOKEN. Correct the inputs",
  ],
  [{ url: "--help" }, "shipscore: '--help' is not a URL."],
  [{ url: `${url} \n —min-score 80` }, "shipscore: '—min-score 80' begins with U+2014"],
  [{ url, "min-score": "80\n90" }, "shipscore: --min-score is used twice."],
])("%j is rejected with 2, and nothing is sent", async (inputs, message) => {
  const before = server.requests.length;
  const ran = await run(inputs);
  expect([ran.exitCode, ran.stdout, server.requests.length]).toEqual([2, "", before]);
  expect(ran.stderr).toContain(message);
});

test.each<[Record<string, string>, number]>([
  [{ url, "min-score": "60" }, 1],
  [{ url, "min-score": "60", fail: "false" }, 0],
  [{ url, "min-score": "50" }, 0],
  [{ url, "min-category": "headers=12\nassets=8" }, 1],
  [{ url, require: "tls" }, 0],
  [{ url: `${url}\n${url}?b`, "min-score": "60" }, 1],
  [{ url, "server-url": "http://127.0.0.1:1" }, 3],
])("%j exits with the command's own %i", async (inputs, exitCode) => {
  expect((await run(inputs)).exitCode).toBe(exitCode);
});

test("each word of an input is one argument, with any shell characters", async () => {
  await using own = await startContractDouble();
  const hostile = `https://example.com/?a=$(id)&b=';"\`id\` *`;
  const inputs = { url: hostile, preview: "true", "server-url": own.url };
  expect((await run(inputs)).exitCode).toBe(0);
  expect(own.requests.map(({ body }): unknown => JSON.parse(body))).toEqual([
    { url: hostile, preview: true, headers: {} },
  ]);
});

test("the token is not an input, and each input is a flag of the command", async () => {
  const names = Object.keys(action.inputs);
  expect(names.filter((name) => /token|header|secret/.test(name))).toEqual([]);
  const { stdout: help } = await runCli(["check", "--help-all"]);
  const others = ["url", "server-url", "fail", "pull-request-comment"];
  for (const name of names.filter((each) => !others.includes(each)))
    expect(help).toContain(`--${name}`);
});
