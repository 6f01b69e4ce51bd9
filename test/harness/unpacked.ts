import { existsSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execaSync } from "execa";

/** The folder to which tools/test/unpack-programs.sh unpacks Debian's packages. */
const UNPACKED = fileURLToPath(new URL("../../dist/unpacked", import.meta.url));
const LIBRARIES = ["x86_64", "aarch64"].flatMap((name) =>
  ["", "systemd"].map((folder) => join(UNPACKED, `usr/lib/${name}-linux-gnu`, folder)),
);

/** The environment in which an unpacked program finds its libraries. */
export const environmentOf = (program: string): Readonly<Record<string, string>> =>
  program.startsWith(UNPACKED) ? { LD_LIBRARY_PATH: LIBRARIES.join(delimiter) } : {};

/** Finds the first of these programs, installed or unpacked, that prints its version. Returns undefined if none does. */
export function findProgram(names: readonly string[], version = "--version"): string | undefined {
  const installed = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  const unpacked = ["usr/bin", "usr/sbin"].map((name) => join(UNPACKED, name));
  return [...installed, ...unpacked]
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .filter((file) => existsSync(file))
    .map((file) => realpathSync(file))
    .find((program) => {
      const options = { env: environmentOf(program), reject: false };
      return execaSync(program, [version], options).exitCode === 0;
    });
}

/** Finds the script that installs a Debian into a folder, and its environment. Returns undefined if there is none. */
export function findDebootstrap(): { script: string; env: Record<string, string> } | undefined {
  const folder = ["/", UNPACKED].find((each) => existsSync(join(each, "usr/sbin/debootstrap")));
  if (folder === undefined) return undefined;
  const env = { DEBOOTSTRAP_DIR: join(folder, "usr/share/debootstrap") };
  return { script: join(folder, "usr/sbin/debootstrap"), env };
}
