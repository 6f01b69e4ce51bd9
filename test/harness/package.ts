import { mkdir, mkdtemp, readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Runs npm, which prefers its cache to the registry. */
export async function runNpm(cwd: string, ...args: string[]): Promise<string> {
  const quiet = ["--silent", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  const { stdout } = await execa("npm", [...args, ...quiet], { cwd });
  return stdout;
}

/** Packs a package as npm would publish it, installs it into an empty folder and returns that folder. */
export async function installPacked(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "sc-package-"));
  const packing = ["tools/build/pack.js", name, join(folder, "source")];
  const { stdout: source } = await execa("node", packing, { cwd: ROOT });
  const packed = await runNpm(source, "pack", "--pack-destination", folder);
  const home = join(folder, "home");
  await mkdir(home);
  await runNpm(home, "init", "--yes");
  await runNpm(home, "install", join(folder, packed.split("\n").at(-1) ?? ""));
  return home;
}

/** The manifest, and the first line of the README, of an installed package. */
export async function readAbout(home: string, name: string) {
  const folder = join(home, "node_modules", name);
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as object;
  const readme = await readFile(join(folder, "README.md"), "utf8");
  return { manifest, title: readme.split("\n", 1)[0] };
}

export async function measureBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
