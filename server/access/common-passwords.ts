import { dictionary } from "@zxcvbn-ts/language-common";

/** The most common passwords, in lower case. They take a megabyte, so this file is imported only when needed. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary["passwords-common"]);
