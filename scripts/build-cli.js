/*
 * dist/shipscore.cjs: the command and its packages in one CommonJS file. Each module that is loaded on its own travels
 * in it as a text, which V8 passes over thirty times faster than code, and is compiled when it is asked for.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const root = fileURLToPath(new URL("../", import.meta.url));
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

/** A package's licence, which asks to travel with it: its file, or the name that its manifest gives. */
async function readLicense(folder) {
  const file = (await readdir(`${root}${folder}`)).find((name) => /^licen[cs]e/i.test(name));
  const text = await readFile(`${root}${folder}/${file ?? "package.json"}`, "utf8");
  const name = folder.replace(/.*node_modules\//, "");
  return `${name}\n\n${file ? text : `${JSON.parse(text).license}\n`}`;
}

const folders = Object.keys(metafile.inputs).flatMap(
  (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
);
const licenses = await Promise.all([...new Set(folders)].toSorted().map(readLicense));
await writeFile(`${root}dist/shipscore.licenses.txt`, licenses.join("\n\n"));
