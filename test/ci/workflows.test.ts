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

test("each workflow is valid by GitHub's schema, and invalid with a mistake", async () => {
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

const Rights = z.record(z.string(), z.enum(["read", "write"]));
const Step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().default(""),
  with: z.record(z.string(), z.unknown()).default({}),
});
const Workflow = z.looseObject({
  on: z.record(z.string(), z.unknown()),
  permissions: z.strictObject({ contents: z.literal("read") }),
  jobs: z.record(
    z.string(),
    z.looseObject({
      needs: z.union([z.string(), z.array(z.string())]).optional(),
      permissions: Rights.optional(),
      steps: z.array(Step).default([]),
      strategy: z.looseObject({ matrix: z.unknown() }).optional(),
    }),
  ),
});
const readWorkflow = async (name: string) => Workflow.parse(parse(await readText(name)));

/** An action of others at a commit, with its tag in a comment, or a workflow of this repository. */
const PINNED_ACTION = /^(?:\.\/\S+|[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/;
const PINNED_IMAGE = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

test.each([
  "actions/checkout",
  "actions/checkout@main",
  "actions/checkout@v5",
  "actions/checkout@v5.1.0 # v5.1.0",
  "actions/checkout@fbc6f3992d24 # v5.1.0",
  "actions/checkout@fbc6f3992d24b796d5a048ff273f7fcc4a7b6c09",
])("%s is not pinned", (used) => expect(used).not.toMatch(PINNED_ACTION));

test.each(["node", "node:24", "node@sha256:50c3b2f6988d", "node:24@sha256:50c3b2f6988d"])(
  "the image %s is not pinned",
  (image) => expect(image).not.toMatch(PINNED_IMAGE),
);

test.each(names)("%s pins its actions, and leaves no token in its checkout", async (name) => {
  const { on, jobs } = await readWorkflow(name);
  // It would give the rights of the repository to the code of a stranger.
  expect(Object.keys(on)).not.toContain("pull_request_target");
  for (const [, used] of (await readText(name)).matchAll(/\buses: *(.*)$/gm))
    expect(used).toMatch(PINNED_ACTION);
  for (const step of Object.values(jobs).flatMap(({ steps }) => steps))
    if (step.uses?.startsWith("actions/checkout@"))
      expect(step.with["persist-credentials"]).toBe(false);
});

/** What runs code of packages. */
const RUNS_PACKAGES = /\bnpm (?!publish\b)|\b(?:npx|node|tsx|bash)\b/;

test.each(names)("in %s no job with write permission runs code of packages", async (name) => {
  const { jobs } = await readWorkflow(name);
  for (const [job, { permissions = {}, steps }] of Object.entries(jobs)) {
    const commands = steps.map(({ run }) => run).filter((run) => RUNS_PACKAGES.test(run));
    if (Object.values(permissions).includes("write")) expect([job, commands]).toEqual([job, []]);
  }
});

test("a release is tested, built without write permission, and published from the build", async () => {
  const { jobs } = await readWorkflow("release.yml");
  const table = Object.entries(jobs).map(([job, { needs, permissions }]) => [
    job,
    needs,
    permissions,
  ]);
  expect(table).toEqual([
    ["test", undefined, undefined],
    ["build", "test", undefined],
    ["packages", "build", { "id-token": "write" }],
    ["image", "packages", { contents: "read", packages: "write" }],
    ["release", ["packages", "image"], { contents: "write" }],
  ]);
  const BUILD = "npm ci --ignore-scripts && npm run build";
  expect(jobs["build"]?.steps.map(({ run }) => run)).toContain(BUILD);
  expect(await readFile(join(ROOT, "Dockerfile"), "utf8")).toContain(`RUN ${BUILD} `);
});

test("the image is built from the release's tarballs, or in the same way from its sources", async () => {
  const { jobs } = await readWorkflow("release.yml");
  const steps = jobs["image"]?.steps ?? [];
  const find = (action: string) => steps.find(({ uses }) => uses?.startsWith(`${action}@`))?.with;
  const [stage, folder] = String(find("docker/build-push-action")?.["build-contexts"]).split("=");
  expect(find("actions/download-artifact")).toEqual({ name: "release", path: folder });
  const dockerfile = await readFile(join(ROOT, "Dockerfile"), "utf8");
  const stages = dockerfile.split(/^(?=FROM )/m).slice(1);
  const [packages = "", build = ""] = stages;
  expect(packages).toMatch(new RegExp(`^FROM \\S+ AS ${stage}\n`));
  expect(build).toContain(`COPY --from=${stage} /shipscore-server-*.tgz /tmp/\n`);
  expect(build).not.toContain("COPY . ");
});

test("each image that is built upon or run is pinned", async () => {
  const dockerfile = await readFile(join(ROOT, "Dockerfile"), "utf8");
  const compose = await readFile(join(ROOT, "compose.yaml"), "utf8");
  const { services } = parse(compose) as {
    services: Record<string, { build?: string; image: string }>;
  };
  const images = [
    ...[...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = ""]) => image),
    ...Object.values(services).flatMap(({ build, image }) => (build ? [] : [image])),
  ];
  expect(images).toHaveLength(4);
  for (const image of images) expect(image).toMatch(PINNED_IMAGE);
});

test("CI runs one script on Node 20, 22 and 24", async () => {
  const { jobs } = await readWorkflow("ci.yml");
  expect(jobs["test"]?.strategy?.matrix).toEqual({ node: [20, 22, 24] });
  expect(jobs["test"]?.steps.at(-1)?.run).toBe("bash .ci/run");
});

test("dependencies are updated: packages, actions and images", async () => {
  const Updates = z.strictObject({
    version: z.literal(2),
    updates: z.array(
      z.strictObject({
        "package-ecosystem": z.enum(["npm", "github-actions", "docker", "docker-compose"]),
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
    "docker-compose",
  ]);
});
