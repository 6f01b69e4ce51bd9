/*
 * Writes the built server down as the previous release: its code with its packages, its migrations and the licences, in
 * one packed file that the next version's tests run beside their own schema. The embedded database is left out.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { transform } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = `${root}dist/program/`;
const minify = async (text) => (await transform(text, { minify: true, format: "esm" })).code;

const { version } = JSON.parse(await readFile(`${root}server/package.json`, "utf8"));
const manifest = {
  version,
  type: "module",
  imports: { "#manifest": "./package.json" },
};
const entry = await readFile(`${root}bin/shipscore-server.js`, "utf8");
const files = {
  "package.json": JSON.stringify(manifest),
  "shipscore-server.js": entry.replace("../dist/", "./dist/"),
  // The picture of pages, which the program reads as it starts and no test asks for.
  "dist/program/card.png": "",
};
for (const name of await readdir(program, { recursive: true })) {
  if (!/\.(?:js|sql|txt)$/.test(name)) continue;
  const text = await readFile(`${program}${name}`, "utf8");
  files[`dist/program/${name}`] = name.endsWith(".js") ? await minify(text) : text;
}

await writeFile(
  `${root}test/harness/previous-release.json.br`,
  brotliCompressSync(JSON.stringify(files)),
);
