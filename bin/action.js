/* The GitHub Action: its inputs as arguments of the command, which no shell reads; outputs come from the command. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const COMMAND = fileURLToPath(new URL("../dist/shipscore.cjs", import.meta.url));
/** Inputs that are flags of the same name; one that is not repeatable is refused by the command when it has lines. */
const FLAGS = [
  "wait-for-ready",
  "timeout",
  "min-score",
  "min-category",
  "require",
  "max-drop",
  "project",
  "missing-baseline",
  "report",
];

const readInput = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? "").trim();
const readLines = (name) =>
  readInput(name)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** @throws Error for a word that is neither true nor false, so that a mistyped input opens no gate */
function readFlag(name) {
  const word = readInput(name).toLowerCase();
  if (!["", "true", "false"].includes(word)) throw new Error(`${name} is neither true nor false`);
  return word;
}

function readArguments() {
  const urls = readLines("url");
  if (urls.length === 0) throw new Error("url is empty");
  return [
    "check",
    ...FLAGS.flatMap((name) => readLines(name).map((value) => `--${name}=${value}`)),
    ...readLines("server-url").map((value) => `--base-url=${value}`),
    ...(readFlag("preview") === "true" ? ["--preview"] : []),
    ...(readFlag("fail") === "false" ? ["--no-fail"] : []),
    "--",
    ...urls,
  ];
}

try {
  const child = spawn(process.execPath, [COMMAND, ...readArguments()], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  child.once("exit", (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
} catch (error) {
  console.error(`shipscore: ${error.message}. Mend the inputs of the step.`);
  process.exitCode = 2;
}
