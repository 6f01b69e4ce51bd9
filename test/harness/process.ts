import { spawn, type ChildProcess } from "node:child_process";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { main } from "../../server/main.ts";
import { collectText } from "./cli.ts";
import { waitUntil } from "./slow-site.ts";
import { use } from "./use.ts";

export const BIN = fileURLToPath(new URL("../../bin/shipscore-server.js", import.meta.url));

/** The embedded database is WebAssembly. Optimizing its code takes more time than a short test gains. */
const QUICK_WASM = "--liftoff-only";

const LISTENING = /listening on (\S+)/;

/** A server that a command started, in this process. */
export interface ServerHere {
  readonly url: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Sends a signal and resolves to the exit code, or to the signal that ended the process. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

export interface ServerProcess extends ServerHere {
  readonly child: ChildProcess;
}

const cleanEnv = (env: Record<string, string>) => ({
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  SHIPSCORE_CYCLE_SECONDS: "0",
  SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8,::1/128",
  SHIPSCORE_SCAN_NETWORKS: "127.0.0.0/8,::1/128",
  SHIPSCORE_ALERT_NETWORKS: "127.0.0.0/8,::1/128",
  ...env,
});

const spawnCommand = (args: string[], env: Record<string, string>, within: string[] = []) => {
  const [program = "", ...words] = [...within, process.execPath, QUICK_WASM, BIN, ...args];
  return spawn(program, words, { env: cleanEnv(env) });
};

/**
 * Starts `shipscore-server start` on a free port and resolves once it listens. `within` is a prefix of the command line, such as `ip netns
 * exec NAME`.
 */
export function startServerProcess(
  env: Record<string, string>,
  args: string[] = [],
  within: string[] = [],
): Promise<ServerProcess> {
  const child = spawnCommand(["start", "--port", "0", ...args], env, within);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  const exited = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal)),
  );
  return new Promise((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
      const url = LISTENING.exec(stderr)?.[1];
      if (url === undefined) return;
      resolve({
        url,
        child,
        stdout: () => stdout,
        stderr: () => stderr,
        end(signal) {
          child.kill(signal);
          return exited;
        },
      });
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${stderr}`)));
  });
}

/** A server process for the tests of a file or `describe`. Reads the environment when it starts. */
export const useProcess = (env: () => Record<string, string>): ServerProcess =>
  use(
    () => startServerProcess(env()),
    (server) => server.end("SIGTERM"),
  );

export interface CommandOptions {
  /** Resolves to the signal to send to the command. */
  interruption?: Promise<NodeJS.Signals>;
  input?: string;
}

export interface CommandResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** Expects a command to fail with nothing on stdout; returns its stderr. */
export function refused({ exitCode, stdout, stderr }: CommandResult, code: 1 | 2): string {
  expect([exitCode, stdout]).toEqual([code, ""]);
  return stderr;
}

type OnSignal = Parameters<typeof main>[0]["onSignal"];

/** Starts a command in this process. The caller must check that the command can run here. */
function begin(args: string[], env: Record<string, string>, input: string, onSignal: OnSignal) {
  const [stdout, stderr] = [collectText(), collectText()];
  const isForPeople = env["SHIPSCORE_FORCE_TTY"] !== undefined;
  const ended = import("../../server/main.ts").then(({ main: run }) =>
    run({
      argv: args,
      env: cleanEnv(env),
      stdin: Readable.from([Buffer.from(input)]),
      stdout: stdout.stream,
      stderr: stderr.stream,
      binDir: new URL("../../bin/", import.meta.url),
      isForPeople,
      columns: Number(env["SHIPSCORE_FORCE_TTY"]) || 80,
      isInteractive: false,
      isStderrForPeople: isForPeople,
      onSignal,
    }),
  );
  return { ended, stdout: () => stdout.text(), stderr: () => stderr.text() };
}

/** Runs a command in this process until it ends. */
export async function runServerCommandHere(
  argv: string[],
  env: Record<string, string>,
  input = "",
): Promise<CommandResult> {
  const { ended, stdout, stderr } = begin(argv, env, input, () => {});
  return { exitCode: await ended, stdout: stdout(), stderr: stderr() };
}

/** Like `startServerProcess`, but runs the server in this process. */
export async function startServerHere(
  env: Record<string, string>,
  args: string[] = [],
): Promise<ServerHere> {
  let send: Parameters<OnSignal>[0] = () => {};
  const started = begin(
    ["start", "--port", "0", ...args],
    env,
    "",
    (listener) => (send = listener),
  );
  const { ended, stdout, stderr } = started;
  const findUrl = () => LISTENING.exec(stderr())?.[1];
  await Promise.race([ended, waitUntil("it listens", () => findUrl() !== undefined)]);
  const url = findUrl();
  if (url === undefined) throw new Error(`the server ended: ${stderr()}`);
  return {
    url,
    stdout,
    stderr,
    end(signal) {
      send(signal);
      return ended;
    },
  };
}

/** These commands listen or pass on their streams, so they need a separate process. */
const NEEDS_PROCESS = ["start", "exec"];

/** Runs one `shipscore-server` command until it ends, in this process if possible. `interruption` resolves to a signal for the command. */
export function runServerCommand(
  args: string[],
  env: Record<string, string>,
  { interruption, input = "" }: CommandOptions = {},
): Promise<CommandResult> {
  const [noun = "", verb = ""] = args;
  // A process reads its certificates only when it starts, so such a command needs its own process.
  const isPosting = env["NODE_EXTRA_CA_CERTS"] !== undefined && ["test", "retry"].includes(verb);
  if (!isPosting && !NEEDS_PROCESS.includes(noun) && !interruption)
    return runServerCommandHere(args, env, input);
  const child = spawnCommand(args, env);
  void interruption?.then((signal) => child.kill(signal));
  child.stdin.end(input);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  child.stderr.on("data", (chunk) => (stderr += chunk));
  return new Promise((resolve) =>
    child.once("close", (exitCode) => resolve({ exitCode, stdout, stderr })),
  );
}

/** Runs one command that must succeed and returns its stdout. */
export async function runOrThrow(
  args: string[],
  env: Record<string, string>,
  input = "",
): Promise<string> {
  const { exitCode, stdout, stderr } = await runServerCommand(args, env, { input });
  if (exitCode !== 0)
    throw new Error(`shipscore-server ${args.join(" ")} exited with ${exitCode}: ${stderr}`);
  return stdout.trim();
}

/** Adds an account with the operator's commands and returns its token. */
export async function addAccount(
  env: Record<string, string>,
  email: string,
  plan = "team",
): Promise<string> {
  await runOrThrow(["account", "add", email, "--plan", plan], env);
  return runOrThrow(["token", "add", email, "--name", "test"], env);
}

/** Returns the used checks and the month's limit, as `account list` shows them. */
export async function getUsage(env: Record<string, string>, email: string): Promise<string> {
  const accounts = JSON.parse(await runOrThrow(["account", "list", "--json"], env)) as {
    email: string;
    used: number;
    limit: number;
  }[];
  const { used, limit } = accounts.find((account) => account.email === email) ?? {};
  return `${used}/${limit}`;
}
