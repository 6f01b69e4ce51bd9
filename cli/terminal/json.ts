import type * as z from "zod/mini";
import type { Text } from "../../shared/language.ts";
import { untranslated, usageError } from "./errors.ts";

// A fast test that most texts pass: thousands are cleaned in one run.
const PLAIN = /^(?!.*(?:::|#\w*\[))[ -~]*$/;
/** The start of a command to a CI system: `::error` for GitHub, `##[` and `##vso[` for others. */
const COMMAND = /(?<=^|\s)(?=::)|(?<=#)(?=#\w*\[)/gu;

const WORD_JOINER = "\u2060";

/**
 * Characters that a line or an XML document may not contain, and lone surrogates: \p{Cc}, \p{Cs}, \p{Zl}, \p{Zp} and
 * \p{Bidi_Control}. They are spelled out because V8 takes far longer to match those classes.
 */
const UNPRINTABLE =
  /[\0-\x1F\x7F-\x9F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uD800-\uDFFF\uFFFE\uFFFF]+/gu;

/** A character without width disables commands to CI systems. */
export function cleanText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(UNPRINTABLE, " ").replace(COMMAND, WORD_JOINER);
}

/** Line breaks in this member separate what is to be pasted. */
const LINES = "fixLine";

const cleanLines = (text: string): string => text.split("\n").map(cleanText).join("\n");

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
 * DEL, the C1 and bidirectional controls, line separators, and `##[` or `##vso[` (commands to some CI systems) are escaped.
 * The JSON is safe to print, and parses to the same value.
 */
export function formatJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return `${json.replace(JSON_UNPRINTABLE, escapeUnits)}\n`;
}

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

/** Formatting a deeply nested value could overflow the stack. */
export function isShallow(value: unknown, depth = 0): boolean {
  if (!isContainer(value)) return true;
  return depth < MAX_DEPTH && Object.values(value).every((one) => isShallow(one, depth + 1));
}

type Schema = z.core.$ZodType;

function defOf(schema: Schema): z.core.$ZodTypes["_zod"]["def"] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "nullable" || def.type === "optional" ? defOf(def.innerType) : def;
}

function findWithin(schema: Schema, key: string): Schema | undefined {
  const def = defOf(schema);
  if (def.type === "array") return /^\d+$/.test(key) ? def.element : undefined;
  return def.type === "object" && Object.hasOwn(def.shape, key) ? def.shape[key] : undefined;
}

const SINGLE: Text = { fr: "une seule valeur", en: "a single value" };

function describeWithin(schema: Schema): Text {
  const def = defOf(schema);
  if (def.type === "array")
    return { fr: "un numéro par élément, à partir de 0", en: "a number for each item, from 0" };
  return def.type === "object" ? untranslated(Object.keys(def.shape).join(", ")) : SINGLE;
}

function describePlace(passed: readonly string[], content: Text): Text {
  const place = passed.join(".");
  return {
    fr: `Contenu de ${place || "ce résultat"} : ${content.fr}`,
    en: `${place || "The result"} has ${content.en}`,
  };
}

export function checkField(path: string, schema: Schema): void {
  let place = schema;
  const passed: string[] = [];
  for (const key of path.split(".")) {
    const next = findWithin(place, key);
    if (next === undefined) {
      const advice = describePlace(passed, describeWithin(place));
      throw usageError(
        {
          fr: `cette commande ne connaît pas de champ « ${path} » dans le résultat`,
          en: `this command knows no field '${path}' of the result`,
        },
        {
          fr: `${advice.fr} ; --json affiche aussi les champs ajoutés par un serveur plus récent`,
          en: `${advice.en}; --json also shows fields that a newer server adds`,
        },
      );
    }
    place = next;
    passed.push(key);
  }
}

function findMember(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  if (Array.isArray(value) && !/^\d+$/.test(key)) return undefined;
  return Reflect.get(value, key);
}

function describeKeys(value: unknown): Text {
  if (Array.isArray(value))
    return {
      fr: `${value.length} (numérotation à partir de 0)`,
      en: `${value.length}, numbered from 0`,
    };
  if (typeof value !== "object" || value === null) return SINGLE;
  return untranslated(Object.keys(value).join(", "));
}

/** Takes a path such as `findings.0.id`. Null is an empty text, an object or a list is JSON. */
export function pickField(json: unknown, path: string): string {
  let value: unknown = json;
  const passed: string[] = [];
  for (const key of path.split(".")) {
    const member = findMember(value, key);
    if (member === undefined)
      throw usageError(
        {
          fr: `le résultat n'a pas de champ ${path}`,
          en: `the result has no field ${path}`,
        },
        describePlace(passed, describeKeys(value)),
      );
    value = member;
    passed.push(key);
  }
  if (value === null) return "";
  if (typeof value !== "string") return formatJson(value).trimEnd();
  return passed.at(-1) === LINES ? cleanLines(value) : cleanText(value);
}
