#!/usr/bin/env node
import { main } from "../dist/server/main.js";

const waitForStop = () =>
  new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => resolve(undefined));
  });

const { env, stdin, stdout, stderr } = process;
const binDir = new URL(".", import.meta.url);
stdout.on("error", () => {});
process.exitCode = await main({
  argv: process.argv.slice(2),
  env,
  stdin,
  stdout,
  stderr,
  binDir,
  isForPeople: Boolean(stdout.isTTY || env.SHIPSCORE_FORCE_TTY),
  waitForStop,
});
