/* `npm run pack:cli [-- FOLDER]`: the command alone as a package without dependencies, in dist/package by default. */
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);
const folder = process.argv[2] ?? fileURLToPath(new URL("dist/package", root));
const schemas = await readdir(new URL("docs/schemas", root));
const files = [
  "dist/shipscore.cjs",
  "dist/shipscore.licenses.txt",
  "docs/ci.md",
  "docs/install.md",
  "docs/mcp.md",
  // Evidence is a server's.
  ...schemas.filter((name) => !name.startsWith("evidence.")).map((name) => `docs/schemas/${name}`),
  "docs/shipscore.1",
];

const whole = JSON.parse(await readFile(new URL("package.json", root), "utf8"));
const { version, license, man, engines } = whole;
const manifest = {
  name: "shipscore",
  version,
  description: "Is this URL fit to ship? A Ship Score from 0 to 100, explained point by point.",
  license,
  bin: { shipscore: "dist/shipscore.cjs" },
  man,
  files,
  engines,
};

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const file of [...files, "README.md", "LICENSE"])
  await cp(new URL(file, root), `${folder}/${file}`, { recursive: true });
await writeFile(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
console.log(folder);
