import * as z from "zod";
import { runRound } from "../cycle/round.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { addAccount, changePlan, listAccountsOperation } from "./accounts.ts";
import { recordDeployment, showDeployment } from "./deployments.ts";
import { showEvidence } from "./evidence.ts";
import { defineOperation, type Operation } from "./operation.ts";
import {
  acceptProject,
  addProject,
  listProjectsOperation,
  shareProject,
  unshareProject,
  unwatchUrl,
  watchUrl,
} from "./projects.ts";
import { createTokenOperation, listTokensOperation, revokeTokenOperation } from "./tokens.ts";

const operations = {
  "account add": addAccount,
  "account plan": changePlan,
  "account list": listAccountsOperation,
  "token create": createTokenOperation,
  "token list": listTokensOperation,
  "token revoke": revokeTokenOperation,
  "project add": addProject,
  "project list": listProjectsOperation,
  "project share": shareProject,
  "project accept": acceptProject,
  "project unshare": unshareProject,
  "project watch": watchUrl,
  "project unwatch": unwatchUrl,
  "deployment record": recordDeployment,
  "deployment show": showDeployment,
  evidence: showEvidence,
  round: defineOperation({ input: z.object({}), run: runRound }),
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

/** Does one of the operator's commands; throws `usage` for input that cannot be right, `refused_operation` for the rest. */
export async function performOperation(deps: Deps, name: string, input: unknown): Promise<unknown> {
  const operation = (operations as Record<string, Operation>)[name];
  if (operation === undefined)
    throw new AppError("usage", { message: `This server knows no command ${name}.` });
  const parsed = operation.input.safeParse(input);
  if (!parsed.success)
    throw new AppError("usage", { message: `${parsed.error.issues[0]?.message ?? "Bad value"}.` });
  return operation.run(deps, parsed.data);
}
