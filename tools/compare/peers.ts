import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import manifest from "./package.json" with { type: "json" };

export const PACKAGES = manifest.dependencies;

const FOLDER = path.join(import.meta.dirname, "node_modules");

export const OBSERVATORY_HOME = path.join(FOLDER, "@mdn/mdn-http-observatory");

/** The list of preloaded hosts, which a script of the Observatory would fetch, is empty here: no peer's script runs. */
export function writePreloadList(): void {
  const file = path.join(OBSERVATORY_HOME, "conf", "hsts-preload.json");
  if (!existsSync(file)) writeFileSync(file, "{}\n");
}

/** The exports of a peer's package. */
export async function loadPeer<Exports>(name: keyof typeof PACKAGES): Promise<Exports> {
  const file = createRequire(import.meta.url).resolve(name);
  return (await import(pathToFileURL(file).href)) as Exports;
}
