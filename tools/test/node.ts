/* `npx tsx tools/test/node.ts 24 [test/engine/visit ...]` runs the tests on another version of Node, from its npm package. */
import { delimiter, dirname, join } from "node:path";
import { execa } from "execa";
import { installNode, ROOT } from "./installed.ts";

const [version = "", ...filters] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  process.stderr.write(
    "usage: npx tsx tools/test/node.ts VERSION [FILTER...], such as 24 test/engine/visit\n",
  );
  process.exit(2);
}

const node = await installNode(version);
const PATH = [dirname(node), process.env["PATH"]].join(delimiter);
const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
const { exitCode } = await execa(node, [vitest, "run", ...filters], {
  cwd: ROOT,
  env: { PATH },
  stdio: "inherit",
  reject: false,
});
process.exitCode = exitCode ?? 1;
