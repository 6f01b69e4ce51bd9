#!/usr/bin/env node
import { constants } from "node:os";
import process from "node:process";
import { main } from "../dist/program/main.js";

// In a container this may be process 1, which ignores signals without a handler.
let listener = (signal) => process.exit(128 + constants.signals[signal]);
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => listener(signal));
const onSignal = (next) => {
  listener = next;
};

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
  columns: Math.max(40, Number(env.SHIPSCORE_FORCE_TTY) || stdout.columns || 80),
  isInteractive: process.stdin.isTTY && stderr.isTTY,
  isStderrForPeople: Boolean(stderr.isTTY || env.SHIPSCORE_FORCE_TTY),
  onSignal,
});
