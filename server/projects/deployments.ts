import * as z from "zod";
import type { Recorder } from "../db/actors.ts";
import { insertDeployment } from "../db/deployments.ts";
import { insertEvent } from "../db/events.ts";
import { newId } from "../db/id.ts";
import type { Deps } from "../deps.ts";
import type { InputFault } from "../errors.ts";
import { requireRight } from "./rights.ts";
import { requireVerifiableOfProject } from "./urls.ts";

export const MAX_LABEL_LENGTH = 200;

/** The environment of a deployment, as one word: `production`, `staging`. */
const Environment = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, { error: "environment_invalid" satisfies InputFault });

/** A commit or ref, as it is shown; null where none is given. */
const Label = z
  .string()
  .trim()
  .regex(new RegExp(`^\\P{Cc}{1,${MAX_LABEL_LENGTH}}$`, "u"), {
    error: "label_invalid" satisfies InputFault,
  })
  .nullable()
  .default(null);

/** What a client says about a deployment when it records it. */
export const NewDeployment = z.object({
  projectId: z.string(),
  url: z.string(),
  environment: Environment,
  commit: Label,
  ref: Label,
});
export type NewDeployment = z.infer<typeof NewDeployment>;

/** Records a deployment and queues its verification. Throws `project_not_found`, `owner_only`, `url_refused`. */
export async function recordDeployment(
  deps: Deps,
  actor: Recorder,
  said: NewDeployment,
): Promise<NewDeployment & { id: string }> {
  await requireVerifiableOfProject(deps, actor, said.projectId, said.url);
  const deployment = { id: newId("dep"), ...said };
  const { id, projectId } = deployment;
  await deps.database.begin(async (sql) => {
    requireRight(await insertDeployment(sql, actor, deployment), "change", { projectId });
    const details = { deploymentId: id };
    await insertEvent(sql, actor, { action: "deployment.recorded", projectId, details });
  });
  return deployment;
}
