import { readFileSync, statSync } from "node:fs";
import * as z from "zod/mini";
import type { Text } from "../../shared/language.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { CliError, networkCode, suggest, untranslated, usageError } from "../terminal/errors.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { findNearest } from "../rules/rule-ids.ts";
import { maskTokens } from "../terminal/io.ts";
import {
  describePosition,
  findPositions,
  JsonFault,
  keyOf,
  type Path,
  type Position,
} from "./positions.ts";
import { Config, describeWanted, findSchema } from "./schema.ts";

export interface ConfigFile {
  readonly path: string;
  /** The byte order mark, or an empty string. */
  readonly mark: string;
  readonly text: string;
  readonly config: Config;
  readonly positions: ReadonlyMap<string, Position>;
}

type Located = Pick<ConfigFile, "path" | "text" | "positions">;

const changeBoth = ({ fr, en }: Text, change: (text: string) => string): Text => ({
  fr: change(fr),
  en: change(en),
});

function errorAt(
  { path: file, text, positions }: Located,
  path: Path,
  what: Text,
  advice: Text | undefined,
  part: "name" | "start" = "start",
): CliError {
  const found = path.map((_, index) => positions.get(keyOf(path.slice(0, path.length - index))));
  const offset = found.find((position) => position !== undefined)?.[part] ?? 0;
  return positionedError(file, describePosition(text, offset), what, advice);
}

function positionedError(
  file: string,
  position: string,
  what: Text,
  advice: Text | undefined,
): CliError {
  const located = {
    fr: `${file}:${position} : ${what.fr}`,
    en: `${file}:${position}: ${what.en}`,
  };
  return new CliError(EXIT.usage, located, advice);
}

/** `--min-score` becomes `minScore`. */
const spellMembers = (text: string): string =>
  text.replace(/--([a-z-]+)/g, (_, name: string) =>
    name.replace(/-([a-z])/g, (__, letter: string) => letter.toUpperCase()),
  );

export function checkAt<T>(file: Located, path: Path, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const { what, advice } = error;
    const spelled = advice && changeBoth(advice, spellMembers);
    throw errorAt(file, path, changeBoth(what, spellMembers), spelled);
  }
}

/** The last option of a union is the object form. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union" || typeof issue.input !== "object") return issue;
  const own = issue.errors.at(-1)?.[0];
  return own ? { ...own, path: [...issue.path, ...own.path] } : issue;
}

const MAX_SHOWN = 60;

function toError(file: Located, given: z.core.$ZodIssue): CliError {
  const issue = innermost(given);
  const path = issue.path as (string | number)[];
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const { def } = findSchema(Config, [...path, key])._zod;
    const names = def.type === "object" ? Object.keys(def.shape) : [];
    const nearest = findNearest(key, names);
    const list = names.join(", ");
    const advice = nearest
      ? suggest(nearest)
      : { fr: `Champs possibles : ${list}`, en: `Use one of ${list}` };
    const [parent, member] = [path.join("."), JSON.stringify(key)];
    const what = {
      fr: `le champ ${member} n'existe pas${parent && ` dans ${parent}`}`,
      en: `there is no member ${member}${parent && ` in ${parent}`}`,
    };
    return errorAt(file, [...path, key], what, advice, "name");
  }
  const member = path.join(".");
  const name = member === "" ? { fr: "le fichier", en: "the file" } : untranslated(member);
  const json = withoutSecrets(JSON.stringify(issue.input) ?? "");
  const shown = json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json;
  const what =
    issue.input === undefined
      ? { fr: `il manque ${name.fr}`, en: `${name.en} is missing` }
      : { fr: `${name.fr} n'accepte pas ${shown}`, en: `${name.en} cannot be ${shown}` };
  const wanted = describeWanted(findSchema(Config, path));
  return errorAt(file, path, what, { fr: `Indiquez ${wanted.fr}`, en: `Use ${wanted.en}` });
}

function isSavedResult(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return ("findings" in value && "score" in value) || ("checks" in value && !("site" in value));
}

const MAX_LENGTH = 1_000_000;

function readText(path: string): string {
  try {
    const found = statSync(path);
    if (found.size > MAX_LENGTH || found.isCharacterDevice())
      throw usageError(
        { fr: `${path} dépasse 1 Mo`, en: `${path} is over 1 MB` },
        { fr: "Indiquez un fichier de configuration", en: "Use a settings file" },
      );
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof CliError) throw error;
    const code = networkCode(error);
    throw usageError(
      { fr: `impossible de lire ${path} (${code})`, en: `${path} cannot be read (${code})` },
      {
        fr: "Écrivez un fichier avec « shipscore init », ou corrigez --config",
        en: "Write one with 'shipscore init', or correct --config",
      },
    );
  }
}

/** @throws CliError 2 for anything that the file may not contain, with line, column and the nearest name */
export function readConfigFile(path: string): ConfigFile {
  const [, mark = "", text = ""] = /^(\ufeff?)(.*)$/s.exec(readText(path)) ?? [];
  if (maskTokens(text) !== text)
    throw usageError(
      { fr: `${path} contient un jeton`, en: `${path} contains a token` },
      {
        fr: "Ne le conservez que dans SHIPSCORE_TOKEN, et révoquez-le si d'autres peuvent lire le fichier",
        en: "Keep it only in SHIPSCORE_TOKEN, and revoke it if others can read the file",
      },
    );
  try {
    const positions = findPositions(text);
    const value: unknown = JSON.parse(text);
    if (isSavedResult(value))
      throw usageError(
        {
          fr: `${path} est un résultat écrit par --save, et non un fichier de configuration`,
          en: `${path} is a result that --save wrote, not a settings file`,
        },
        {
          fr: "Enregistrez les résultats sous un autre nom, par exemple baseline.json ; « shipscore init --force » écrit une configuration à sa place",
          en: "Save results under another name, such as baseline.json; 'shipscore init --force' writes settings in its place",
        },
      );
    const { success, data, error } = z.safeParse(Config, value, { reportInput: true });
    if (success) return { path, mark, text, config: data, positions };
    const [issue] = error.issues;
    if (issue) throw toError({ path, text, positions }, issue);
    throw error;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const position = describePosition(text, error.offset);
    throw positionedError(path, position, error.what, {
      fr: "Corrigez le JSON à cet endroit",
      en: "Correct the JSON there",
    });
  }
}
