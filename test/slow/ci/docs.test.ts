import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { runCli, TOKEN } from "../../harness/cli.ts";
import { CHECK, startContractDouble } from "../../harness/contract-double.ts";
import { createTestDatabase } from "../../harness/database.ts";
import { ROOT } from "../../harness/package.ts";
import { BIN, runOrThrow } from "../../harness/process.ts";
import { startSite } from "../../harness/site.ts";
import { useFolder, use } from "../../harness/use.ts";
import { findCommands, readBlocks } from "../../ci/blocks.ts";

const Named = z.looseObject({ name: z.string().optional() });
const Variables = z.record(z.string(), z.union([z.string(), z.number()]));
const SHAPES: Readonly<Record<string, z.ZodType>> = {
  "GitHub Actions": z.strictObject({
    name: z.string(),
    on: z.enum(["deployment_status", "push"]),
    permissions: z.record(z.string(), z.literal("write")).optional(),
    jobs: z.record(
      z.string(),
      z.strictObject({
        if: z.string().optional(),
        "runs-on": z.string(),
        steps: z.array(
          z.union([
            z.strictObject({ run: z.string(), env: Variables.optional() }),
            z.strictObject({
              uses: z.string().regex(/^[\w-]+\/[\w/-]+@v\d+$/),
              if: z.string().optional(),
              with: Variables,
              env: Variables.optional(),
            }),
          ]),
        ),
      }),
    ),
  }),
  "GitLab CI": z.strictObject({
    shipscore: z.strictObject({
      image: z.string(),
      stage: z.string().optional(),
      variables: Variables.optional(),
      script: z.array(z.string()),
      artifacts: z
        .strictObject({
          when: z.literal("always"),
          reports: z.strictObject({ codequality: z.literal("gl-code-quality-report.json") }),
        })
        .optional(),
    }),
  }),
  CircleCI: z.strictObject({
    version: z.literal(2.1),
    jobs: z.record(
      z.string(),
      z.strictObject({
        docker: z.array(z.strictObject({ image: z.string() })),
        environment: Variables.optional(),
        steps: z.array(z.strictObject({ run: z.union([z.string(), Named] as const) })),
      }),
    ),
    workflows: z.looseObject({}),
  }),
  Buildkite: z.strictObject({
    steps: z.array(
      z.strictObject({
        label: z.string(),
        command: z.string(),
        secrets: z.array(z.string()).optional(),
        env: Variables.optional(),
      }),
    ),
  }),
  "Azure Pipelines": z.strictObject({
    trigger: z.array(z.string()).optional(),
    pool: z.strictObject({ vmImage: z.string() }),
    steps: z.array(
      z.union([
        z.strictObject({ task: z.string(), inputs: Variables }),
        z.strictObject({ script: z.string(), displayName: z.string(), env: Variables.optional() }),
      ]),
    ),
  }),
  "Protected previews": z.strictObject({
    env: z.strictObject({ SHIPSCORE_TARGET_HEADERS: z.string() }),
  }),
};

const page = await readBlocks();
const OF_OPERATORS = ["The gate of a project", "Previews"];
/** test/hooks/docs.test.ts runs the lines that report a deployment. */
const blocks = page.filter(
  ({ system }) => !["Reporting deployments", ...OF_OPERATORS].includes(system),
);
const yaml = blocks.filter(({ language }) => language === "yaml");
const commands = blocks.flatMap((block) =>
  findCommands(block).map((line) => ({ system: block.system, line })),
);

const server = use(() =>
  startContractDouble((request, response) => {
    const body = request.path.endsWith("/check") ? CHECK : { incidents: [], projects: [] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  }),
);
const site = use(() =>
  startSite({ routes: { "/": { body: "<!doctype html><title>Shop</title><script></script>" } } }),
);
const folder = useFolder();

/** An npx that has this checkout's commands in place of the tarballs, and refuses what it would ask a registry for. */
async function writeNpx(): Promise<void> {
  await mkdir(join(folder, "bin"));
  const npx = join(folder, "bin/npx");
  await writeFile(
    npx,
    `#!/bin/sh\ncase "$1 $2" in "--yes https://packages.example.com/"*.tgz) ;; *) exit 99 ;; esac\nname=$(basename "$2" .tgz)\nshift 2\nexec node --liftoff-only "${ROOT}bin/$name.js" "$@"\n`,
  );
  await chmod(npx, 0o755);
  const operator = join(folder, "bin/shipscore-server");
  await writeFile(operator, `#!/bin/sh\nexec node --liftoff-only "${BIN}" "$@"\n`);
  await chmod(operator, 0o755);
}

beforeAll(async () => {
  await writeNpx();
  await mkdir(join(folder, ".config"));
  const variables = `export SHIPSCORE_URL=${server.url} SHIPSCORE_TOKEN=${TOKEN}\n`;
  await writeFile(join(folder, ".config/shipscore.env"), variables);
  await writeFile(join(folder, "urls.txt"), `${site.url}\n`);
  await writeFile(join(folder, "ca.pem"), site.authority.certificate);
});

function run(line: string, input = "") {
  return execa("sh", ["-c", line.replaceAll("https://example.com/", site.url)], {
    cwd: folder,
    input,
    reject: false,
    extendEnv: false,
    env: {
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      HOME: folder,
      CI: "true",
      PREVIEW_URL: site.url,
      STAGING_URL: site.url,
      SHIPSCORE_URL: server.url,
      SHIPSCORE_TOKEN: TOKEN,
      SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8",
      NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
    },
  });
}

test("each system is shown with a server and without one", () => {
  const systems = new Set(commands.map(({ system }) => system));
  expect([...systems]).toEqual([
    "GitHub Actions",
    "GitLab CI",
    "Jenkins",
    "CircleCI",
    "Buildkite",
    "Azure Pipelines",
    "A git pre-push hook",
    "cron",
  ]);
  for (const system of systems) {
    const lines = commands.filter((command) => command.system === system).map(({ line }) => line);
    expect(lines.some((line) => /shipscore\.tgz /.test(line))).toBe(true);
    if (system !== "A git pre-push hook")
      expect(lines.some((line) => line.includes("shipscore-server.tgz exec -- "))).toBe(true);
  }
});

test.each(yaml)("$system: the YAML has the shape that the system asks for", ({ system, text }) => {
  expect(SHAPES[system]?.safeParse(parse(text))).toMatchObject({ success: true });
});

test.each(blocks)(
  "$system ($language) holds no secret, and no expression in a command",
  (block) => {
    for (const [, value] of block.text.matchAll(/(?:TOKEN|client-secret|bypass)"?\s*[:=]\s*(.*)/g))
      expect(value).toMatch(/\$\{\{ secrets\.|\$\(|credentials\(/);
    for (const line of findCommands(block)) expect(line).not.toContain("${{");
  },
);

/** Each command once; several systems show the same. */
const distinct = [...new Map(commands.map((command) => [command.line, command])).values()];

test.each(distinct)("$system: $line runs, and ends as the gate says", async ({ system, line }) => {
  const push = "refs/heads/main 1 refs/heads/main 0\n";
  const { exitCode, stdout, stderr } = await run(line, push);
  if (system !== "cron") expect(exitCode).toBe(1);
  expect(stderr + stdout).toMatch(
    line.includes("incidents") ? /^$/ : /not met: score \d+, minimum 80/,
  );
  expect(stderr + stdout).not.toContain(TOKEN);
});

test("a saved result is a baseline for new findings, and is read again without a server", async () => {
  const lines = blocks.flatMap(({ language, text }) =>
    language === "console" ? text.trim().split("\n") : [],
  );
  expect(lines).toHaveLength(3);
  const printed: string[] = [];
  for (const line of lines) {
    const { exitCode, stderr } = await run(line.replace(/^\$ /, ""));
    expect([line, exitCode]).toEqual([line, 0]);
    printed.push(stderr);
  }
  expect(printed[1]).toMatch(/\b\d+ unchanged$/m);
  expect(await readFile(join(folder, "shipscore.md"), "utf8")).toMatch(/Ship Score 59\/100/);
});

test("the pre-push hook ignores other branches, and names a missing variable", async () => {
  const hook = commands.find(({ system }) => system === "A git pre-push hook")?.line ?? "";
  expect((await run(hook, "refs/heads/x 1 refs/heads/x 0\n")).exitCode).toBe(0);
  const unset = `unset STAGING_URL\n${hook}`;
  expect((await run(unset, "refs/heads/main 1 refs/heads/main 0\n")).stderr).toMatch(/STAGING_URL/);
});

test("the administrator's commands do what the page says", async () => {
  const database = await createTestDatabase("embedded");
  onTestFinished(() => database.drop());
  const { env } = database;
  const words = ["project", "add", "ann@example.com", "--name", "Shop", "--url", site.url];
  await runOrThrow(["account", "add", "ann@example.com", "--plan", "pro"], env);
  const id = await runOrThrow(words, env);
  const lines = page
    .filter(({ system }) => OF_OPERATORS.includes(system))
    .flatMap(({ text }) => text.replaceAll("PROJECT", id).trim().split("\n"));
  let printed = "";
  for (const line of lines) {
    const PATH = `${join(folder, "bin")}:${process.env.PATH}`;
    const options = { reject: false, env: { ...env, PATH, BYPASS: "s3cret" } };
    const { exitCode, stdout, stderr } = await execa("sh", ["-c", line], options);
    expect([line, exitCode, stderr]).toEqual([line, 0, ""]);
    printed = line.includes("gate show") ? stdout : printed;
    expect(stdout).not.toContain("s3cret");
  }
  expect(JSON.parse(printed)).toMatchObject({ minScore: 80, accept: [{ rule: "hdr.csp" }] });
});

test.each(yaml.filter(({ system }) => system === "Protected previews"))(
  "the headers of a protected preview are sent, and never printed: $text",
  async ({ text }) => {
    const { env } = parse(text) as { env: { SHIPSCORE_TARGET_HEADERS: string } };
    const headers = env.SHIPSCORE_TARGET_HEADERS.replace(/\$\{\{ .*? \}\}/g, "s3cret");
    const before = server.requests.length;
    const { exitCode, stdout, stderr } = await runCli(["check", site.url, "--verbose", "--json"], {
      ...server.env,
      SHIPSCORE_TARGET_HEADERS: headers,
    });
    expect([exitCode, `${stdout}${stderr}`.includes("s3cret")]).toEqual([0, false]);
    const bodies = server.requests.slice(before).map(({ body }) => body);
    expect(bodies.some((body) => body.includes(headers))).toBe(true);
  },
);
