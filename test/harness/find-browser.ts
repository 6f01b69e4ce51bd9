import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
];

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The browser for tests: SHIPSCORE_BROWSER, otherwise the first Chromium on the PATH; undefined if there is none. Throws if
 * SHIPSCORE_BROWSER names no file.
 */
export function findBrowser(env = process.env): string | undefined {
  const given = env["SHIPSCORE_BROWSER"];
  if (given && !existsSync(given)) throw new Error(`SHIPSCORE_BROWSER: there is no ${given}`);
  if (given) return given;
  return (env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(isProgram);
}
