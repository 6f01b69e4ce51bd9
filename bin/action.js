/* The GitHub Action. It passes inputs as arguments, without a shell. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const COMMAND = fileURLToPath(new URL("../dist/shipscore.cjs", import.meta.url));
const COMMENT = fileURLToPath(new URL("./pull-request-comment.js", import.meta.url));
/** The command refuses several lines for a flag that is not repeatable. */
const FLAGS = [
  "config",
  "site",
  "limit",
  "wait-for-ready",
  "timeout",
  "min-score",
  "min-category",
  "require",
  "max-drop",
  "project",
  "baseline",
  "missing-baseline",
  "as",
  "save",
  "report",
];

const readInput = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? "").trim();
const readLines = (name) =>
  readInput(name)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Throws, because a mistyped value must never open a gate. */
function readFlag(name) {
  const word = readInput(name).toLowerCase();
  if (!["", "true", "false"].includes(word)) throw new Error(`${name} is neither true nor false`);
  return word;
}

function readArguments() {
  const urls = readLines("url");
  if (urls.length === 0 && readInput("config") === "") throw new Error("url is empty");
  return [
    "check",
    ...FLAGS.flatMap((name) => readLines(name).map((value) => `--${name}=${value}`)),
    ...readLines("server-url").map((value) => `--base-url=${value}`),
    ...(readFlag("preview") === "true" ? ["--preview"] : []),
    ...(readFlag("fail-on-new") === "true" ? ["--fail-on-new"] : []),
    ...(readFlag("fail") === "false" ? ["--no-fail"] : []),
    "--",
    ...urls,
  ];
}

function wantsComment() {
  if (readFlag("pull-request-comment") !== "true") return false;
  if (process.env.GITHUB_TOKEN) return true;
  throw new Error("pull-request-comment is true, but env has no GITHUB_TOKEN");
}

async function run(program, args, env) {
  const child = spawn(process.execPath, [program, ...args], { stdio: "inherit", env });
  const stop = (signal) => child.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
  const [code, signal] = await once(child, "exit");
  for (const each of ["SIGINT", "SIGTERM"]) process.off(each, stop);
  return code ?? 128 + constants.signals[signal];
}

async function runWithComment(args) {
  const folder = await mkdtemp(join(tmpdir(), "shipscore-"));
  const outputs = join(folder, "outputs");
  await writeFile(outputs, "");
  const env = { GITHUB_OUTPUT: outputs, ...process.env, GITHUB_ACTIONS: "true" };
  const exitCode = await run(COMMAND, args, env);
  await run(COMMENT, [], { ...env, NODE_USE_ENV_PROXY: "1" });
  await rm(folder, { recursive: true });
  return exitCode;
}

try {
  const args = readArguments();
  process.exitCode = await (wantsComment()
    ? runWithComment(args)
    : run(COMMAND, args, process.env));
} catch (error) {
  console.error(`shipscore: ${error.message}. Correct the inputs of the step.`);
  process.exitCode = 2;
}
