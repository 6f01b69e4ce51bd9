import { dictionary } from "@zxcvbn-ts/language-common";

/** Passwords that many people use, in lower case; a megabyte, so imported late. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  dictionary["passwords-common"].map((word) => word.toLowerCase()),
);
