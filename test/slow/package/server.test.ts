import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import MANIFEST from "../../../server/package.json" with { type: "json" };
import { installPacked, measureBytes, readAbout } from "../../harness/package.ts";

let home: string;

beforeAll(async () => {
  home = await installPacked("shipscore-server");
}, 300_000);
afterAll(() => rm(dirname(home), { recursive: true }));

function runServerPackage(...args: string[]) {
  return execa(join(home, "node_modules/.bin/shipscore-server"), args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    extendEnv: false,
    reject: false,
  });
}

test("it contains neither sources, tests nor the command's bundled packages", async () => {
  const installed = join(home, "node_modules/shipscore-server");
  expect((await readdir(installed)).toSorted()).toEqual(
    ["LICENSE", "README.md", "bin", "dist", "docs", "ops", "package.json"].toSorted(),
  );
  expect((await readdir(join(installed, "dist"))).toSorted()).toEqual([
    "database.tar.gz",
    "program",
    "shipscore.cjs",
    "shipscore.licenses.txt",
  ]);
});

test("its manifest lists no tools, and as packages only those with WebAssembly or native code", async () => {
  expect(await readAbout(home, "shipscore-server")).toEqual({
    title: "# shipscore-server",
    manifest: {
      ...MANIFEST,
      private: undefined,
      bin: { shipscore: "dist/shipscore.cjs", "shipscore-server": "bin/shipscore-server.js" },
      man: ["docs/shipscore.1"],
      files: expect.any(Array),
      dependencies: {
        "@electric-sql/pglite": MANIFEST.dependencies["@electric-sql/pglite"],
        "@node-rs/argon2": MANIFEST.dependencies["@node-rs/argon2"],
        "fs-native-extensions": MANIFEST.dependencies["fs-native-extensions"],
      },
    },
  });
});

test("the installed package takes at most 60 MB", async () => {
  expect(await measureBytes(join(home, "node_modules"))).toBeLessThanOrEqual(60_000_000);
});

test("exec runs the included command, with a temporary server", async () => {
  const { exitCode, stdout } = await runServerPackage(
    "exec",
    "--",
    "shipscore",
    "projects",
    "--json",
  );
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { projects: [] }]);
}, 120_000);

test("exec -- shipscore --version: both packages have one version", async () => {
  const ran = await runServerPackage("exec", "--", "shipscore", "--version");
  expect(ran).toMatchObject({ exitCode: 0, stdout: MANIFEST.version });
}, 120_000);
