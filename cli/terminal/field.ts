import { usageError } from "./errors.ts";
import { cleanText } from "./clean.ts";
import { formatJson } from "./json.ts";

/** The fields of a JSON value: the members of an object, or the items of a list. A single value has none. */
export interface Fields {
  readonly members?: Readonly<Record<string, Fields>> | undefined;
  readonly items?: Fields | undefined;
}

export const objectOf = (members: Readonly<Record<string, Fields>>): Fields => ({ members });
export const listOf = (items: Fields): Fields => ({ items });

function describeFields({ members, items }: Fields): string {
  if (items) return "each has a number, from 0";
  return members ? `there is ${Object.keys(members).join(", ")}` : "there is a single value";
}

/**
 * Makes sure, before anything is sent, that a path may lead to a field.
 * @throws CliError 2 for a path that leads to none that this command knows
 */
export function checkField(path: string, fields: Fields): void {
  let place = fields;
  const passed: string[] = [];
  for (const key of path.split(".")) {
    const own = Object.hasOwn(place.members ?? {}, key) ? place.members?.[key] : undefined;
    const next = /^\d+$/.test(key) ? (place.items ?? own) : own;
    if (next === undefined)
      throw usageError(
        `this command knows no field '${path}' of the result`,
        `In ${passed.join(".") || "the result"} ${describeFields(place)}; what a newer server adds is in --json`,
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
