import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The folder in which the peers are installed on demand, separate from this package. */
export const PEERS_FOLDER = new URL("../../node_modules/.cache/shipscore-bench/", import.meta.url);

/** What a user might run instead, in the versions that were measured. */
export const PEERS = [
  {
    kind: "observatory",
    name: "MDN Observatory",
    package: "@mdn/mdn-http-observatory",
    version: "1.4.8",
  },
  { kind: "linkinator", name: "linkinator", package: "linkinator", version: "6.3.0" },
] as const;

/** Installs missing peers; false if that fails, as it does without a registry. */
export async function installPeers(): Promise<boolean> {
  const isThere = PEERS.every((peer) =>
    existsSync(new URL(`node_modules/${peer.package}`, PEERS_FOLDER)),
  );
  if (isThere) return true;
  await mkdir(PEERS_FOLDER, { recursive: true });
  await writeFile(new URL("package.json", PEERS_FOLDER), '{"private":true}\n');
  const wanted = PEERS.map((peer) => `${peer.package}@${peer.version}`);
  const options = ["--ignore-scripts", "--no-save", "--no-audit", "--no-fund"];
  try {
    await promisify(execFile)("npm", ["install", ...options, ...wanted], {
      cwd: fileURLToPath(PEERS_FOLDER),
    });
    // The package's install script would fetch this list, which contains no site on loopback.
    await writeFile(
      new URL(`node_modules/${PEERS[0].package}/conf/hsts-preload.json`, PEERS_FOLDER),
      "{}",
    );
    return true;
  } catch {
    return false;
  }
}
