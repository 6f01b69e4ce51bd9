import * as z from "zod";
import { waitForVerification } from "../cycle/deployments.ts";
import { findDeployment, insertDeployment } from "../db/deployments.ts";
import { newId } from "../db/id.ts";
import { defineOperation, refuse } from "./operation.ts";
import { requireVerifiable } from "./urls.ts";

const Label = z
  .string()
  .trim()
  .regex(/^\P{Cc}{1,200}$/u, { error: "A commit or ref is one line of 1 to 200 characters" })
  .nullable();

export const recordDeployment = defineOperation({
  input: z.object({
    projectId: z.string(),
    url: z.string(),
    environment: z
      .string()
      .trim()
      .regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, {
        error: "The environment is a word such as production or staging",
      }),
    commit: Label,
    ref: Label,
    wait: z.boolean(),
  }),
  async run(deps, { wait, ...input }) {
    await requireVerifiable(deps, input.url);
    const deployment = { id: newId("dep"), ...input };
    if (!(await insertDeployment(deps.database.sql, deployment))) {
      throw refuse(
        `There is no project ${input.projectId}. List them with: shipscore-server project list`,
      );
    }
    if (wait) await waitForVerification(deps, deployment.id);
    return deployment;
  },
});

export const showDeployment = defineOperation({
  input: z.object({ id: z.string() }),
  async run({ database }, { id }) {
    const deployment = await findDeployment(database.sql, id);
    if (deployment === undefined) throw refuse(`There is no deployment ${id}.`);
    const { failure, ...rest } = deployment;
    return { ...rest, reason: failure?.en ?? null };
  },
});
