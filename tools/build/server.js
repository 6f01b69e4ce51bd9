/*
 * Builds dist/program: the server, the programs of its threads and their packages, in few files. Node loads these in half the time of a
 * thousand files. Packages with WebAssembly or native code stay separate.
 */
import { rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { readLicenses } from "./licenses.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

await rm(`${root}dist/program`, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [
    "dist/server/main.js",
    "dist/server/engine/visit/thread-program.js",
    "dist/server/db/embedded/database-program.js",
  ],
  entryNames: "[name]",
  outdir: "dist/program",
  metafile: true,
  bundle: true,
  splitting: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  legalComments: "none",
  external: ["@electric-sql/pglite", "@node-rs/argon2", "fs-native-extensions", "pg-native"],
  banner: {
    js: 'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);',
  },
});
for (const { entryPoint, exports } of Object.values(metafile.outputs))
  if (entryPoint?.startsWith("node_modules/") && exports.join() === "default")
    throw new Error(`${entryPoint} is CommonJS, and a late import would lose its names`);
await writeFile(`${root}dist/program/licenses.txt`, await readLicenses(root, metafile));
