#!/usr/bin/env node
/* What `npm run build` bundles into dist/shipscore.cjs: real argv, environment and streams in, exit code out. */
import process from "node:process";
import { main } from "../cli/main.ts";
import { version } from "../cli/package.json";

async function run() {
  let interruption;
  // Node loads what it consists of when it is first used, which takes a tenth of --version.
  const openInterruption = () => (interruption ??= new AbortController());
  process.on("SIGINT", () => openInterruption().abort(130));
  process.on("SIGTERM", () => openInterruption().abort(143));

  const { env, stdout, stderr } = process;
  const openStdin = () => process.stdin;
  const openSignal = () => openInterruption().signal;
  const argv = process.argv.slice(2);
  process.exitCode = await main({ argv, env, openStdin, stdout, stderr, version, openSignal });

  // By now all output is written; a name look-up that never answers must not keep the process alive.
  setTimeout(() => process.exit(), 100).unref();
}

void run();
