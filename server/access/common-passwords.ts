import { dictionary } from "@zxcvbn-ts/language-common";

/** The passwords that most people use, in lower case: a megabyte, so this file is imported late. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(dictionary["passwords-common"]);
