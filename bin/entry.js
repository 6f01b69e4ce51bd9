/* What `npm run build` bundles into dist/shipscore.cjs: real argv, environment and streams in, exit code out. */
import process from "node:process";
import { main } from "../dist/cli/main.js";
import { version } from "../package.json";

async function run() {
  const interruption = new AbortController();
  process.on("SIGINT", () => interruption.abort(130));
  process.on("SIGTERM", () => interruption.abort(143));

  const { env, stdout, stderr } = process;
  const openStdin = () => process.stdin;
  const argv = process.argv.slice(2);
  const { signal } = interruption;
  process.exitCode = await main({ argv, env, openStdin, stdout, stderr, version, signal });

  // By now all output is written; a name look-up that never answers must not keep the process alive.
  setTimeout(() => process.exit(), 100).unref();
}

void run();
