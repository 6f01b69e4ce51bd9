import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
let house: string;

/** An empty house under the same rules, where a violation can be planted without anybody seeing it. */
beforeAll(async () => {
  house = await mkdtemp(join(tmpdir(), "shipscore-house-"));
  for (const file of [".oxlintrc.json", "tsconfig.base.json", "package.json"])
    await cp(join(ROOT, file), join(house, file));
  for (const part of ["shared", "cli", "server"]) {
    await mkdir(join(house, part));
    await cp(join(ROOT, part, "tsconfig.json"), join(house, part, "tsconfig.json"));
  }
  await symlink(join(ROOT, "node_modules"), join(house, "node_modules"));
});
afterAll(() => rm(house, { recursive: true, force: true }));

async function plant(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(house, file)), { recursive: true });
  await writeFile(join(house, file), text);
}

async function lint(file: string, text: string): Promise<string> {
  await plant(file, text);
  const { all } = await execa(
    join(ROOT, "node_modules/.bin/oxlint"),
    ["-c", ".oxlintrc.json", file],
    { cwd: house, reject: false, all: true },
  );
  return all;
}

const importing = (name: string) => `import * as it from "${name}";\nexport const use = it;\n`;

describe("an import that the house does not allow is refused by the linter", () => {
  test.each([
    ["shared/planted.ts", "undici"],
    ["shared/planted.ts", "node:fs"],
    ["shared/planted.ts", "../server/errors.ts"],
    ["cli/planted.ts", "../server/errors.ts"],
    ["cli/commands/planted.ts", "undici"],
    ["cli/commands/planted.ts", "chalk"],
    ["cli/api.ts", "ora"],
    ["cli/api.ts", "node:https"],
    ["cli/http.ts", "undici"],
    ["cli/io.ts", "undici"],
    ["server/planted.ts", "../cli/main.ts"],
    ["server/planted.ts", "../test/harness/site.ts"],
    ["server/planted.ts", "postgres"],
    ["server/api/planted.ts", "postgres"],
    ["server/api/planted.ts", "undici"],
    ["server/api/planted.ts", "../web/pages.ts"],
    ["server/api/planted.ts", "../admin/projects.ts"],
    ["server/web/planted.ts", "../api/check.ts"],
    ["server/admin/planted.ts", "../api/check.ts"],
    ["server/verify/planted.ts", "../api/check.ts"],
    ["server/verify/planted.ts", "undici"],
    ["server/cycle/planted.ts", "../admin/projects.ts"],
    ["server/access/planted.ts", "../app.ts"],
    ["server/db/planted.ts", "../verify/check.ts"],
    ["server/db/planted.ts", "../probe/guard.ts"],
    ["server/db/planted.ts", "../deps.ts"],
    ["server/probe/planted.ts", "../db/sql.ts"],
    ["server/probe/planted.ts", "../verify/score.ts"],
    ["server/verify/rules/planted.ts", "node:fs"],
    ["server/verify/rules/planted.ts", "undici"],
    ["server/verify/rules/planted.ts", "../../db/sql.ts"],
    ["server/verify/score.ts", "node:crypto"],
    ["server/verify/score.ts", "../deps.ts"],
    ["server/cycle/incident-rules.ts", "node:timers"],
    ["server/cycle/incident-rules.ts", "../db/sql.ts"],
  ])("%s importing %s", async (file, name) => {
    expect(await lint(file, importing(name))).toContain("no-restricted-imports");
  });

  test.each([
    ["server/planted.ts", "export const secret = process.env.SECRET;\n", "no-process-env"],
    ["cli/planted.ts", 'console.log("x");\n', "no-console"],
    ["server/planted.ts", "process.exit(1);\n", "no-process-exit"],
    ["server/planted.ts", "export default 1;\n", "no-default-export"],
  ])("%s with %j", async (file, text, rule) => {
    expect(await lint(file, text)).toContain(rule);
  });

  test("a circle", async () => {
    await plant(
      "server/one.ts",
      'import { two } from "./two.ts";\nexport const one = () => two;\n',
    );
    expect(
      await lint(
        "server/two.ts",
        'import { one } from "./one.ts";\nexport const two = () => one;\n',
      ),
    ).toContain("no-cycle");
  });

  test("what is allowed passes", async () => {
    expect(await lint("server/db/allowed.ts", importing("postgres"))).toContain("0 errors");
  });
});

test.each([
  ["cli", "../server/planted.ts"],
  ["server", "../cli/planted.ts"],
  ["shared", "../server/planted.ts"],
])("the compiler refuses an import from %s to %s", async (part, name) => {
  await plant(join(part, name), "export const planted = 1;\n");
  await plant(`${part}/importer.ts`, `export { planted } from "${name}";\n`);
  await plant("shared/something.ts", "export const something = 1;\n");
  const { exitCode, all } = await execa(join(ROOT, "node_modules/.bin/tsc"), ["-b", part], {
    cwd: house,
    reject: false,
    all: true,
  });
  expect([exitCode !== 0, all]).toEqual([true, expect.stringMatching(/TS6307|TS6059/)]);
});
