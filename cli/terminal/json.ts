import type * as z from "zod/mini";
import { usageError } from "./errors.ts";

// Thousands of texts pass here, and this looks at each far quicker.
const PLAIN = /^(?!.*(?:::|#\w*\[))[ -~]*$/;
/** Where a command to a CI system begins: `::error` of GitHub's, `##[` and `##vso[` of others. */
const COMMAND = /(?<=^|\s)(?=::)|(?<=#)(?=#\w*\[)/gu;

const WORD_JOINER = "\u2060";

/**
 * Characters that a line or an XML document may not hold, and lone surrogates: \p{Cc}, \p{Cs}, \p{Zl}, \p{Zp} and
 * \p{Bidi_Control}, by whose names V8 takes far longer to find them.
 */
const UNPRINTABLE =
  /[\0-\x1F\x7F-\x9F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uD800-\uDFFF\uFFFE\uFFFF]+/gu;

/**
 * The text on one line, without control or bidirectional characters: no escape sequence, tab or line break.
 * Commands to CI systems are broken by a character without width.
 */
export function cleanText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNPRINTABLE, " ").replace(COMMAND, WORD_JOINER);
}

/** The member of a finding or rule whose line breaks separate what is to be pasted. */
const LINES = "fixLine";

const cleanLines = (text: string): string => text.split("\n").map(cleanText).join("\n");

/** A copy of a JSON value whose texts are clean. */
export function cleanValue<T>(value: T): T;
export function cleanValue(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (Array.isArray(value)) return value.map((item: unknown) => cleanValue(item));
  if (typeof value !== "object" || value === null) return value;
  const clean = (key: string, item: unknown) =>
    key === LINES && typeof item === "string" ? cleanLines(item) : cleanValue(item);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clean(key, item)]));
}

function escapeUnits(text: string): string {
  return text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const JSON_UNPRINTABLE = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|##(?=\w*\[)/g;

/**
 * A JSON value, indented by two spaces. DEL, the C1 and bidirectional controls, separators of lines, and `##[` or
 * `##vso[` (commands to some CI systems) are escaped: the same value to a parser, and safe to print.
 */
export function formatJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return `${json.replace(JSON_UNPRINTABLE, escapeUnits)}\n`;
}

/** The value of a JSON text; undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const MAX_DEPTH = 32;

const isContainer = (value: unknown): value is object =>
  typeof value === "object" && value !== null;

/** False for a value nested more deeply than any of this API, which could take all of the stack to show. */
export function isShallow(value: unknown, depth = 0): boolean {
  if (!isContainer(value)) return true;
  return depth < MAX_DEPTH && Object.values(value).every((one) => isShallow(one, depth + 1));
}

type Schema = z.core.$ZodType;

/** The definition of a schema's values, where there are any. */
function defOf(schema: Schema): z.core.$ZodTypes["_zod"]["def"] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "nullable" || def.type === "optional" ? defOf(def.innerType) : def;
}

function findWithin(schema: Schema, key: string): Schema | undefined {
  const def = defOf(schema);
  if (def.type === "array") return /^\d+$/.test(key) ? def.element : undefined;
  return def.type === "object" && Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
}

function describeWithin(schema: Schema): string {
  const def = defOf(schema);
  if (def.type === "array") return "each has a number, from 0";
  if (def.type !== "object") return "there is a single value";
  return `there is ${Object.keys(def.shape).join(", ")}`;
}

/**
 * Makes sure, before anything is sent, that a path may lead to a field.
 * @throws CliError 2 for a path that leads to none that this command knows
 */
export function checkField(path: string, schema: Schema): void {
  let place = schema;
  const passed: string[] = [];
  for (const key of path.split(".")) {
    const next = findWithin(place, key);
    if (next === undefined)
      throw usageError(
        `this command knows no field '${path}' of the result`,
        `In ${passed.join(".") || "the result"} ${describeWithin(place)}; what a newer server adds is in --json`,
      );
    place = next;
    passed.push(key);
  }
}

function findMember(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
  return Reflect.get(value, key);
}

function describeKeys(value: unknown): string {
  if (Array.isArray(value)) return `there are ${value.length}, from 0`;
  if (typeof value !== "object" || value === null) return "there is a single value";
  return `there is ${Object.keys(value).join(", ")}`;
}

/**
 * Picks a field of a JSON value by a path such as `findings.0.id`, as text: a string as it is, null as nothing, an object
 * or a list as JSON.
 * @throws CliError 2 for a path that leads nowhere
 */
export function pickField(json: unknown, path: string): string {
  let value: unknown = json;
  const passed: string[] = [];
  for (const key of path.split(".")) {
    const member = findMember(value, key);
    if (member === undefined)
      throw usageError(
        `the result has no field ${path}`,
        `In ${passed.join(".") || "the result"} ${describeKeys(value)}`,
      );
    value = member;
    passed.push(key);
  }
  if (value === null) return "";
  if (typeof value !== "string") return formatJson(value).trimEnd();
  return passed.at(-1) === LINES ? cleanLines(value) : cleanText(value);
}
