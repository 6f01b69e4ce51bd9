/*
 * dist/shipscore.cjs: the command and its packages in one CommonJS file. Each module that is loaded on its own travels
 * in it as a text, which V8 passes over thirty times faster than code, and is compiled when it is asked for.
 */
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { readLicenses } from "./licenses.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const target = "node20.19";

const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ["bin/entry.js"],
  outdir: "dist",
  write: false,
  metafile: true,
  bundle: true,
  splitting: true,
  minify: true,
  platform: "node",
  target,
  format: "esm",
  legalComments: "none",
});

/** A module of the split bundle as CommonJS, in which a dynamic import is a call of `require` too. */
async function toPart({ path, text }) {
  const supported = { "dynamic-import": false };
  const { code } = await transform(text, { format: "cjs", target, minify: true, supported });
  return `${JSON.stringify(`./${basename(path)}`)}:${JSON.stringify(code.trim())}`;
}

const parts = await Promise.all(outputFiles.map(toPart));
const bundle = `#!/usr/bin/env node
"use strict";
const { compileFunction } = require("node:vm");
const loaded = new Map();
function load(name) {
  if (!Object.hasOwn(parts, name)) return require(name);
  if (loaded.has(name)) return loaded.get(name).exports;
  const part = { exports: {} };
  loaded.set(name, part);
  const words = ["module", "exports", "require"];
  compileFunction(parts[name], words, { filename: name })(part, part.exports, load);
  return part.exports;
}
const parts = {
${parts.join(",\n")}
};
load("./entry.js");
`;
await writeFile(`${root}dist/shipscore.cjs`, bundle, { mode: 0o755 });

await writeFile(`${root}dist/shipscore.licenses.txt`, await readLicenses(root, metafile));
