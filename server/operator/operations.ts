import * as z from "zod";
import { runRound } from "../cycle/round.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { accountOperations } from "./accounts.ts";
import { deploymentOperations } from "./deployments.ts";
import { showEvidence } from "./evidence.ts";
import { defineOperation, type Operation } from "./operation.ts";
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

/** Does one of the operator's commands. Throws `operation_unknown`, `input_invalid`, and what its verb throws. */
export async function performOperation(deps: Deps, name: string, input: unknown): Promise<unknown> {
  const operation = (operations as Record<string, Operation>)[name];
  if (operation === undefined) throw new AppError("operation_unknown", { name });
  const parsed = operation.input.safeParse(input, { reportInput: true });
  if (parsed.success) return operation.run(deps, parsed.data);
  const [issue] = parsed.error.issues;
  throw new AppError("input_invalid", {
    fault: issue?.message ?? "Bad value",
    value: String(issue?.input),
  });
}
