import * as z from "zod";
import { runRound } from "../cycle/round.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { accountOperations } from "./accounts.ts";
import { deploymentOperations } from "./deployments.ts";
import { describeError, describeInput, isRule } from "./error-words.ts";
import { showEvidence } from "./evidence.ts";
import { defineOperation, refuse, type Operation } from "./operation.ts";
import { projectOperations } from "./projects.ts";
import { tokenOperations } from "./tokens.ts";

const operations = {
  ...accountOperations,
  ...tokenOperations,
  ...projectOperations,
  ...deploymentOperations,
  evidence: showEvidence,
  round: defineOperation({ input: z.object({}), run: runRound }),
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** Does one of the operator's commands; throws `usage` for input that cannot be right, `refused_operation` for the rest. */
export async function performOperation(deps: Deps, name: string, input: unknown): Promise<unknown> {
  const operation = (operations as Record<string, Operation>)[name];
  if (operation === undefined)
    throw new AppError("usage", { message: `This server knows no command ${name}.` });
  const parsed = operation.input.safeParse(input, { reportInput: true });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AppError("usage", {
      message: describeInput(issue?.message ?? "Bad value", issue?.input),
    });
  }
  try {
    return await operation.run(deps, parsed.data);
  } catch (error) {
    throw isRule(error) ? refuse(describeError(error)) : error;
  }
}
