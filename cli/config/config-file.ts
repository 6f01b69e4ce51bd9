import { readFileSync, statSync } from "node:fs";
import * as z from "zod/mini";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { CliError, networkCode, usageError } from "../terminal/errors.ts";
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

/** A file of settings, and where each of its values stands. */
export interface ConfigFile {
  readonly path: string;
  /** What the text stands behind: a byte order mark, or nothing. */
  readonly mark: string;
  readonly text: string;
  readonly config: Config;
  readonly positions: ReadonlyMap<string, Position>;
}

type Located = Pick<ConfigFile, "path" | "text" | "positions">;

/** An error that begins with the position of a value, or of a member's name. */
function faultAt(
  { path: file, text, positions }: Located,
  path: Path,
  message: string,
  advice: string,
  part: "name" | "start" = "start",
): CliError {
  const found = path.map((_, index) => positions.get(keyOf(path.slice(0, path.length - index))));
  const offset = found.find((position) => position !== undefined)?.[part] ?? 0;
  return usageError(`${file}:${describePosition(text, offset)}: ${message}`, advice);
}

const spellMembers = (text: string): string =>
  text.replace(/--([a-z-]+)/g, (_, name: string) =>
    name.replace(/-([a-z])/g, (__, letter: string) => letter.toUpperCase()),
  );

/** Does what may throw an error about a value, which then says where it stands. @throws CliError 2 */
export function checkAt<T>(file: Located, path: Path, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw faultAt(file, path, spellMembers(error.message), spellMembers(error.advice));
  }
}

/** The issue of the option that a value of several kinds was meant to be. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union" || typeof issue.input !== "object") return issue;
  const own = issue.errors.at(-1)?.[0];
  return own ? { ...own, path: [...issue.path, ...own.path] } : issue;
}

const MAX_SHOWN = 60;

function describeIssue(file: Located, given: z.core.$ZodIssue): CliError {
  const issue = innermost(given);
  const path = issue.path as (string | number)[];
  if (issue.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const { def } = findSchema(Config, [...path, key])._zod;
    const names = def.type === "object" ? Object.keys(def.shape) : [];
    const nearest = findNearest(key, names);
    const advice = nearest ? `Did you mean ${nearest}?` : `There is ${names.join(", ")}`;
    const where = path.length > 0 ? ` in ${path.join(".")}` : "";
    const message = `there is no member ${JSON.stringify(key)}${where}`;
    return faultAt(file, [...path, key], message, advice, "name");
  }
  const name = path.join(".") || "the file";
  const shown = withoutSecrets(JSON.stringify(issue.input) ?? "");
  const message =
    issue.input === undefined
      ? `${name} is missing`
      : `${name} cannot be ${shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}…` : shown}`;
  return faultAt(file, path, message, `Give ${describeWanted(findSchema(Config, path))}`);
}

function isSavedAnswer(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return ("findings" in value && "score" in value) || ("checks" in value && !("site" in value));
}

const MAX_LENGTH = 1_000_000;

function readText(path: string): string {
  try {
    const found = statSync(path);
    if (found.size > MAX_LENGTH || found.isCharacterDevice())
      throw usageError(`${path} holds more than 1 MB`, "Give a file of settings");
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usageError(
      `${path} can't be read (${networkCode(error)})`,
      "Write one with 'shipscore init', or correct --config",
    );
  }
}

/**
 * Reads a file of settings.
 * @throws CliError 2, with line, column and the nearest name, for what it may not hold
 */
export function readConfigFile(path: string): ConfigFile {
  const [, mark = "", text = ""] = /^(\ufeff?)(.*)$/s.exec(readText(path)) ?? [];
  if (maskTokens(text) !== text)
    throw usageError(
      `${path} holds a token`,
      "Keep it in SHIPSCORE_TOKEN alone, and revoke it if others can read the file",
    );
  try {
    const positions = findPositions(text);
    const value: unknown = JSON.parse(text);
    if (isSavedAnswer(value))
      throw usageError(
        `${path} is an answer that --save wrote, not a file of settings`,
        "Save answers under another name, such as baseline.json; 'shipscore init --force' writes settings in its place",
      );
    const { success, data, error } = z.safeParse(Config, value, { reportInput: true });
    if (success) return { path, mark, text, config: data, positions };
    const [issue] = error.issues;
    if (issue) throw describeIssue({ path, text, positions }, issue);
    throw error;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const position = describePosition(text, error.offset);
    throw usageError(`${path}:${position}: ${error.message}`, "Correct the JSON there");
  }
}
