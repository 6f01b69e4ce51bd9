import type { Command, HelpConfiguration } from "commander";
import type { Language, Text } from "../../shared/language.ts";
import { say } from "../../shared/report/words.ts";

const COLUMNS = 80;

/** As commander and the commands write them. */
const HEADINGS: Readonly<Record<string, string>> = {
  "Usage:": "Utilisation :",
  "Arguments:": "Arguments :",
  "Options:": "Options :",
  "Commands:": "Commandes :",
  "Examples:": "Exemples :",
  "Pages:": "Pages :",
  "Output:": "Sortie :",
  "Reports:": "Rapports :",
  "Gate:": "Conditions de déploiement :",
  "Server:": "Serveur :",
};

/** Completions know these names, so flags are declared with them. */
const PLACEHOLDERS: Readonly<Record<string, string>> = {
  command: "commande",
  topic: "sujet",
  word: "mot",
  rule: "règle",
  ids: "identifiants",
  project: "projet",
  text: "texte",
  date: "date",
  pattern: "motif",
  file: "fichier",
  "format=file": "format=fichier",
  "category=n": "catégorie=n",
  path: "chemin",
  when: "quand",
  seconds: "secondes",
  origin: "origine",
  result: "résultat",
};

export const namePlaceholder = (name: string, language: Language): string =>
  ({ en: name, fr: PLACEHOLDERS[name] ?? name })[language];

const heading = (text: string, language: Language): string =>
  say({ en: text, fr: HEADINGS[text] ?? text }, language);

const CHOICES = { en: "(choices: ", fr: "(choix : " };

const translatePlaceholders = (text: string, language: Language): string =>
  text.replace(
    /([<[])([a-z=]+)/g,
    (_, bracket: string, name: string) => bracket + namePlaceholder(name, language),
  );

/** Breaks only at plain spaces. Each character must take one column, as in all help. */
function wrapWords(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** Wraps so that no line begins with a French colon. */
export function configureHelp(language: Language): HelpConfiguration {
  const translate = (text: string) => translatePlaceholders(text, language);
  return {
    styleTitle: (title) => heading(title, language),
    styleUsage: translate,
    styleOptionTerm: translate,
    styleArgumentTerm: (name) => namePlaceholder(name, language),
    styleSubcommandTerm: translate,
    styleDescriptionText: (text) => text.replace(CHOICES.en, say(CHOICES, language)),
    boxWrap: (text, columns) => wrapWords(text, columns).join("\n"),
  };
}

export type HelpPart = Text | string;

export function formatParts(parts: readonly HelpPart[], language: Language): string {
  return parts
    .map((part) =>
      typeof part === "string" ? part : wrapWords(say(part, language), COLUMNS).join("\n"),
    )
    .join("\n\n");
}

export type HelpEntry = readonly [name: string, meaning: Text];

const GAP = 2;

export function formatEntries(
  entries: readonly HelpEntry[],
  language: Language,
  nameColumns = 16,
): string {
  const indent = " ".repeat(nameColumns + 2 * GAP);
  const lines = entries.flatMap(([name, meaning]) => {
    const [first = "", ...others] = wrapWords(say(meaning, language), COLUMNS - indent.length);
    const label = `  ${translatePlaceholders(name, language)}`;
    const head =
      label.length + GAP <= indent.length || first === ""
        ? [(label.padEnd(indent.length) + first).trimEnd()]
        : [label, indent + first];
    return [...head, ...others.map((line) => indent + line)];
  });
  return lines.join("\n");
}

export const formatExamples = (examples: readonly string[], language: Language): string =>
  [heading("Examples:", language), ...examples.map((line) => `  ${line}`), ""].join("\n");

interface CommandHelp {
  readonly examples: readonly string[];
  readonly parts?: readonly HelpPart[];
}

export function addHelp(
  command: Command,
  { examples, parts = [] }: CommandHelp,
  language: Language,
): Command {
  const rest = parts.length === 0 ? "" : `\n${formatParts(parts, language)}`;
  return command
    .addHelpText("before", formatExamples(examples, language))
    .addHelpText("after", rest);
}
