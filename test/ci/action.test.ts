import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execaNode } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { runCli, TOKEN } from "../harness/cli.ts";
import { startContractDouble, type ContractDouble } from "../harness/contract-double.ts";
import { ROOT } from "../harness/package.ts";

const Action = z.strictObject({
  name: z.string(),
  description: z.string(),
  branding: z.strictObject({ icon: z.string(), color: z.string() }),
  inputs: z.record(
    z.string().regex(/^[a-z-]+$/),
    z.strictObject({
      description: z.string(),
      required: z.literal(true).optional(),
      default: z.string().optional(),
    }),
  ),
  outputs: z.record(z.string(), z.strictObject({ description: z.string() })),
  runs: z.strictObject({ using: z.literal("node24"), main: z.string() }),
});

const action = Action.parse(parse(await readFile(join(ROOT, "action.yml"), "utf8")));

let server: ContractDouble;
beforeAll(async () => {
  server = await startContractDouble();
});
afterAll(() => server[Symbol.asyncDispose]());

/** Runs the action's entry as a runner does: each input, or its default, in the environment. */
async function runAction(inputs: Readonly<Record<string, string>>) {
  const variables = Object.entries(action.inputs).map(([name, { default: value }]) => [
    `INPUT_${name.toUpperCase()}`,
    inputs[name] ?? value ?? "",
  ]);
  const { exitCode, stdout, stderr } = await execaNode(join(ROOT, action.runs.main), [], {
    env: { SHIPSCORE_TOKEN: TOKEN, SHIPSCORE_URL: server.url, ...Object.fromEntries(variables) },
    extendEnv: false,
    reject: false,
  });
  return { exitCode, stdout, stderr };
}

const url = "https://example.com/";

test.each<[Record<string, string>, string]>([
  [{ url: " \n" }, "shipscore: url is empty. Mend the inputs of the step."],
  [{ url, preview: "yes" }, "shipscore: preview is neither true nor false."],
  [{ url, fail: "fasle" }, "shipscore: fail is neither true nor false."],
  [
    { url, "min-score": "a lot" },
    "shipscore: option '--min-score <n>' argument 'a lot' is invalid.",
  ],
  [{ url, "min-score": "$(id)" }, "argument '$(id)' is invalid."],
  [{ url, "max-drop": "3" }, "shipscore: --max-drop has no project"],
  [{ url: "--help" }, "shipscore: '--help' is no URL."],
  [{ url: `${url} \n —min-score 80` }, "shipscore: '—min-score 80' is no URL."],
  [{ url, "min-score": "80\n90" }, "shipscore: --min-score is there twice."],
])("%j is refused with 2, and nothing is sent", async (inputs, message) => {
  const before = server.requests.length;
  const ran = await runAction(inputs);
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
])("%j ends with the command's own %i", async (inputs, exitCode) => {
  expect((await runAction(inputs)).exitCode).toBe(exitCode);
});

test("a word of an input is one argument, whatever a shell would make of it", async () => {
  await using own = await startContractDouble();
  const hostile = `https://example.com/?a=$(id)&b=';"\`id\` *`;
  const inputs = { url: hostile, preview: "true", "server-url": own.url };
  expect((await runAction(inputs)).exitCode).toBe(0);
  expect(own.requests.map(({ body }): unknown => JSON.parse(body))).toEqual([
    { url: hostile, preview: true, headers: {} },
  ]);
});

test("the token is no input, and each input is a flag of the command", async () => {
  const names = Object.keys(action.inputs);
  expect(names.filter((name) => /token|header|secret/.test(name))).toEqual([]);
  const { stdout: help } = await runCli(["check", "--help"]);
  const others = ["url", "server-url", "fail", ...(help.includes("--report") ? [] : ["report"])];
  for (const name of names.filter((each) => !others.includes(each)))
    expect(help).toContain(`--${name}`);
});
