import { Command, CommanderError, type Argument, type Option } from "commander";
import type { Language, Text } from "../shared/language.ts";
import { say } from "../shared/report/words.ts";
import type { Choose, Invocation } from "./terminal/command.ts";
import { type CommandName, COMMAND_NAMES, COMMANDS, HIDDEN_COMMAND } from "./commands.ts";
import { isPageUrl } from "./check/urls.ts";
import {
  usageError,
  type CliError,
  refuseLookalikes,
  suggest,
  untranslated,
  ValueError,
} from "./terminal/errors.ts";
import { EXIT } from "./terminal/exit-codes.ts";
import { configureHelp, formatEntries, type HelpEntry, namePlaceholder } from "./terminal/help.ts";

const PLAIN = /^[ -~]*$/;

const WORDS = {
  description: {
    fr: "Cette URL est-elle bonne à livrer ? Un score de 0 à 100, expliqué point par point.",
    en: "Is this URL fit to ship? A score from 0 to 100, explained point by point.",
  },
  usage: { fr: "[options] [commande]", en: "[options] [command]" },
  version: { fr: "afficher la version", en: "print the version" },
  help: {
    fr: "afficher cette aide ; --help-all en dit plus",
    en: "show this help; --help-all shows more",
  },
  start: { fr: "Pour commencer :", en: "Start here:" },
  serverless: {
    fr: "Sans serveur et sans compte :",
    en: "Without a server or an account:",
  },
  more: { fr: "Pour en savoir plus :", en: "Learn more:" },
};

const CHECK = "shipscore check https://example.com/";

const START: readonly HelpEntry[] = [
  [
    "export SHIPSCORE_TOKEN=...",
    { fr: "un jeton de votre compte", en: "a token from your account" },
  ],
  ["export SHIPSCORE_URL=https://...", { fr: "votre serveur", en: "your server" }],
  [CHECK, untranslated("")],
];

const MORE: readonly HelpEntry[] = [
  [
    "shipscore help <command>",
    { fr: "une commande, avec des exemples", en: "one command, with examples" },
  ],
  [
    "shipscore <command> --help-all",
    {
      fr: "ses options rares et les identifiants des règles",
      en: "its rare flags, and the rules' IDs",
    },
  ],
  [
    "shipscore help exit-codes",
    { fr: "la signification des codes de sortie", en: "what each exit code means" },
  ],
  [
    "shipscore help environment",
    { fr: "les variables d'environnement utilisées", en: "the environment variables" },
  ],
  [
    "shipscore help output",
    {
      fr: "rapports, lignes tabulées et JSON",
      en: "reports, tab-separated rows and JSON",
    },
  ],
  [
    "shipscore help ci",
    {
      fr: "des conditions de déploiement en CI, avec ou sans serveur",
      en: "a gate in CI, with or without a server",
    },
  ],
];

const CODE_COLUMNS = 37;

function describeStart(language: Language): string {
  const section = (title: Text, entries: readonly HelpEntry[]) =>
    `${say(title, language)}\n${formatEntries(entries, language, CODE_COLUMNS)}\n`;
  const serverless = `shipscore-server exec -- ${CHECK}`;
  return [
    "",
    section(WORDS.start, START),
    section(WORDS.serverless, [[serverless, untranslated("")]]),
    section(WORDS.more, MORE),
  ].join("\n");
}

const SIGN_IN: Text = {
  fr: "Placez dans SHIPSCORE_TOKEN un jeton généré sur la page /settings/api de votre serveur ; « shipscore doctor » le vérifie",
  en: "Set SHIPSCORE_TOKEN to a token from your server's /settings/api page; 'shipscore doctor' tests it",
};

const isCommand = (word: string | undefined): word is CommandName =>
  word !== undefined && Object.hasOwn(COMMANDS, word);

interface ProgramOptions {
  readonly name: string | undefined;
  readonly isWhole: boolean;
  readonly version: string;
  readonly language: Language;
  readonly print: (text: string) => void;
  readonly choose: Choose;
}

async function buildProgram(options: ProgramOptions): Promise<Command> {
  const { name, isWhole, version, language, print, choose } = options;
  const program = new Command("shipscore")
    .description(say(WORDS.description, language))
    .usage(say(WORDS.usage, language))
    .version(version, "-V, --version", say(WORDS.version, language))
    .helpOption("-h, --help", say(WORDS.help, language))
    .helpCommand(false)
    .exitOverride()
    .configureHelp(configureHelp(language))
    .configureOutput({
      writeOut: print,
      writeErr: print,
      outputError: () => {},
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    })
    .addHelpText("after", () => describeStart(language));
  const add = (each: CommandName) =>
    program
      .command(each, { hidden: each === HIDDEN_COMMAND })
      .description(say(COMMANDS[each].summary, language));
  if (!isCommand(name)) {
    for (const each of COMMAND_NAMES) add(each);
    return program;
  }
  const named = add(name);
  const declare = await COMMANDS[name].load();
  declare(named, { choose, isWhole, language });
  explainValues(named);
  if (isWhole) for (const option of named.options) option.hidden = false;
  return program;
}

export async function describeCommands(
  version: string,
  language: Language = "en",
): Promise<Command[]> {
  const names = COMMAND_NAMES.filter((name) => name !== HIDDEN_COMMAND);
  const describe = async (name: string) => {
    const build = { name, isWhole: true, version, language, print: () => {}, choose: () => {} };
    return (await buildProgram(build)).commands;
  };
  return (await Promise.all(names.map(describe))).flat();
}

/** Advice for commands and flags of other programs. */
const ALTERNATIVES: Readonly<Record<string, Text>> = {
  version: { fr: "Lancez « shipscore --version »", en: "Run 'shipscore --version'" },
  login: SIGN_IN,
  auth: SIGN_IN,
  config: {
    fr: "Lancez « shipscore init » pour écrire le shipscore.json que lit « check » ; « shipscore help environment » décrit les variables",
    en: "Run 'shipscore init' to write a shipscore.json for 'check'; 'shipscore help environment' lists the variables",
  },
  "--ignore": {
    fr: "Acceptez le constat : shipscore accept RÈGLE --reason TEXTE --until DATE",
    en: "Accept the finding: shipscore accept RULE --reason TEXT --until DATE",
  },
  "-o": {
    fr: "Utilisez --report FORMAT=FICHIER, ou redirigez stdout : > FICHIER",
    en: "Use --report FORMAT=FILE, or redirect stdout: > FILE",
  },
};

function adviseOnChoice(value: string, choices: readonly string[]): Text {
  const near = choices.find((choice) => value !== "" && choice.startsWith(value));
  if (near !== undefined) return suggest(near);
  const list = choices.join(", ");
  return { fr: `Valeurs possibles : ${list}`, en: `Use one of ${list}` };
}

function valueError(of: Argument | Option, value: string, advice: Text): CliError {
  if ("flags" in of)
    return usageError(
      {
        fr: `${of.long} n'accepte pas « ${value} »`,
        en: `${of.long} does not take '${value}'`,
      },
      advice,
    );
  const name = of.name();
  return usageError(
    {
      fr: `${namePlaceholder(name, "fr")} inconnu : « ${value} »`,
      en: `there is no ${name} '${value}'`,
    },
    advice,
  );
}

/** Commander would wrap the errors of value readers in English sentences. */
function explainValues({ options, registeredArguments }: Command): void {
  for (const each of [...options, ...registeredArguments]) {
    const { parseArg, argChoices } = each;
    if (!parseArg) continue;
    each.parseArg = (value, previous) => {
      if (argChoices?.includes(value) === false)
        throw valueError(each, value, adviseOnChoice(value, argChoices));
      try {
        return parseArg(value, previous);
      } catch (error) {
        throw error instanceof ValueError ? valueError(each, value, error.advice) : error;
      }
    };
  }
}

type Rewording = readonly [pattern: RegExp, reword: (...groups: string[]) => Text];

const flagOf = (flags = ""): string => flags.split(" ", 1)[0] ?? "";

/** Commander's errors, in both languages. */
const REWORDINGS: readonly Rewording[] = [
  [
    /^unknown option '(.*)'$/,
    (flag = "") => ({ fr: `option inconnue : « ${flag} »`, en: `unknown option '${flag}'` }),
  ],
  [
    /^unknown command '(.*)'$/,
    (name = "") => ({ fr: `commande inconnue : « ${name} »`, en: `unknown command '${name}'` }),
  ],
  [
    /^option '(.*)' argument missing$/,
    (flags) => ({
      fr: `il manque une valeur à ${flagOf(flags)}`,
      en: `${flagOf(flags)} needs a value`,
    }),
  ],
  [
    /^required option '(.*)' not specified$/,
    (flags) => ({
      fr: `l'option ${flagOf(flags)} est obligatoire`,
      en: `${flagOf(flags)} is required`,
    }),
  ],
  [
    /^missing required argument '(.*)'$/,
    (name = "") => ({
      fr: `il manque l'argument « ${namePlaceholder(name, "fr")} »`,
      en: `the argument '${name}' is missing`,
    }),
  ],
  [
    /^too many arguments.* Expected (\d+) .* but got (\d+)\.$/,
    (expected = "", count = "") => ({
      fr: `trop d'arguments : ${count} au lieu de ${expected}`,
      en: `too many arguments: ${count} instead of ${expected}`,
    }),
  ],
];

function reword(message: string): Text {
  for (const [pattern, translate] of REWORDINGS) {
    const groups = pattern.exec(message);
    if (groups) return translate(...groups.slice(1));
  }
  return untranslated(message);
}

function toUsageError(error: CommanderError, name: string): CliError {
  const [what = "", suggestion] = error.message.replace(/^error: /, "").split("\n");
  const [, unknown = ""] = /^unknown option '([^=']*)/.exec(what) ?? [];
  const [, meant] = /^\(Did you mean (.*)\?\)$/.exec(suggestion ?? "") ?? [];
  const usage = {
    fr: `Lancez « ${name} --help » pour afficher l'aide`,
    en: `Run '${name} --help' for usage`,
  };
  const advice = meant === undefined ? usage : suggest(meant);
  return usageError(reword(what), ALTERNATIVES[unknown] ?? advice);
}

function refuseTokenFlag(argv: readonly string[]): void {
  const end = argv.indexOf("--");
  const flags = end < 0 ? argv : argv.slice(0, end);
  if (flags.some((flag) => flag === "--token" || flag.startsWith("--token=")))
    throw usageError(
      {
        fr: "l'option --token n'existe pas, car d'autres processus peuvent lire une ligne de commande et le shell la conserve",
        en: "there is no --token, because other processes can read the command line, and the shell's history keeps it",
      },
      {
        fr: "Placez le jeton dans SHIPSCORE_TOKEN, et révoquez celui que vous venez de saisir",
        en: "Set SHIPSCORE_TOKEN to the token, and revoke the one that you typed here",
      },
    );
}

const WHOLE_HELP = "--help-all";

/** `help check` becomes `check --help`. */
function spellHelp(typed: readonly string[]): readonly string[] {
  const isWhole = typed.includes(WHOLE_HELP);
  const argv = typed.filter((word) => word !== WHOLE_HELP);
  const [first, name] = argv;
  if (first === "help" && isCommand(name) && argv.length === 2) return [name, "--help"];
  return isWhole && first !== "help" ? [...argv, "--help"] : argv;
}

/** @throws CliError 2 for an unknown command, flag or value */
export async function parseCommandLine(
  typed: readonly string[],
  version: string,
  language: Language = "en",
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
    language,
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
    if (isCommand(first)) throw toUsageError(error, `shipscore ${first}`);
    const alternative = Object.hasOwn(ALTERNATIVES, first) ? ALTERNATIVES[first] : undefined;
    if (alternative !== undefined)
      throw usageError(
        { fr: `il n'y a pas de commande « ${first} »`, en: `there is no command '${first}'` },
        alternative,
      );
    if (!isPageUrl(first)) throw toUsageError(error, "shipscore");
    throw usageError(
      { fr: `« ${first} » n'est pas une commande`, en: `'${first}' is not a command` },
      {
        fr: `Lancez « shipscore check ${first} » pour vérifier cette URL`,
        en: `Run 'shipscore check ${first}' to check it`,
      },
    );
  }
  if (invocation === undefined) throw new Error("commander chose no command");
  return invocation;
}
