import * as z from "zod";
import type { Deps } from "../deps.ts";

/** An operator's command without its words: input and result are JSON, since it may run in another process. */
export interface Operation<Input extends z.ZodType = z.ZodType> {
  readonly input: Input;
  run(deps: Deps, input: z.output<Input>): Promise<unknown>;
}

export function defineOperation<Input extends z.ZodType>(operation: Operation<Input>): Operation {
  return operation;
}

/** Part of a list's input: the id of the row after which its page begins. The result is the page, empty after the last. */
export const After = z
  .string()
  .nullish()
  .transform((id) => id ?? null);
