import { Argument, Command, CommanderError, InvalidArgumentError } from "commander";
import type { CheckFlags } from "./commands/check.ts";
import { EPILOGUES, printTopic, TOPICS } from "./commands/help.ts";
import type { IncidentFlags } from "./commands/incidents.ts";
import type { CommonFlags, Context } from "./context.ts";
import { usageError, type CliError } from "./errors.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

/** A command line that was understood. The code of a command loads when it runs. */
export interface Invocation {
  readonly isJson: boolean;
  run(context: Context): Promise<ExitCode>;
}

type Choose = (flags: CommonFlags, run: Invocation["run"]) => void;

/** Reads a whole number written in plain digits. */
function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}

function addCommands(program: Command, choose: Choose): void {
  program
    .command("check <url>")
    .description("check a page: its score, what costs points, and how to fix it")
    .option("--min-score <n>", "exit 1 when the score is lower", wholeNumber(0, 100))
    .option("--no-fail", "exit 0 whatever the gate says; errors keep their code")
    .option("--preview", "the page is a preview deployment, where a noindex is expected")
    .action((url: string, flags: CheckFlags) =>
      choose(flags, async (context) =>
        (await import("./commands/check.ts")).runCheck(context, url, flags),
      ),
    );
  program
    .command("projects")
    .description("list the projects that the token sees, with state and score")
    .action((flags: CommonFlags) =>
      choose(flags, async (context) =>
        (await import("./commands/projects.ts")).runProjects(context, flags),
      ),
    );
  program
    .command("incidents [project]")
    .description("list the addresses that are failing now, and since when")
    .option("--exit-code", "exit 1 when there is any")
    .action((project: string | undefined, flags: IncidentFlags) =>
      choose(flags, async (context) =>
        (await import("./commands/incidents.ts")).runIncidents(context, project, flags),
      ),
    );
  program
    .command("last-ship <project>")
    .description("show the latest production deployment and its score")
    .action((project: string, flags: CommonFlags) =>
      choose(flags, async (context) =>
        (await import("./commands/last-ship.ts")).runLastShip(context, project, flags),
      ),
    );
}

function addCommonFlags(command: Command): void {
  const readSeconds = wholeNumber(1, 3600);
  command
    .option("--json", "print the API's JSON value")
    .option("--base-url <url>", "address of the server, before SHIPSCORE_URL")
    .option("--timeout <seconds>", "give up after this long, retries included (60)", readSeconds)
    .option("--verbose", "trace requests on stderr, without the token");
}

function addHelp(program: Command, choose: Choose): void {
  const commands = [...program.commands];
  const topic = new Argument("[topic]", "a command, or one of the topics below");
  program
    .command("help")
    .description("explain a command or a topic")
    .addArgument(topic.choices([...commands.map((command) => command.name()), ...TOPICS]))
    .action((name?: string) => {
      const known = TOPICS.find((each) => each === name);
      if (known === undefined)
        return void (commands.find((command) => command.name() === name) ?? program).help();
      return choose({}, async ({ io }) => {
        await printTopic(io, known);
        return EXIT.done;
      });
    });
}

function buildProgram(version: string, print: (text: string) => void, choose: Choose): Command {
  const program = new Command("shipscore")
    .description("Is this URL fit to ship? A score from 0 to 100, explained point by point.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "explain the command")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: print,
      writeErr: print,
      outputError: () => {},
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    });
  addCommands(program, choose);
  for (const command of program.commands) addCommonFlags(command);
  addHelp(program, choose);
  for (const command of [program, ...program.commands])
    command.addHelpText("after", EPILOGUES[command.name()] ?? "");
  return program;
}

function translate(error: CommanderError, name: string): CliError {
  const [what = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const didYouMean = suggestion?.match(/^\((Did you mean .*\?)\)$/)?.[1];
  return usageError(what, didYouMean ?? `Run '${name} --help' for what it takes`);
}

function refuseTokenFlag(argv: readonly string[]): void {
  const end = argv.indexOf("--");
  const flags = end < 0 ? argv : argv.slice(0, end);
  if (flags.some((flag) => flag === "--token" || flag.startsWith("--token=")))
    throw usageError(
      "there is no --token, because other processes can read a command line and the shell keeps it",
      "Put the token in SHIPSCORE_TOKEN, and revoke one that you typed here",
    );
}

/**
 * Understands a command line; nothing runs yet.
 * @throws CliError 2 for a command, flag or value that it does not know
 */
export function parseCommandLine(argv: readonly string[], version: string): Invocation {
  refuseTokenFlag(argv);
  let invocation: Invocation | undefined;
  let text = "";
  const program = buildProgram(
    version,
    (part) => (text += part),
    (flags, run) => (invocation = { isJson: flags.json ?? false, run }),
  );
  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0)
      return { isJson: false, run: async ({ io }) => (await io.print(text), EXIT.done) };
    if (error.code === "commander.help")
      return { isJson: false, run: async ({ io }) => (await io.note(text), EXIT.usage) };
    const command = program.commands.find((each) => each.name() === argv[0]);
    throw translate(error, command ? `shipscore ${command.name()}` : "shipscore");
  }
  if (invocation === undefined) throw new Error("commander chose no command");
  return invocation;
}
