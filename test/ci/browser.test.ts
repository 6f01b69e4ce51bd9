import { chmod, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { beforeAll, describe, expect, test } from "vitest";
import { findBrowser } from "../harness/find-browser.ts";
import { ROOT } from "../harness/package.ts";
import { useFolder } from "../harness/use.ts";

const folder = useFolder();
let program: string;
beforeAll(async () => {
  program = join(folder, "chromium");
  await writeFile(program, "");
  await chmod(program, 0o755);
});

describe("the browser of the tests", () => {
  test("is SHIPSCORE_BROWSER alone if it is set, even if that is missing", () => {
    const env = { SHIPSCORE_BROWSER: "/nowhere/chromium", PATH: folder };
    expect(() => findBrowser(env)).toThrow("SHIPSCORE_BROWSER: there is no /nowhere/chromium");
  });

  test.each([
    ["none without a PATH", () => ({}), () => undefined],
    ["none where the PATH has none", () => ({ PATH: tmpdir() }), () => undefined],
    ["found on the PATH", () => ({ PATH: ["/nowhere", folder].join(delimiter) }), () => program],
    ["named", () => ({ SHIPSCORE_BROWSER: process.execPath }), () => process.execPath],
  ])("is %s", (_, env, found) => expect(findBrowser(env())).toBe(found()));
});

describe("without a browser", () => {
  const vitest = (...args: string[]) =>
    execa(process.execPath, [join(ROOT, "node_modules/vitest/vitest.mjs"), ...args], {
      cwd: ROOT,
      env: { PATH: "/nowhere" },
      extendEnv: false,
      reject: false,
    });
  const SKIPPED = /^No browser: test\/browser is skipped\./gm;

  test("the tests that need one fail when requested", async () => {
    const { exitCode, stderr } = await vitest("run", "--project", "browser");
    expect(exitCode).toBe(1);
    expect(stderr.match(SKIPPED)).toHaveLength(1);
  });

  test("all other tests run, and report it once", async () => {
    const { exitCode, stdout, stderr } = await vitest("list", "--filesOnly");
    expect(exitCode).toBe(0);
    expect(stderr.match(SKIPPED)).toHaveLength(1);
    expect(stdout).toContain("test/web/door.test.ts");
    expect(stdout).not.toContain("test/browser/");
  });
});
