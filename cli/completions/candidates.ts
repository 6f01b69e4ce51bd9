import type { Language } from "../../shared/language.ts";
import { FORMATS } from "../reports/formats.ts";
import { CATEGORY_IDS, RULE_IDS } from "../rules/rule-ids.ts";
import type { Argument, Command, Option } from "commander";

interface Candidate {
  readonly value: string;
  readonly meaning: string;
  /** The shell completes a file name after `value`. */
  readonly isFile?: boolean;
}

interface Sources {
  readonly language: Language;
  readonly listNames: () => Promise<readonly string[]>;
}

type ListValues = (typed: string, sources: Sources) => Candidate[] | Promise<Candidate[]>;

const named = (values: readonly string[]): Candidate[] =>
  values.map((value) => ({ value, meaning: "" }));

const file = (value = ""): Candidate => ({ value, meaning: "", isFile: true });

async function listRules({ language }: Sources): Promise<Candidate[]> {
  const { findTexts } = await import("../rules/texts.ts");
  return RULE_IDS.map((id) => ({ value: id, meaning: findTexts(id)?.title[language] ?? "" }));
}

async function listIds(typed: string, sources: Sources): Promise<Candidate[]> {
  const start = typed.slice(0, typed.lastIndexOf(",") + 1);
  const listed = start.split(",");
  return [...named(CATEGORY_IDS), ...(await listRules(sources))]
    .filter(({ value }) => !listed.includes(value))
    .map(({ value, meaning }) => ({ value: start + value, meaning }));
}

function listReports(typed: string, { language }: Sources): Candidate[] {
  const format = Object.keys(FORMATS).find((name) => typed.startsWith(`${name}=`));
  if (format !== undefined) return [file(`${format}=`)];
  return Object.entries(FORMATS).map(([name, { summary }]) => ({
    value: `${name}=`,
    meaning: summary[language],
  }));
}

/** By the placeholder in the help, such as `<file>`. */
const VALUES: Readonly<Record<string, ListValues>> = {
  project: async (_, { listNames }) => named(await listNames()),
  rule: (_, sources) => listRules(sources),
  ids: listIds,
  "category=n": () => named(CATEGORY_IDS.map((id) => `${id}=`)),
  file: () => [file()],
  "format=file": listReports,
};

async function listValues(
  name: string,
  { argChoices }: Argument | Option,
  typed: string,
  sources: Sources,
): Promise<Candidate[]> {
  if (argChoices) return named(argChoices);
  return Object.hasOwn(VALUES, name) ? ((await VALUES[name]?.(typed, sources)) ?? []) : [];
}

/** `file` in `--urls <file>`. */
function valueNameOf({ flags }: Option): string {
  return /<([^>]*)>/.exec(flags)?.[1] ?? "";
}

function listOptions(command: Command): Candidate[] {
  const options = [...command.options, ...command.createHelp().visibleOptions(command)];
  const byFlag = new Map(options.map((option) => [option.long ?? option.flags, option]));
  return [...byFlag].map(([value, { description }]) => ({ value, meaning: description }));
}

function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function countArguments(command: Command, typed: readonly string[]): number {
  const values = typed.filter((word, index) => {
    if (word.startsWith("-")) return false;
    const before = command.options.find(({ long }) => long === typed[index - 1]);
    return !(before && takesValue(before));
  });
  return values.length;
}

function findValue(command: Command, typed: readonly string[], word: string) {
  const [, flag, value = ""] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  const isInWord = flag !== undefined;
  const name = isInWord ? flag : typed.at(-1);
  const option = command.options.find(({ long }) => long === name);
  if (!option || !takesValue(option)) return undefined;
  return { option, value: isInWord ? value : word, start: isInWord ? `${flag}=` : "" };
}

async function completeWord(
  command: Command,
  typed: readonly string[],
  word: string,
  sources: Sources,
): Promise<Candidate[]> {
  const found = findValue(command, typed, word);
  if (found) {
    const { option, start, value } = found;
    const values = await listValues(valueNameOf(option), option, value, sources);
    return values.map((each) => ({ ...each, value: start + each.value }));
  }
  if (word.startsWith("-")) return listOptions(command);
  const index = countArguments(command, typed);
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[index] ?? (last?.variadic ? last : undefined);
  return argument ? listValues(argument.name(), argument, word, sources) : [];
}

/** @param words those after `shipscore`; the last one may be empty */
export async function findCandidates(
  commands: readonly Command[],
  words: readonly string[],
  sources: Sources,
): Promise<Candidate[]> {
  const typed = words.slice(0, -1);
  const word = (words.at(-1) ?? "").replace(/^["']/, "");
  const command = commands.find((each) => each.name() === typed[0]);
  const candidates: Candidate[] = command
    ? await completeWord(command, typed.slice(1), word, sources)
    : typed.length > 0
      ? []
      : commands.map((each) => ({ value: each.name(), meaning: each.description() }));
  return candidates.filter(({ value, isFile }) => isFile || value.startsWith(word));
}
