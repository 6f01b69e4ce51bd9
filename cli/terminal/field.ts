import { usageError } from "./errors.ts";
import { cleanText } from "./clean.ts";
import { formatJson } from "./json.ts";

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
