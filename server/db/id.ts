import { hash, randomInt } from "node:crypto";
import { BASE62 } from "../../shared/token.ts";

const LENGTH = 20;

/** Random base62 characters from the system's generator, 5.95 bits each. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join("");
}

export type IdPrefix =
  | "acc"
  | "tok"
  | "ses"
  | "key"
  | "prj"
  | "url"
  | "look"
  | "chk"
  | "inc"
  | "mnt"
  | "dep"
  | "hook"
  | "dlv"
  | "sts"
  | "alr"
  | "msg"
  | "srv";

/** A new id such as `prj_3kTMd...`: the noun's prefix and 119 random bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(LENGTH)}`;
}

/** The one id of this noun that belongs to a text. */
export function idOf(prefix: IdPrefix, text: string): string {
  const digits = Array.from({ length: LENGTH }, (_, position) => 62n ** BigInt(position));
  const number = BigInt(`0x${hash("sha256", text)}`);
  return `${prefix}_${digits.map((digit) => BASE62.charAt(Number((number / digit) % 62n))).join("")}`;
}

const UNLISTED_LENGTH = 22;

/** An id that nobody can guess, for what whoever knows its address may see: 131 random bits. */
export const newUnlistedId = (): string => randomBase62(UNLISTED_LENGTH);

const UNLISTED_SHAPE = new RegExp(`^[0-9A-Za-z]{${UNLISTED_LENGTH}}$`);

/** Whether a text has the shape of an unlisted id; any other needs no query. */
export const isUnlistedId = (text: string): boolean => UNLISTED_SHAPE.test(text);

const SHAPE = new RegExp(`^([a-z]+)_[0-9A-Za-z]{${LENGTH}}$`);

/** The id if it has this noun's shape; otherwise null, which equals no id in SQL. */
export function parseId(prefix: IdPrefix, text: string): string | null {
  return SHAPE.exec(text)?.[1] === prefix ? text : null;
}
