import type { Argument, Command, Option } from "commander";

/** A word that may come next, and its meaning, which is empty where the word speaks for itself. */
export interface Candidate {
  readonly value: string;
  readonly meaning: string;
}

type ListNames = () => Promise<readonly string[]>;

const named = (values: readonly string[]): Candidate[] =>
  values.map((value) => ({ value, meaning: "" }));

async function listValues(
  name: string,
  { argChoices }: Argument | Option,
  listNames: ListNames,
): Promise<Candidate[]> {
  if (argChoices) return named(argChoices);
  return name === "project" ? named(await listNames()) : [];
}

function listOptions(command: Command): Candidate[] {
  const options = [...command.options, ...command.createHelp().visibleOptions(command)];
  const byFlag = new Map(options.map((option) => [option.long ?? option.flags, option]));
  return [...byFlag].map(([value, { description }]) => ({ value, meaning: description }));
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

/** The number of arguments typed so far, without flags and their values. */
function countArguments(command: Command, typed: readonly string[]): number {
  const values = typed.filter((word, index) => {
    if (word.startsWith("-")) return false;
    const before = command.options.find(({ long }) => long === typed[index - 1]);
    return !(before && takesValue(before));
  });
  return values.length;
}

async function completeWord(
  command: Command,
  typed: readonly string[],
  word: string,
  listNames: ListNames,
): Promise<Candidate[]> {
  const option = command.options.find(({ long }) => long === typed.at(-1));
  if (option && takesValue(option)) return listValues(option.attributeName(), option, listNames);
  if (word.startsWith("-")) return listOptions(command);
  const index = countArguments(command, typed);
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[index] ?? (last?.variadic ? last : undefined);
  return argument ? listValues(argument.name(), argument, listNames) : [];
}

/**
 * What may complete the last of the words, which may be empty.
 * @param words those after `shipscore`
 * @param listNames called where a project may come next
 */
export async function findCandidates(
  commands: readonly Command[],
  words: readonly string[],
  listNames: ListNames,
): Promise<Candidate[]> {
  const typed = words.slice(0, -1);
  const word = (words.at(-1) ?? "").replace(/^["']/, "");
  const command = commands.find((each) => each.name() === typed[0]);
  const candidates = command
    ? await completeWord(command, typed.slice(1), word, listNames)
    : typed.length > 0
      ? []
      : commands.map((each) => ({ value: each.name(), meaning: each.description() }));
  return candidates.filter(({ value }) => value.startsWith(word));
}
