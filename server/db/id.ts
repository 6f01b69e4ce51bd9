import { randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH = 20;

/** Random base62 characters from the system's generator, 5.95 bits each. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("");
}

export type IdPrefix = "acc" | "tok" | "prj" | "url" | "look" | "chk" | "inc" | "dep" | "req";

/** A new id such as `prj_3kTMd...`: the noun's prefix and 119 random bits. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase62(LENGTH)}`;
}

const SHAPE = new RegExp(`^([a-z]+)_[0-9A-Za-z]{${LENGTH}}$`);

/** The id if it has this noun's shape; otherwise null, which equals no id in SQL. */
export function parseId(prefix: IdPrefix, text: string): string | null {
  return SHAPE.exec(text)?.[1] === prefix ? text : null;
}
