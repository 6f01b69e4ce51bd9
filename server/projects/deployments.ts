import * as z from "zod";
import type { Actor } from "../db/actors.ts";
import { insertDeployment } from "../db/deployments.ts";
import { newId } from "../db/id.ts";
import type { Deps } from "../deps.ts";
import type { InputFault } from "../errors.ts";
import { requireOwn } from "./ownership.ts";
import { requireVerifiable } from "./urls.ts";

/** Where something is deployed, as one word: `production`, `staging`. */
export const Environment = z
  .string()
  .trim()
  .regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, { error: "environment_invalid" satisfies InputFault });

export const MAX_LABEL_LENGTH = 200;

/** A commit or ref, as it is shown. */
export const Label = z
  .string()
  .trim()
  .regex(new RegExp(`^\\P{Cc}{1,${MAX_LABEL_LENGTH}}$`, "u"), {
    error: "label_invalid" satisfies InputFault,
  });

export interface NewDeployment {
  projectId: string;
  url: string;
  environment: string;
  commit: string | null;
  ref: string | null;
}

/** Records a deployment, which queues its verification. Throws `url_refused`, `project_not_found`, `owner_only`. */
export async function recordDeployment(
  deps: Deps,
  actor: Actor,
  { projectId, url, environment, commit, ref }: NewDeployment,
): Promise<NewDeployment & { id: string }> {
  await requireVerifiable(deps, url);
  const deployment = { id: newId("dep"), projectId, url, environment, commit, ref };
  requireOwn(await insertDeployment(deps.database.sql, actor, deployment), projectId);
  return deployment;
}
