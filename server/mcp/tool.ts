import type * as z from "zod/mini";
import type { CredentialActor } from "../db/accounts/actors.ts";
import type { CallerRow } from "../db/accounts/callers.ts";
import type { Deps } from "../deps.ts";
import type { Language } from "../../shared/language.ts";
import type { CheckStep } from "../engine/visit/visits.ts";

export interface CallContext {
  /** What reads take to find out who is calling. */
  readonly row: CallerRow;
  /** What verbs take. */
  readonly actor: CredentialActor;
  /** That of `Accept-Language`, else French; a tool's own `language` goes before it. */
  readonly language: Language;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  /** Sends progress; undefined if the client did not ask for it. */
  readonly onStep?: ((step: CheckStep) => void) | undefined;
}

/** The structured result of a call, and the same as text for assistants that read no other. */
export interface ToolResult<Output> {
  readonly structured: Output;
  readonly text: string;
}

/**
 * One tool: its words, the schemas of what goes in and what comes out, and what it does. A call throws `AppError`s;
 * `errors.ts` says which of them an assistant can fix.
 */
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

/** Keeps the types of the schemas, for `call` to be checked against them. */
export const defineTool = <Input extends z.ZodMiniObject, Output extends z.ZodMiniObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> => tool;

/** The annotations of a tool that only reads what is stored. */
export const READS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
