import type * as z from "zod/mini";
import { usageError } from "./errors.ts";
import { cleanText } from "./clean.ts";
import { formatJson } from "./json.ts";

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
  return typeof value === "string" ? cleanText(value) : formatJson(value).trimEnd();
}
