import type { Rule } from "./rule.ts";
import { connect, dns, status } from "./rules/reach-connection.ts";
import { html, leak, softNotFound } from "./rules/reach-page.ts";

/** Every rule there is, in the order of the ruleset. */
export const RULES: readonly Rule[] = [dns, connect, status, html, softNotFound, leak];
