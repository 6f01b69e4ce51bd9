import type * as z from "zod/mini";
import type { CredentialActor } from "../db/accounts/actors.ts";
import type { CallerRow } from "../db/accounts/callers.ts";
import type { Deps } from "../deps.ts";
import type { Language } from "../../shared/language.ts";
import type { CheckStep } from "../engine/visit/visits.ts";

export interface CallContext {
  readonly row: CallerRow;
  readonly actor: CredentialActor;
  /** The language of `Accept-Language`, by default French. A tool's own `language` takes precedence. */
  readonly language: Language;
  readonly signal: AbortSignal;
  /** Undefined if the client did not ask for progress. */
  readonly onStep?: ((step: CheckStep) => void) | undefined;
}

export interface ToolResult<Output> {
  readonly structured: Output;
  /** The same result for assistants that read only text. */
  readonly text: string;
}

/** A call throws `AppError`s; `errors.ts` lists those that an assistant can fix. */
export interface Tool<
  Input extends z.ZodMiniObject = z.ZodMiniObject,
  Output extends z.ZodMiniObject = z.ZodMiniObject,
> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  call(
    deps: Deps,
    context: CallContext,
    input: z.output<Input>,
  ): Promise<ToolResult<z.output<Output>>>;
}

/** Keeps the schemas' types, so that `call` is checked against them. */
export const defineTool = <Input extends z.ZodMiniObject, Output extends z.ZodMiniObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> => tool;

export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
