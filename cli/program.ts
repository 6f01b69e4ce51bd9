import { Command, CommanderError } from "commander";
import type { Choose, Invocation } from "./terminal/command.ts";
import { type CommandName, COMMAND_NAMES, COMMANDS, HIDDEN_COMMAND } from "./commands.ts";
import { isAddress } from "./check/urls.ts";
import { usageError, type CliError, refuseLookalikes } from "./terminal/errors.ts";
import { EXIT } from "./terminal/exit-codes.ts";

const PLAIN = /^[ -~]*$/;

const START = `
Start here:
  export SHIPSCORE_TOKEN=...             a token of your account
  export SHIPSCORE_URL=https://...       your server
  shipscore check https://example.com/

Without a server and an account:
  shipscore-server exec -- shipscore check https://example.com/

Learn more:
  shipscore help COMMAND                 one command, with examples
  shipscore COMMAND --help-all           its rare flags, and the ids of rules
  shipscore help exit-codes              what each exit code means
  shipscore help environment             the environment variables that are read
  shipscore help output                  reports, tab-separated rows and JSON
  shipscore help ci                      a gate in CI, with or without a server
`;

const SIGN_IN =
  "Put a token in SHIPSCORE_TOKEN, made on the page /settings/api of your server; 'shipscore doctor' tries it";

const isCommand = (word: string | undefined): word is CommandName =>
  word !== undefined && Object.hasOwn(COMMANDS, word);

interface Build {
  readonly name: string | undefined;
  /** True where the help of the command is to say everything. */
  readonly isWhole: boolean;
  readonly version: string;
  readonly print: (text: string) => void;
  readonly choose: Choose;
}

/** The program with the one command named, and its arguments and flags; else with the names of all. */
async function buildProgram({ name, isWhole, version, print, choose }: Build): Promise<Command> {
  const program = new Command("shipscore")
    .description("Is this URL fit to ship? A score from 0 to 100, explained point by point.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show this help; --help-all says more")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: print,
      writeErr: print,
      outputError: () => {},
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    })
    .addHelpText("after", START);
  const add = (each: CommandName) =>
    program.command(each, { hidden: each === HIDDEN_COMMAND }).description(COMMANDS[each].summary);
  if (!isCommand(name)) {
    for (const each of COMMAND_NAMES) add(each);
    return program;
  }
  const named = add(name);
  const declare = await COMMANDS[name].load();
  declare(named, choose, isWhole);
  if (isWhole) for (const option of named.options) option.hidden = false;
  return program;
}

/** Each command with all its arguments and flags, in the order of the help, for completions and the manual page. */
export async function describeCommands(version: string): Promise<Command[]> {
  const names = COMMAND_NAMES.filter((name) => name !== HIDDEN_COMMAND);
  const describe = async (name: string) => {
    const build = { name, isWhole: true, version, print: () => {}, choose: () => {} };
    return (await buildProgram(build)).commands;
  };
  return (await Promise.all(names.map(describe))).flat();
}

/** What to do in place of a command or a flag that others have. */
const MEANT: Readonly<Record<string, string>> = {
  version: "Run 'shipscore --version'",
  login: SIGN_IN,
  auth: SIGN_IN,
  config:
    "Run 'shipscore init' to write a shipscore.json for 'check', and 'shipscore help environment' for what is set by variables",
  "--ignore": "Accept the finding: shipscore accept RULE --reason TEXT --until DATE",
  "-o": "Use --report FORMAT=FILE, or redirect stdout: > FILE",
};

function adviseOnChoice(value = "", choices: string): string {
  const near = choices.split(", ").find((choice) => value !== "" && choice.startsWith(value));
  return near === undefined ? `Give one of ${choices}` : `Did you mean ${near}?`;
}

function translate(error: CommanderError, name: string): CliError {
  const [, value, argument, choices] =
    /^error: command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/s.exec(
      error.message,
    ) ?? [];
  if (choices !== undefined)
    return usageError(`there is no ${argument} '${value}'`, adviseOnChoice(value, choices));
  const [, flag, given, values] =
    /^error: option '(--[a-z-]+).*' argument '(.*)' is invalid\. Allowed choices are (.*)\.$/s.exec(
      error.message,
    ) ?? [];
  if (values !== undefined)
    return usageError(`${flag} does not take '${given}'`, adviseOnChoice(given, values));
  const [what = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const [, unknown = ""] = /^unknown option '([^=']*)/.exec(what) ?? [];
  const didYouMean = suggestion?.match(/^\((Did you mean .*\?)\)$/)?.[1];
  return usageError(what, MEANT[unknown] ?? didYouMean ?? `Run '${name} --help' for usage`);
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

const WHOLE_HELP = "--help-all";

/** `help check` is `check --help`, and `--help-all` a `--help` that says everything. */
function spellHelp(typed: readonly string[]): readonly string[] {
  const isWhole = typed.includes(WHOLE_HELP);
  const argv = typed.filter((word) => word !== WHOLE_HELP);
  const [first, name] = argv;
  if (first === "help" && isCommand(name) && argv.length === 2) return [name, "--help"];
  return isWhole && first !== "help" ? [...argv, "--help"] : argv;
}

/**
 * Parses a command line; nothing runs yet.
 * @throws CliError 2 for an unknown command, flag or value
 */
export async function parseCommandLine(
  typed: readonly string[],
  version: string,
): Promise<Invocation> {
  refuseTokenFlag(typed);
  if (!typed.every((word) => PLAIN.test(word))) refuseLookalikes(typed);
  const argv = spellHelp(typed);
  const [name] = argv;
  let invocation: Invocation | undefined;
  let text = "";
  const program = await buildProgram({
    name,
    isWhole: typed.includes(WHOLE_HELP),
    version,
    print: (part) => (text += part),
    choose: ({ json, color, quiet }, run) =>
      (invocation = { isJson: json ?? false, color, isQuiet: quiet ?? false, run }),
  });
  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0)
      return { isJson: false, run: async ({ io }) => (await io.print(text), EXIT.done) };
    if (error.code === "commander.help")
      return { isJson: false, run: async ({ io }) => (await io.write(text), EXIT.usage) };
    const [first = ""] = argv;
    if (isCommand(first)) throw translate(error, `shipscore ${first}`);
    const meant = Object.hasOwn(MEANT, first) ? MEANT[first] : undefined;
    if (meant !== undefined) throw usageError(`there is no command '${first}'`, meant);
    if (!isAddress(first)) throw translate(error, "shipscore");
    throw usageError(`'${first}' is not a command`, `Run 'shipscore check ${first}' to check it`);
  }
  if (invocation === undefined) throw new Error("commander chose no command");
  return invocation;
}
