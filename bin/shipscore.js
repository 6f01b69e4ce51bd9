#!/usr/bin/env node
import { createRequire } from "node:module";
import process from "node:process";
import { main } from "../dist/cli/main.js";

const { version } = createRequire(import.meta.url)("../package.json");
const interruption = new AbortController();
process.once("SIGINT", () => interruption.abort(130));
process.once("SIGTERM", () => interruption.abort(143));

const { env, stdin, stdout, stderr } = process;
const argv = process.argv.slice(2);
process.exitCode = await main({
  argv,
  env,
  stdin,
  stdout,
  stderr,
  version,
  signal: interruption.signal,
});

// By now all output is written; a name look-up that never answers must not keep the process alive.
setTimeout(() => process.exit(), 100).unref();
