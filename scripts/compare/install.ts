import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

/** The peers that are packages, except csp_evaluator, which is a dependency. */
export const PACKAGES = {
  "@mdn/mdn-http-observatory": "1.4.8",
  parse5: "8.1.1",
  "robots-parser": "3.0.1",
  "tough-cookie": "6.1.0",
  "whatwg-mimetype": "5.0.0",
} as const;

const SPECIFIERS = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
const FOLDER = fileURLToPath(
  new URL(`../../node_modules/.cache/peers-${Object.values(PACKAGES).join("-")}`, import.meta.url),
);

export const OBSERVATORY_HOME = path.join(FOLDER, "node_modules/@mdn/mdn-http-observatory");
const PRELOADED = path.join(OBSERVATORY_HOME, "conf", "hsts-preload.json");

/**
 * Installs the peers next to our own packages, once. Their scripts are not run, so the list of preloaded hosts, which
 * the Observatory's script would fetch, is empty here. Throws if the registry does not provide them.
 */
export async function installPeers(): Promise<void> {
  if (existsSync(PRELOADED)) return;
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path.join(FOLDER, "package.json"), '{ "private": true }\n');
  const args = ["install", "--ignore-scripts", "--no-save", "--no-audit", "--no-fund"];
  await promisify(execFile)("npm", [...args, ...SPECIFIERS], { cwd: FOLDER });
  await writeFile(PRELOADED, "{}\n");
}

/** The exports of a peer's package. */
export async function loadPeer<Exports>(name: keyof typeof PACKAGES): Promise<Exports> {
  const file = createRequire(path.join(FOLDER, "package.json")).resolve(name);
  return (await import(pathToFileURL(file).href)) as Exports;
}
