import { Argument, type Command } from "commander";
import { addHelp, type Choose } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { SCRIPTS, type Shell } from "../completions/scripts.ts";

const EXAMPLES = `
Commands, flags, rules, categories and formats are completed, and files where
files are wanted, also behind --flag=. Names of projects are where a token is
set: the server is asked for them, for at most 300 ms.

Examples:
  source <(shipscore completion bash)                  in ~/.bashrc
  source <(shipscore completion zsh)                   in ~/.zshrc
  shipscore completion fish | source                   in config.fish
  shipscore completion powershell | Out-String | iex   in $PROFILE
`;

export function declareCompletion(command: Command, choose: Choose): void {
  command.addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)));
  addHelp(command, EXAMPLES).action((shell: Shell) =>
    choose({}, async ({ io }) => (await io.print(SCRIPTS[shell]), EXIT.done)),
  );
}
