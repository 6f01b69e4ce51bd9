import { PassThrough, Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { execa, execaNode } from "execa";
import { inject } from "vitest";
import { main } from "../../cli/main.ts";
import type { Context } from "../../cli/terminal/command.ts";
import { openIo } from "../../cli/terminal/io.ts";
import manifest from "../../cli/package.json" with { type: "json" };
import { tokenFrom } from "../../shared/token.ts";

const COMMAND = fileURLToPath(new URL("../../bin/shipscore.js", import.meta.url));

export const TOKEN = tokenFrom("0123456789ABCDEFGHIJKLMNOPQRSTUVWX");

export interface CliRun {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the built command in a separate process, with only this environment. */
export function startCli(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return execaNode(COMMAND, [...args], {
    env: { ...env },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    timeout: 60_000,
  });
}

export function collectText(): { stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

/** A context for a command whose streams nobody reads. */
export async function openContext(env: Context["env"] = {}): Promise<Context> {
  return {
    env,
    io: await openIo(new PassThrough(), new PassThrough(), {}),
    openStdin: () => process.stdin,
    version: "1.0.0",
    signal: new AbortController().signal,
    describeCommands: async () => [],
    now: () => new Date(),
  };
}

/** Runs the command as bin/entry.js does, in this process. */
export async function runHere(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin: Readable,
  stdout: Writable,
): Promise<Omit<CliRun, "stdout">> {
  const stderr = collectText();
  const exitCode = await main({
    argv,
    env,
    openStdin: () => stdin,
    stdout,
    stderr: stderr.stream,
    version: manifest.version,
    openSignal: () => new AbortController().signal,
  });
  return { exitCode, stderr: stderr.text() };
}

/**
 * Whether a command runs in the test's own process. A command runs separately with `--mode all`, or if Node itself reads the environment.
 */
export const isRunHere = (env: Readonly<Record<string, string>>): boolean =>
  !inject("isThorough") && env["NODE_EXTRA_CA_CERTS"] === undefined;

/** Runs the command until it ends. With `--mode all`, runs the built command in a separate process. */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CliRun> {
  if (isRunHere(env)) {
    const stdout = collectText();
    const ran = await runHere(args, env, Readable.from([]), stdout.stream);
    return { ...ran, stdout: stdout.text() };
  }
  const { exitCode, stdout, stderr } = await startCli(args, env);
  return { exitCode, stdout, stderr };
}

/** Starts a shell line that calls `node bin/shipscore.js`, with only this environment and PATH. */
function startShell(line: string, env: Readonly<Record<string, string>>) {
  return execa("sh", ["-c", line], {
    env: { ...env, PATH: process.env.PATH },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    timeout: 60_000,
  });
}

export async function runShell(
  line: string,
  env: Readonly<Record<string, string>> = {},
): Promise<CliRun> {
  const { exitCode, stdout, stderr } = await startShell(line, env);
  return { exitCode, stdout, stderr };
}

const ON_TERMINAL = 'exec script -qec "$LINE" /dev/null';

/** Runs a shell line on a terminal; the result's stdout has the output of both streams. */
export async function runOnTerminal(
  line: string,
  env: Readonly<Record<string, string>> = {},
): Promise<CliRun> {
  const terminal = { TERM: "xterm", LINE: `stty cols 80; ${line}`, ...env };
  const ran = await runShell(`${ON_TERMINAL} </dev/null`, terminal);
  return { ...ran, stdout: ran.stdout.replaceAll("\r\n", "\n") };
}

/** Runs a shell line on a terminal, types Ctrl-C once the text appears, and returns all output. */
export async function interruptOnTerminal(
  line: string,
  shown: string,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  // The shell ignores the interruption, but the processes that it starts do not.
  const LINE = `stty cols 80 -echo; trap : INT; ${line}`;
  const running = startShell(ON_TERMINAL, { TERM: "xterm", LINE, ...env });
  let text = "";
  running.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
    if (text.includes(shown) && running.stdin.writable) running.stdin.end("\u0003");
  });
  const { stdout } = await running;
  return stdout.replaceAll("\r\n", "\n");
}
