import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { parse } from "yaml";
import { expect, test } from "vitest";
import * as z from "zod";
import { ROOT } from "../harness/package.ts";

const FOLDER = join(ROOT, ".github", "workflows");
const readText = (name: string) => readFile(join(FOLDER, name), "utf8");
const names = await readdir(FOLDER);

/** What GitHub's own parser has against each of these texts. */
async function findErrors(texts: readonly string[]): Promise<string[][]> {
  const input = JSON.stringify(texts);
  const args = ["--import", "tsx", "tools/test/workflows.ts"];
  const run = await execa(process.execPath, args, { cwd: ROOT, input });
  return JSON.parse(run.stdout) as string[][];
}

test("each is a workflow by GitHub's schema, and with a slip none", async () => {
  const own = await Promise.all(names.map(readText));
  const slips = [
    ["runs-on: ubuntu-24.04", "runs-at: ubuntu-24.04"],
    ["matrix.node", "matrix.node +"],
    ["contents: read", "contents: look"],
    ["pull_request:", "pull_requests:"],
  ] as const;
  const text = await readText("ci.yml");
  const wrong = slips.map(([right, slip]) => text.replace(right, slip));
  const errors = await findErrors([...own, ...wrong]);
  expect(errors.slice(0, own.length)).toEqual(own.map(() => []));
  for (const [index, [, slip]] of slips.entries())
    expect([slip, errors[own.length + index]]).not.toEqual([slip, []]);
}, 120_000);

const Workflow = z.looseObject({
  permissions: z.strictObject({ contents: z.literal("read") }),
  jobs: z.record(
    z.string(),
    z.looseObject({
      uses: z.string().optional(),
      steps: z.array(z.looseObject({ uses: z.string().optional() })).optional(),
      strategy: z.looseObject({ matrix: z.unknown() }).optional(),
    }),
  ),
});

test.each(names)(
  "%s may read alone unless a job says more, and pins what it uses",
  async (name) => {
    const { jobs } = Workflow.parse(parse(await readText(name)));
    const used = Object.values(jobs).flatMap(({ uses, steps = [] }) => [
      uses,
      ...steps.map((step) => step.uses),
    ]);
    for (const each of used)
      if (each !== undefined) expect(each).toMatch(/^\.\/|^[\w-]+\/[\w-]+@(?:v\d+|[0-9a-f]{40})$/);
  },
);

test("CI runs the one script on Node 20, 22 and 24", async () => {
  const { jobs } = Workflow.parse(parse(await readText("ci.yml")));
  expect(jobs["test"]?.strategy?.matrix).toEqual({ node: [20, 22, 24] });
  expect(jobs["test"]?.steps?.at(-1)).toEqual({ run: "bash .ci/run" });
});

test("what is used is kept current: packages, actions and the images", async () => {
  const Updates = z.strictObject({
    version: z.literal(2),
    updates: z.array(
      z.strictObject({
        "package-ecosystem": z.enum(["npm", "github-actions", "docker"]),
        directory: z.string().optional(),
        directories: z.array(z.string()).optional(),
        schedule: z.strictObject({ interval: z.enum(["daily", "weekly", "monthly"]) }),
        groups: z
          .record(
            z.string(),
            z.strictObject({ "update-types": z.array(z.enum(["major", "minor", "patch"])) }),
          )
          .optional(),
      }),
    ),
  });
  const text = await readFile(join(ROOT, ".github", "dependabot.yml"), "utf8");
  const { updates } = Updates.parse(parse(text));
  expect(updates.map((each) => each["package-ecosystem"])).toEqual([
    "npm",
    "github-actions",
    "docker",
  ]);
});
