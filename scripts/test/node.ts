/* `npm run test:node -- 24 [test/verify ...]`: the tests on another Node, whose binary comes as an npm package. */
import { delimiter, dirname, join } from "node:path";
import { mkdir } from "node:fs/promises";
import { execa } from "execa";

const ROOT = new URL("../../", import.meta.url).pathname;
const [version = "", ...filters] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  process.stderr.write("usage: npm run test:node -- VERSION [FILTER...], such as 24 test/verify\n");
  process.exit(2);
}

const system = process.platform === "win32" ? "win" : process.platform;
const name = `node-${system}-${process.arch}`;
const home = join(ROOT, "node_modules/.cache/nodes", version);
await mkdir(home, { recursive: true });
const quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];
await execa("npm", ["install", "--prefix", home, `${name}@${version}`, ...quiet], {
  stdio: "inherit",
});
const node = join(home, "node_modules", name, "bin", system === "win" ? "node.exe" : "node");
await execa(node, ["--version"], { stdio: "inherit" });

const PATH = [dirname(node), process.env["PATH"]].join(delimiter);
const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
const { exitCode } = await execa(node, [vitest, "run", ...filters], {
  cwd: ROOT,
  env: { PATH },
  stdio: "inherit",
  reject: false,
});
process.exitCode = exitCode ?? 1;
