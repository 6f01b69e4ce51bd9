import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { execaNode } from "execa";
import { parse } from "yaml";
import * as z from "zod";
import { TOKEN, type CliRun } from "../harness/cli.ts";
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

/** The action as its file describes it. */
export const action = Action.parse(parse(await readFile(join(ROOT, "action.yml"), "utf8")));

/** Runs the action's entry as a runner does: each input, or its default, in the environment. */
export async function runAction(
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>>,
): Promise<CliRun> {
  const variables = Object.entries(action.inputs).map(([name, { default: value }]) => [
    `INPUT_${name.toUpperCase()}`,
    inputs[name] ?? value ?? "",
  ]);
  const own = { SHIPSCORE_TOKEN: TOKEN, ...env, ...Object.fromEntries(variables) };
  return runProgram(action.runs.main, own);
}

/** Runs the part of the action that writes the comment. */
export const runComment = (env: Readonly<Record<string, string>>): Promise<CliRun> =>
  runProgram("bin/pull-request-comment.js", env);

async function runProgram(path: string, env: Readonly<Record<string, string>>): Promise<CliRun> {
  const { exitCode, stdout, stderr } = await execaNode(join(ROOT, path), [], {
    env,
    extendEnv: false,
    reject: false,
  });
  return { exitCode, stdout, stderr };
}
