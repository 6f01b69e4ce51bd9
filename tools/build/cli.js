/* dist/shipscore.cjs: the command and its packages in one CommonJS file, which Node starts in less time than a module. */
import { chmod, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { readLicenses } from "./licenses.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["bin/entry.js"],
  outfile: "dist/shipscore.cjs",
  banner: { js: "#!/usr/bin/env node" },
  metafile: true,
  bundle: true,
  minify: true,
  // For `tools/release/trace.ts`; the package leaves it out.
  sourcemap: "external",
  sourcesContent: false,
  platform: "node",
  target: "node20.19",
  format: "cjs",
  legalComments: "none",
});
await chmod(`${root}dist/shipscore.cjs`, 0o755);
await writeFile(`${root}dist/shipscore.licenses.txt`, await readLicenses(root, metafile));
