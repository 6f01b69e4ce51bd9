import {
  formatAnnotation,
  isAnnotated,
  CliError,
  describeError,
  formatError,
} from "./terminal/errors.ts";
import type { Invocation, Context } from "./terminal/command.ts";
import { EXIT, type ExitCode } from "./terminal/exit-codes.ts";
import { openIo, type Env, type OutputStream } from "./terminal/io.ts";
import { describeCommands, parseCommandLine } from "./program.ts";
import { cleanText, formatJson } from "./terminal/json.ts";

export interface Host {
  readonly argv: readonly string[];
  readonly env: Env;
  /** Takes time, so that only what reads stdin calls it. */
  readonly openStdin: Context["openStdin"];
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly version: string;
  /** The signal that aborts on SIGINT and, with 143 as its reason, on SIGTERM. It takes time, so only running commands call it. */
  readonly openSignal: () => AbortSignal;
}

async function report(error: unknown, isJson: boolean, context: Context): Promise<ExitCode> {
  const { io, env, version } = context;
  if (!(error instanceof CliError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const lines = [
      "shipscore: a bug in this command. Please report these lines.",
      `shipscore ${version}, Node ${process.version}, ${process.platform} ${process.arch}`,
      stack,
    ];
    for (const line of lines.join("\n").split("\n")) await io.tell(line);
    return EXIT.bug;
  }
  await io.tell(formatError(error));
  // Beside the job, unless the annotation of a page tells of it.
  if (env.GITHUB_ACTIONS === "true" && !isAnnotated(error))
    await io.write(formatAnnotation("error", "shipscore", cleanText(describeError(error))));
  if (isJson && error.body !== undefined) await io.print(formatJson(error.body));
  return error.exitCode;
}

/** Runs one command line and returns its exit code: the one place where errors become words and codes. */
export async function main({ argv, version, ...host }: Host): Promise<ExitCode> {
  const { env, openStdin, openSignal } = host;
  // Without an invocation there is only the reason why to tell.
  const invocation = await parseCommandLine(argv, version).catch((error: unknown): Invocation => ({
    isJson: false,
    run: () => Promise.reject(error),
  }));
  const { isJson } = invocation;
  const io = await openIo(host.stdout, host.stderr, env, invocation);
  const context: Context = {
    env,
    io,
    version,
    openStdin,
    get signal() {
      return openSignal();
    },
    now: () => new Date(),
    describeCommands: () => describeCommands(version),
  };
  try {
    return await invocation.run(context);
  } catch (error) {
    const signal = openSignal();
    if (signal.aborted)
      return signal.reason === EXIT.terminated ? EXIT.terminated : EXIT.interrupted;
    return await report(error, isJson, context).catch((unwritten) =>
      report(unwritten, false, context),
    );
  }
}
