/*
 * dist/shipscore.cjs: the command and its packages in one CommonJS file. Each module that is loaded on its own travels
 * in it as a text, which V8 passes over thirty times faster than code, and is compiled when it is asked for. What only
 * some runs ask for is packed. dist/shipscore.cjs.map leads from a stack to the sources (`npm run trace`).
 */
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build, transform } from "esbuild";
import { readLicenses } from "./licenses.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const target = "node20.19";
/** What scripts and jobs call, over and over. */
const COMMON = /^(bin|cli\/commands\/(check|projects|incidents|last-ship)\.ts$)/;
const LARGE_FROM_LENGTH = 10_000;

/** The command starts no process, and to load what could takes Node as long as half of the command's own parts. */
const noProcesses = {
  name: "no-processes",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ path }) => ({ path, namespace: "none" }));
    onLoad({ filter: /^/, namespace: "none" }, () => ({ contents: "module.exports = {};" }));
  },
};

const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: ["bin/entry.js"],
  outdir: "dist",
  write: false,
  metafile: true,
  bundle: true,
  splitting: true,
  minify: true,
  sourcemap: "inline",
  sourcesContent: false,
  platform: "node",
  target,
  format: "esm",
  legalComments: "none",
  plugins: [noProcesses],
});

const nameOf = (path) => `./${basename(path)}`;

/** The names of the parts that a common run loads in any case. */
function listCommon() {
  const found = new Set();
  const add = (path) => {
    if (found.has(path) || metafile.outputs[path] === undefined) return;
    found.add(path);
    for (const { kind, path: next } of metafile.outputs[path].imports)
      if (kind === "import-statement") add(next);
  };
  for (const [path, { entryPoint }] of Object.entries(metafile.outputs))
    if (entryPoint !== undefined && COMMON.test(entryPoint)) add(path);
  return new Set([...found].map(nameOf));
}

/** A module of the split bundle as CommonJS, in which a dynamic import is a call of `require` too. */
async function toPart({ path, text }) {
  const { code, map } = await transform(text, {
    format: "cjs",
    target,
    minify: true,
    supported: { "dynamic-import": false },
    sourcemap: "external",
    sourcesContent: false,
    sourcefile: basename(path),
  });
  return { name: nameOf(path), code: code.trimEnd(), map: JSON.parse(map) };
}

const common = listCommon();
const isCommon = ({ name }) => common.has(name);
const isLarge = ({ code }) => code.length >= LARGE_FROM_LENGTH;

const parts = await Promise.all(outputFiles.map(toPart));
const rare = parts.filter((part) => !isCommon(part));
/** Each of the large parts by itself, and all others as one. */
const packs = [
  ...rare.filter(isLarge).map((part) => [part]),
  rare.filter((part) => !isLarge(part)),
];

const codesOf = (some) => Object.fromEntries(some.map(({ name, code }) => [name, code]));
const pack = (some) => brotliCompressSync(JSON.stringify(codesOf(some))).toString("base64");
const packOf = packs.flatMap((some, index) => some.map(({ name }) => [name, index]));
const format = (value) => JSON.stringify(value, null, 1);

const bundle = `#!/usr/bin/env node
"use strict";
const { compileFunction } = require("node:vm");
const loaded = new Map();
function unpack(text) {
  const bytes = require("node:zlib").brotliDecompressSync(Buffer.from(text, "base64"));
  return JSON.parse(bytes.toString());
}
function load(name) {
  if (loaded.has(name)) return loaded.get(name).exports;
  if (name in packOf && !(name in parts)) Object.assign(parts, unpack(packs[packOf[name]]));
  if (!(name in parts)) return require(name);
  const part = { exports: {} };
  loaded.set(name, part);
  const words = ["module", "exports", "require"];
  compileFunction(parts[name], words, { filename: name })(part, part.exports, load);
  return part.exports;
}
const packs = ${format(packs.map(pack))};
const packOf = ${format(Object.fromEntries(packOf))};
const parts = ${format(codesOf(parts.filter(isCommon)))};
load("./entry.js");
`;
await writeFile(`${root}dist/shipscore.cjs`, bundle, { mode: 0o755 });

const maps = Object.fromEntries(parts.map(({ name, map }) => [name, map]));
await writeFile(`${root}dist/shipscore.cjs.map`, JSON.stringify(maps));

await writeFile(`${root}dist/shipscore.licenses.txt`, await readLicenses(root, metafile));
