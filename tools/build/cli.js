/* Builds dist/shipscore.cjs: the command and its packages in one file. It is CommonJS, because Node starts CommonJS faster than modules. */
import { chmod, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { readLicenses } from "./licenses.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["bin/entry.js"],
  outfile: "dist/shipscore.cjs",
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "cjs",
  // `import()` of a built-in module would load Node's module loader.
  supported: { "dynamic-import": false },
  minify: true,
  legalComments: "none",
  metafile: true,
  // Only `tools/release/trace.ts` reads the source map. The packages do not contain it.
  sourcemap: "external",
  sourcesContent: false,
});
await chmod(`${root}dist/shipscore.cjs`, 0o755);
await writeFile(`${root}dist/shipscore.licenses.txt`, await readLicenses(root, metafile));
