import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

/** Of this checkout: what is no part of a program, such as native code. */
const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const PACKED = new URL("./previous-release.json.br", import.meta.url);

/**
 * Unpacks the server of the previous release, as stored by `npm run build && node tools/release/server.js`, and returns the path of its
 * program.
 */
export async function unpackPreviousRelease(folder: string): Promise<string> {
  const packed = brotliDecompressSync(await readFile(PACKED)).toString();
  for (const [name, text] of Object.entries(JSON.parse(packed) as Record<string, string>)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  await symlink(PACKAGES, join(folder, "node_modules"));
  return join(folder, "shipscore-server.js");
}
