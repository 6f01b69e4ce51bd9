import type { Fields } from "../terminal/field.ts";

/** Says whether a value, of the API or of a file, is what its type says, and which fields it knows of it. */
export type Is<T> = ((value: unknown) => value is T) & Fields;

type Members<T> = { readonly [Name in keyof T]: Is<T[Name]> };

export const isText: Is<string> = (value) => typeof value === "string";

export const isNumber: Is<number> = (value): value is number => Number.isFinite(value);

/** A whole number of this range; JSON has no larger ones that every program reads alike. */
export const isWhole =
  (min: number = Number.MIN_SAFE_INTEGER, max: number = Number.MAX_SAFE_INTEGER): Is<number> =>
  (value): value is number =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;

const DATE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/;
const LAST_DAY_OF_ALL = "28";

/** A date of the calendar and a time of the day, in UTC. */
export const isDate: Is<string> = (value): value is string => {
  if (typeof value !== "string" || !DATE.test(value)) return false;
  if (value.slice(8, 10) <= LAST_DAY_OF_ALL) return true;
  // The 30th of February is read as a day of March.
  return new Date(value).toISOString().startsWith(value.slice(0, 10));
};

export function isNullOr<T>(is: Is<T>): Is<T | null> {
  const { members, items } = is;
  return Object.assign((value: unknown): value is T | null => value === null || is(value), {
    members,
    items,
  });
}

export function isListOf<T>(is: Is<T>): Is<T[]> {
  const isList = (value: unknown): value is T[] => Array.isArray(value) && value.every(is);
  return Object.assign(isList, { items: is });
}

/** An object with these members. Others may be missing, and those that are not named here may be anything. */
export function isObject<Needed, Other = unknown>(
  needed: Members<Needed>,
  others?: Members<Other>,
): Is<Needed & { [Name in keyof Other]?: Other[Name] | undefined }> {
  const members = Object.entries<Is<unknown>>(needed);
  const optional = Object.entries<Is<unknown>>(others ?? {});
  const isOne = (
    value: unknown,
  ): value is Needed & { [Name in keyof Other]?: Other[Name] | undefined } => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const own = value as Readonly<Record<string, unknown>>;
    return (
      members.every(([name, is]) => is(own[name])) &&
      optional.every(([name, is]) => own[name] === undefined || is(own[name]))
    );
  };
  return Object.assign(isOne, { members: { ...needed, ...others } });
}
