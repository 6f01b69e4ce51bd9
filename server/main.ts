import { Command, CommanderError } from "commander";
import { describeUnknownSetting, REFUSED, USAGE } from "./base/program-errors.ts";
import { addOperatorCommands } from "./operator/commands.ts";
import { findUnknownSettings, readConfig } from "./config.ts";
import { AppError } from "./base/errors.ts";
import { printJson, type Output } from "./operator/output.ts";
import type { RescoreOptions } from "./operator/rescore.ts";
import type { RunningServer } from "./start.ts";
import { getVersion } from "./base/program.ts";

export interface Run extends Output {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly binDir: URL;
  readonly stdin: NodeJS.ReadableStream;
  /** stdin and stderr are a terminal. */
  readonly isInteractive: boolean;
  /** stderr is a terminal, or SHIPSCORE_FORCE_TTY is set. */
  readonly isStderrForPeople: boolean;
  /** For SIGTERM and SIGINT, which by default end the process immediately. */
  onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
}

const NAME = "shipscore-server";

/** A command that fails prints one sentence, and nothing else. */
const QUIET = { SHIPSCORE_LOG_LEVEL: "error" };

const EXIT_CODES = `
Exit codes:
  0    done
  1    refused or failed; also a test message that was not delivered, and a
       deployment that could not be checked or is not fit to ship
  2    usage error or a bad setting
  126  exec: the command cannot be executed
  127  exec: no such command; otherwise, the exit code of the command
  130, 143
       interrupted, terminated
`;

interface StartCommand {
  port: number;
  host: string;
  dataDir?: string;
  setup?: boolean;
}

/** For `exec`, the exit code is that of the command it ran. */
export async function main(run: Run): Promise<number> {
  let exitCode = 0;
  const program = createProgram(run, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(run.argv, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    const { describeFailure } = await import("./base/errors.ts");
    const { redactSecrets } = await import("./base/log.ts");
    const failure = describeFailure(error);
    run.stderr.write(`${NAME}: ${redactSecrets(failure.words)}\n`);
    return failure.exitCode;
  }
}

function createProgram(run: Run, setExitCode: (code: number) => void): Command {
  const program = new Command(NAME)
    .description("Checks web pages over HTTPS and gives each a Ship Score.")
    .version(getVersion(), "-V, --version", "print the version")
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, `${NAME}: `)),
      writeOut: (text) => run.stdout.write(text),
      writeErr: (text) => run.stderr.write(text),
    })
    // The help fits 80 columns, even next to long arguments.
    .configureHelp({ minWidthToWrap: 20 })
    .exitOverride()
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .showHelpAfterError(`(see ${NAME} --help)`)
    .addHelpText("after", EXIT_CODES);
  const writeLog = (line: string) => void run.stdout.write(line);
  const logToStderr = (line: string) => void run.stderr.write(line);
  const configOf = (dataDir?: string, defaults: Run["env"] = {}) => {
    for (const unknown of findUnknownSettings(run.env))
      run.stderr.write(`${NAME}: warning: ${describeUnknownSetting(unknown)}\n`);
    return readConfig({ ...defaults, ...run.env }, dataDir);
  };

  program
    .command("start")
    .description("migrate the database, then serve until SIGTERM")
    .option("--port <number>", "port to listen on", parsePort, 7070)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--data-dir <folder>", "folder of the embedded database")
    .option(
      "--setup",
      "print the link that creates the first account on a terminal, even with DATABASE_URL",
    )
    .action(async (options: StartCommand) => {
      const config = configOf(options.dataDir);
      const { startServer } = await import("./start.ts");
      const server = await startServer({ ...options, config, command: `${NAME} start`, writeLog });
      const stopped = waitForStop(run, server);
      announce(run, server, config);
      if (config.databaseUrl === undefined || options.setup)
        await printFirstInvitation(run, server);
      await stopped;
      server.deps.log.info("draining");
      await server.drain();
    });

  program
    .command("migrate")
    .description("bring the database up to this version's schema and exit")
    .option("--data-dir <folder>", "folder of the embedded database")
    .option("--json", "print JSON")
    .action(async (options: { dataDir?: string; json?: boolean }) => {
      const config = configOf(options.dataDir);
      const { openInstance, createHeldError } = await import("./instance.ts");
      const instance = await openInstance(config, `${NAME} migrate`, {
        writeLog: logToStderr,
        draining: new AbortController().signal,
        stopping: new AbortController().signal,
        migrates: true,
      });
      if (!instance.local) throw createHeldError(config, instance.holder);
      const { migrated } = instance;
      await instance.close();
      if (options.json) await printJson(run, { id: migrated.at(-1) ?? null, applied: migrated });
      else
        run.stdout.write(
          migrated.length === 0 ? "up to date\n" : `applied ${migrated.join(", ")}\n`,
        );
    });

  program
    .command("exec")
    .description(
      "start a temporary server, run a command with its SHIPSCORE_URL and SHIPSCORE_TOKEN, and exit with the command's code",
    )
    .usage("[options] -- COMMAND [ARGUMENT...]")
    .option("--data-dir <folder>", "keep the database in this folder")
    .argument("<command...>")
    .passThroughOptions()
    .addHelpText(
      "after",
      `\nExample:\n  ${NAME} exec -- shipscore check https://example.com/ --min-score 80`,
    )
    .action(async (command: string[], options: { dataDir?: string }) => {
      const { runWithServer } = await import("./exec.ts");
      const { env, binDir, onSignal } = run;
      setExitCode(
        await runWithServer({
          command,
          env,
          binDir,
          dataDir: options.dataDir,
          writeLog: logToStderr,
          onSignal,
        }),
      );
    });

  program
    .command("rescore")
    .description("assess saved evidence again and print the result")
    .argument("<file>", "the output of `evidence`; - reads standard input")
    .option(
      "--ruleset <version>",
      "assess with this ruleset, and print which points changed and why",
    )
    .option("--language <language>", "fr or en; by default the file's own")
    .option("--json", "print JSON")
    .action(async (file: string, options: RescoreOptions) => {
      const { rescore } = await import("./operator/rescore.ts");
      await rescore(run, file, options);
    });

  addOperatorCommands(
    program,
    run,
    async ({ dataDir, ...command }, work) => {
      const config = configOf(dataDir, QUIET);
      const { withPerform } = await import("./instance.ts");
      const { onSignal } = run;
      await withPerform(config, { ...command, writeLog: logToStderr, onSignal }, work);
    },
    () => setExitCode(REFUSED),
  );
  return program;
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new AppError("port_invalid", {});
}

/** npm forwards a signal that the terminal has already sent. A second interrupt within this time counts as the first one. */
const PASSED_ON_MS = 1000;

/** A second interrupt abandons what is still running. */
function waitForStop(run: Run, server: RunningServer): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    run.onSignal((signal) => {
      first ??= performance.now();
      if (signal === "SIGINT" && performance.now() - first > PASSED_ON_MS) server.abandonWork();
      resolve();
    });
  });
}

/** Prints the link only on a terminal, since a log must not contain it. */
async function printFirstInvitation(run: Run, { deps }: RunningServer): Promise<void> {
  if (!run.isStderrForPeople) return;
  try {
    const { createFirstLink } = await import("./access/links.ts");
    const link = await createFirstLink(deps);
    if (link !== undefined) run.stderr.write(`${NAME}: create the first account at ${link}\n`);
  } catch (error) {
    deps.log.error({ err: error }, "the link to create the first account could not be made");
  }
}

function announce(run: Run, server: RunningServer, config: ReturnType<typeof readConfig>): void {
  const { log } = server.deps;
  const allowed = [
    ["checks", config.allowNetworksText, "SHIPSCORE_ALLOW_NETWORKS"],
    ["public scans", config.scanNetworksText, "SHIPSCORE_SCAN_NETWORKS"],
    ["alerts", config.alertNetworksText, "SHIPSCORE_ALERT_NETWORKS"],
  ] as const;
  for (const [who, networks, setting] of allowed)
    if (networks !== "")
      log.warn({ networks }, `${who} may reach these private networks (${setting})`);
  if (config.databaseUrl === undefined) {
    log.warn(
      { dataDir: config.dataDir },
      "embedded database: for local runs and tests; set DATABASE_URL for anything larger",
    );
  }
  log.info({ url: server.url }, "listening");
  run.stderr.write(`${NAME}: listening on ${server.url}\n`);
}
