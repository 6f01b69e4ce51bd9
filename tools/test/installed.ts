import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

export async function installPackage(name: string, version: string, room: string): Promise<string> {
  const home = join(ROOT, "node_modules/.cache", room, version);
  await mkdir(home, { recursive: true });
  const quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
  await execa("npm", ["install", "--prefix", home, `${name}@${version}`, ...quiet], {
    stdio: "inherit",
  });
  return join(home, "node_modules", name);
}

export async function installNode(version: string): Promise<string> {
  const system = process.platform === "win32" ? "win" : process.platform;
  const folder = await installPackage(`node-${system}-${process.arch}`, version, "nodes");
  const node = join(folder, "bin", system === "win" ? "node.exe" : "node");
  await execa(node, ["--version"], { stdio: "inherit" });
  return node;
}
