/*
 * dist/shipscore.cjs and dist/shipscore/: the command and its packages. They are CommonJS, which Node starts in less time than
 * modules, in files that are read when they are needed: to compile all of it would take half of `--version`. esbuild splits
 * modules only, and into a file for each set of importers, each of which takes Node half a millisecond; so the files that are
 * always read together are then joined, and turned into CommonJS.
 */
import { chmod, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { joinChunks } from "./chunks.js";
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
const joined = joinChunks(metafile.outputs);
await build({
  ...shared,
  entryPoints: joined.names.map((name) => ({ in: `joined:${name}`, out: name })),
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  bundle: true,
  format: "cjs",
  plugins: [joined.plugin],
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
