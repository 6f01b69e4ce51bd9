/* `node tools/build/pack.js [NAME [FOLDER]]` writes shipscore and shipscore-server, or one of them, to a folder of dist/package. */
import { existsSync } from "node:fs";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const docs = await readdir(`${root}docs`);
const schemas = await readdir(`${root}docs/schemas`);

const PACKAGES = {
  shipscore: {
    workspace: "cli",
    bin: { shipscore: "dist/shipscore.cjs" },
    files: [
      "dist/shipscore.cjs",
      "dist/shipscore.licenses.txt",
      "docs/ci.md",
      "docs/command.md",
      "docs/fr/ci.md",
      "docs/fr/mcp.md",
      "docs/install.md",
      "docs/mcp.md",
      // Only the server has evidence.
      ...schemas
        .filter((name) => !name.startsWith("evidence."))
        .map((name) => `docs/schemas/${name}`),
      "docs/shipscore.1",
    ],
    installed: [],
  },
  "shipscore-server": {
    workspace: "server",
    bin: { shipscore: "dist/shipscore.cjs", "shipscore-server": "bin/shipscore-server.js" },
    files: [
      "bin/shipscore.js",
      "bin/shipscore-server.js",
      "dist/shipscore.cjs",
      "dist/shipscore.licenses.txt",
      "dist/program",
      "dist/database.tar.gz",
      ...docs.filter((name) => name !== "internals").map((name) => `docs/${name}`),
      "ops",
    ],
    // These packages contain WebAssembly or native code, so they are not in the bundle.
    installed: ["@electric-sql/pglite", "@node-rs/argon2", "fs-native-extensions"],
  },
};

async function unlinkMissing(folder) {
  const names = await readdir(folder, { recursive: true });
  for (const name of names.filter((each) => each.endsWith(".md"))) {
    const file = join(folder, name);
    const text = await readFile(file, "utf8");
    const linked = text.replace(
      /\[([^\]]+)\]\((?!https:|#)([^)#\s]+)[^)\s]*\)/g,
      (link, words, path) => (existsSync(join(dirname(file), path)) ? link : words),
    );
    await writeFile(file, linked);
  }
}

async function pack({ workspace, bin, files, installed }) {
  const text = await readFile(`${root}${workspace}/package.json`, "utf8");
  const { name, version, description, license, type, imports, engines, ...rest } = JSON.parse(text);
  const dependencies = Object.fromEntries(installed.map((each) => [each, rest.dependencies[each]]));
  // npm 11 links manual pages only from an array.
  const man = ["docs/shipscore.1"];
  const about = { name, version, description, license, type, imports, bin, man };
  const manifest = { ...about, files, dependencies, engines };
  const folder = `${into}/${name}`;
  await rm(folder, { recursive: true, force: true });
  for (const file of [...files, "LICENSE"])
    await cp(`${root}${file}`, `${folder}/${file}`, {
      recursive: true,
      filter: (path) => !path.endsWith(".cjs.map"),
    });
  const readme = await readFile(`${root}${workspace}/README.md`, "utf8");
  await writeFile(`${folder}/README.md`, readme.replaceAll("](../", "]("));
  await unlinkMissing(folder);
  await writeFile(`${folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(folder);
}

const [only, into = `${root}dist/package`] = process.argv.slice(2);
for (const name of only ? [only] : Object.keys(PACKAGES)) await pack(PACKAGES[name]);
