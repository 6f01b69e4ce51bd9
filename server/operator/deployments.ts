import * as z from "zod";
import { waitForVerification } from "../cycle/deployments.ts";
import { OPERATOR } from "../db/actors.ts";
import { findDeployment } from "../db/deployments.ts";
import { AppError } from "../errors.ts";
import { Environment, Label, recordDeployment } from "../projects/deployments.ts";
import { defineOperation } from "./operation.ts";

export const deploymentOperations = {
  "deployment record": defineOperation({
    input: z.object({
      projectId: z.string(),
      url: z.string(),
      environment: Environment,
      commit: Label.nullable(),
      ref: Label.nullable(),
      wait: z.boolean(),
    }),
    async run(deps, { wait, ...input }) {
      const deployment = await recordDeployment(deps, OPERATOR, input);
      if (wait) await waitForVerification(deps, deployment.id);
      return deployment;
    },
  }),
  "deployment show": defineOperation({
    input: z.object({ id: z.string() }),
    async run({ database }, { id }) {
      const deployment = await findDeployment(database.sql, id);
      if (deployment === undefined) throw new AppError("deployment_not_found", { id });
      const { failure, ...rest } = deployment;
      return { ...rest, reason: failure?.en ?? null };
    },
  }),
};
