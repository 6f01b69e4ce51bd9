import type { CheckAnswer } from "./answers.ts";
import type { CliError } from "./errors.ts";
import type { Gate } from "./gate.ts";

/** One URL of a run, and what came of it: a check under its gate, or why there is none. */
export type Checked =
  | { readonly url: string; readonly check: CheckAnswer; readonly gate: Gate }
  | { readonly url: string; readonly error: CliError };
