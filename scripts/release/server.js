/*
 * Writes the built server down as the previous release: its code with its packages, its migrations and the licences, in
 * one packed file that the next version's tests run beside their own schema. The embedded database is left out.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { readLicenses } from "../build/licenses.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const migrations = `${root}dist/server/db/migrations/`;

const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ["bin/shipscore-server.js", "dist/server/verify/thread-program.js"],
  entryNames: "[name]",
  outdir: "dist",
  write: false,
  metafile: true,
  bundle: true,
  splitting: true,
  minify: true,
  platform: "node",
  target: "node20.19",
  format: "esm",
  legalComments: "none",
  external: ["@electric-sql/*"],
  banner: {
    js: 'import{createRequire as createBundleRequire}from"node:module";const require=createBundleRequire(import.meta.url);',
  },
});

const { version } = JSON.parse(await readFile(`${root}package.json`, "utf8"));
const manifest = {
  version,
  type: "module",
  imports: { "#manifest": "./package.json", "#thread-program": "./thread-program.js" },
};
const files = {
  "package.json": JSON.stringify(manifest),
  "licenses.txt": await readLicenses(root, metafile),
};
for (const { path, text } of outputFiles) files[basename(path)] = text;
for (const name of await readdir(migrations))
  files[`migrations/${name}`] = await readFile(`${migrations}${name}`, "utf8");

await writeFile(
  `${root}test/harness/previous-release.json.br`,
  brotliCompressSync(JSON.stringify(files)),
);
