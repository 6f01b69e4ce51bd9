#!/usr/bin/env node
/* The entry of dist/shipscore.cjs, which `npm run build` bundles. */
import process from "node:process";
import { main } from "../cli/main.ts";
import { version } from "../cli/package.json";

async function run() {
  let interruption;
  // Made on first use, because loading AbortController takes a tenth of the time of --version.
  const openInterruption = () => (interruption ??= new AbortController());
  process.on("SIGINT", () => openInterruption().abort(130));
  process.on("SIGTERM", () => openInterruption().abort(143));

  const { env, stdout, stderr } = process;
  const openStdin = () => process.stdin;
  const openSignal = () => openInterruption().signal;
  const argv = process.argv.slice(2);
  process.exitCode = await main({ argv, env, openStdin, stdout, stderr, version, openSignal });

  // All output is written. A DNS lookup without an answer must not keep the process alive.
  setTimeout(() => process.exit(), 100).unref();
}

void run();
