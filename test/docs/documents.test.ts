import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { useFolder } from "../harness/use.ts";

const folder = useFolder();
const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const SCRIPT = "tools/build/documents.js";
const ENGLISH = ["docs/ci.md", "docs/alerts.md", "docs/mcp.md"];

async function buildDocuments(files: readonly string[], folders: readonly string[] = []) {
  const root = await mkdtemp(join(folder, "build-"));
  for (const path of ["tools/build", "docs/fr", ...folders])
    await mkdir(join(root, path), { recursive: true });
  await copyFile(join(REPOSITORY, SCRIPT), join(root, SCRIPT));
  await writeFile(join(root, "package.json"), '{ "type": "module" }');
  await symlink(join(REPOSITORY, "node_modules"), join(root, "node_modules"));
  for (const path of files) await writeFile(join(root, path), "# Title\n");
  await promisify(execFile)(process.execPath, [join(root, SCRIPT)]);
  return JSON.parse(await readFile(join(root, "dist/program/documents.json"), "utf8")) as object;
}

test("a document may have no French version", async () => {
  const english = { en: '<h1 id="title">Title</h1>\n' };
  expect(await buildDocuments(ENGLISH)).toEqual({ ci: english, alerts: english, mcp: english });
});

test.each([
  ["the English version is missing", ENGLISH.slice(1), [], "ENOENT"],
  ["a French version cannot be read", ENGLISH, ["docs/fr/ci.md"], "EISDIR"],
])("the build fails if %s", async (_, files, folders, code) => {
  await expect(buildDocuments(files, folders)).rejects.toThrow(code);
});
