/*
 * dist/shipscore.cjs and dist/shipscore/: the command and its packages. They are CommonJS, which Node starts in less time than
 * modules, in files that are read when they are needed: to compile all of it would take half of `--version`. esbuild splits
 * modules only, so it writes modules first and turns each into CommonJS then.
 */
import { chmod, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { readLicenses } from "./licenses.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const modules = "dist/shipscore-modules";
const shared = {
  absWorkingDir: root,
  platform: "node",
  target: "node20.19",
  legalComments: "none",
};

await rm(`${root}dist/shipscore`, { recursive: true, force: true });
const { metafile } = await build({
  ...shared,
  entryPoints: { shipscore: "bin/entry.js" },
  outdir: modules,
  outExtension: { ".js": ".cjs" },
  chunkNames: "shipscore/[name]-[hash]",
  format: "esm",
  bundle: true,
  splitting: true,
  metafile: true,
  sourcemap: "inline",
  sourcesContent: false,
  alias: {
    // Of its eighty spinners, ora shows the one that nobody chose.
    "cli-spinners": "./tools/build/spinners.json",
    // commander starts no programs for us, and would load what Node starts them with.
    "node:child_process": "./tools/build/nothing.json",
  },
});
await build({
  ...shared,
  entryPoints: [`${modules}/shipscore.cjs`, `${modules}/shipscore/*.cjs`],
  outdir: "dist",
  outbase: modules,
  outExtension: { ".js": ".cjs" },
  loader: { ".cjs": "js" },
  format: "cjs",
  // `import()` would load what Node reads modules with.
  supported: { "dynamic-import": false },
  minify: true,
  // For `tools/release/trace.ts`; the packages leave it out.
  sourcemap: "external",
  sourcesContent: false,
});
await rm(`${root}${modules}`, { recursive: true });
await chmod(`${root}dist/shipscore.cjs`, 0o755);
await writeFile(`${root}dist/shipscore.licenses.txt`, await readLicenses(root, metafile));
