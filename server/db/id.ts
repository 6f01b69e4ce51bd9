import { hash, randomInt } from "node:crypto";
import { BASE62 } from "../../shared/token.ts";

const LENGTH = 20;

/** Uses the system's random generator; each character has 5.95 bits. */
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

/** Returns an id such as `prj_3kTMd...`: the noun's prefix and 119 random bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(LENGTH)}`;
}

export function idOf(prefix: IdPrefix, text: string): string {
  const digits = Array.from({ length: LENGTH }, (_, position) => 62n ** BigInt(position));
  const number = BigInt(`0x${hash("sha256", text)}`);
  return `${prefix}_${digits.map((digit) => BASE62.charAt(Number((number / digit) % 62n))).join("")}`;
}

const UNLISTED_LENGTH = 22;

/** An unguessable id, with 131 random bits, for content that anyone who knows its URL may see. */
export const newUnlistedId = (): string => randomBase62(UNLISTED_LENGTH);

const UNLISTED_SHAPE = new RegExp(`^[0-9A-Za-z]{${UNLISTED_LENGTH}}$`);

export const isUnlistedId = (text: string): boolean => UNLISTED_SHAPE.test(text);

const SHAPE = new RegExp(`^([a-z]+)_[0-9A-Za-z]{${LENGTH}}$`);

/** Null equals no id in SQL. */
export function parseId(prefix: IdPrefix, text: string): string | null {
  return SHAPE.exec(text)?.[1] === prefix ? text : null;
}
