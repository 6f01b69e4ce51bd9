import { Argument, type Command } from "commander";
import type { DeclareOptions } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { addHelp } from "../terminal/help.ts";
import { SCRIPTS, type Shell } from "../completions/scripts.ts";
import { say } from "../../shared/report/words.ts";

const SHELL = { fr: "le shell", en: "the shell" };

const COVERAGE = {
  fr: "La complétion propose les commandes, les options, les règles, les catégories et les formats, ainsi que les fichiers là où une option en attend un, y compris après --option=. Les noms de projets sont proposés si un jeton est défini : le serveur est alors consulté, pendant 300 ms au plus.",
  en: "Completion offers commands, flags, rules, categories and formats. It also offers files where a flag takes one, even after --flag=. If a token is set, it queries the server for project names, for at most 300 ms.",
};

const EXAMPLES = [
  "source <(shipscore completion bash)                  # ~/.bashrc",
  "source <(shipscore completion zsh)                   # ~/.zshrc",
  "shipscore completion fish | source                   # config.fish",
  "shipscore completion powershell | Out-String | iex   # $PROFILE",
];

export function declareCompletion(command: Command, { choose, language }: DeclareOptions): void {
  command.addArgument(new Argument("<shell>", say(SHELL, language)).choices(Object.keys(SCRIPTS)));
  addHelp(command, { examples: EXAMPLES, parts: [COVERAGE] }, language).action((shell: Shell) =>
    choose({}, async ({ io }) => (await io.print(SCRIPTS[shell]), EXIT.done)),
  );
}
