import { say } from "../shared/report/words.ts";
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
import { readLanguage } from "./terminal/words.ts";

export interface Host {
  readonly argv: readonly string[];
  readonly env: Env;
  /** Opening stdin takes time, so only commands that read it call this. */
  readonly openStdin: Context["openStdin"];
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly version: string;
  /** The signal aborts on SIGINT and, with 143 as its reason, on SIGTERM. Making it takes time, so only commands call this. */
  readonly openSignal: () => AbortSignal;
}

const BUG = {
  fr: "bogue dans cette commande. Veuillez signaler ces lignes.",
  en: "a bug in this command. Please report these lines.",
};

async function report(error: unknown, isJson: boolean, context: Context): Promise<ExitCode> {
  const { io, env, version } = context;
  const { language } = io;
  if (!(error instanceof CliError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const lines = [
      `shipscore: ${say(BUG, language)}`,
      `shipscore ${version}, Node ${process.version}, ${process.platform} ${process.arch}`,
      stack,
    ];
    for (const line of lines.join("\n").split("\n")) await io.writeLine(line);
    return EXIT.bug;
  }
  await io.writeLine(formatError(error, language));
  // A page's annotation may already contain the error.
  if (env.GITHUB_ACTIONS === "true" && !isAnnotated(error)) {
    const message = cleanText(describeError(error, language));
    await io.write(formatAnnotation("error", "shipscore", message));
  }
  if (isJson && error.body !== undefined) await io.print(formatJson(error.body));
  return error.exitCode;
}

/** Only this function turns errors into messages and exit codes. */
export async function main({ argv, version, ...host }: Host): Promise<ExitCode> {
  const { env, openStdin, openSignal } = host;
  const language = readLanguage(env);
  const invocation = await parseCommandLine(argv, version, language).catch(
    (error: unknown): Invocation => ({ isJson: false, run: () => Promise.reject(error) }),
  );
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
    describeCommands: () => describeCommands(version, language),
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
