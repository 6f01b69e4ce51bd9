import { FORMATS } from "../reports/formats.ts";
import { CATEGORY_IDS, RULE_IDS } from "../rules/known.ts";

/** A word that may come next, and its meaning, which is empty where the word speaks for itself. */
export interface Candidate {
  readonly value: string;
  readonly meaning: string;
  /** True where `value` is followed by the name of a file, which the shell completes. */
  readonly isFile?: boolean;
}

export type ListNames = () => Promise<readonly string[]>;

/** Lists what a value may be, of which a part is typed. */
type ListValues = (typed: string, listNames: ListNames) => Candidate[] | Promise<Candidate[]>;

export const named = (values: readonly string[]): Candidate[] =>
  values.map((value) => ({ value, meaning: "" }));

const file = (value = ""): Candidate => ({ value, meaning: "", isFile: true });

async function listRules(): Promise<Candidate[]> {
  const { findTexts } = await import("../rules/texts.ts");
  return RULE_IDS.map((id) => ({ value: id, meaning: findTexts(id)?.title.en ?? "" }));
}

/** Rules and categories, after those that the list holds already. */
async function listIds(typed: string): Promise<Candidate[]> {
  const start = typed.slice(0, typed.lastIndexOf(",") + 1);
  const listed = start.split(",");
  return [...named(CATEGORY_IDS), ...(await listRules())]
    .filter(({ value }) => !listed.includes(value))
    .map(({ value, meaning }) => ({ value: start + value, meaning }));
}

function listReports(typed: string): Candidate[] {
  const format = Object.keys(FORMATS).find((name) => typed.startsWith(`${name}=`));
  if (format !== undefined) return [file(`${format}=`)];
  return Object.entries(FORMATS).map(([name, { summary }]) => ({
    value: `${name}=`,
    meaning: summary,
  }));
}

/** By the name that the help gives a value, such as `<file>`. Other values are not completed. */
export const VALUES: Readonly<Record<string, ListValues>> = {
  project: async (_, listNames) => named(await listNames()),
  rule: listRules,
  ids: listIds,
  "category=n": () => named(CATEGORY_IDS.map((id) => `${id}=`)),
  file: () => [file()],
  "format=file": listReports,
};
