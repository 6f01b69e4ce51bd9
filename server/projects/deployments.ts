import * as z from "zod";
import type { HookActor, Manager } from "../db/actors.ts";
import { insertDeployment, insertShip } from "../db/deployments.ts";
import { insertEvent } from "../db/events.ts";
import { newId } from "../db/id.ts";
import type { Deps } from "../deps.ts";
import type { InputFault } from "../errors.ts";
import { oneLine } from "../syntax/one-line.ts";
import { changeProject, requireRight } from "./rights.ts";
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
  actor: Manager,
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

/** A deployment as its host tells a hook of it: texts as they came, times as they were read. */
export interface ReportedShip {
  environment: string;
  commit: string | null;
  ref: string | null;
  /** By the host's clock; null where it says none. One in the future, or before 1970, counts as the arrival. */
  deployedAt: Date | null;
  /** The host's own id of the deployment, by which several events of it are known as one. */
  providerId: string | null;
  /** Names the event, in plain characters: the same one again within 24 hours is a repeat. */
  eventKey: string;
}

/** The id of what was recorded, or why nothing was. */
export type ShipOutcome = { id: string } | { ignored: string };

/** Less than the 10 s after which GitHub gives an event up. */
const MAX_RECORD_WAIT_MS = 8000;
const MAX_ENVIRONMENT_LENGTH = 50;

const labelOf = (text: string | null) => (text && oneLine(text, MAX_LABEL_LENGTH)) || null;

/**
 * Records a production deployment of the hook's project and queues a verification of the project's own address. Nothing
 * but production is recorded, no event twice, and no deployment that is the last ship already. Throws
 * `project_not_found`, and `busy` where too many are being recorded.
 */
export async function recordShip(
  deps: Deps,
  hook: HookActor,
  said: ReportedShip,
): Promise<ShipOutcome> {
  const environment = oneLine(said.environment, MAX_ENVIRONMENT_LENGTH);
  if (environment.toLowerCase() !== "production") return { ignored: `environment ${environment}` };
  const { projectId } = hook;
  const release = await deps.recordings.acquire(projectId, MAX_RECORD_WAIT_MS);
  try {
    return await changeProject(deps, hook, "change", projectId, async (sql, { url }) => {
      const id = newId("dep");
      const ignored = await insertShip(sql, {
        id,
        projectId,
        url,
        commit: labelOf(said.commit),
        ref: labelOf(said.ref),
        deployedAt: said.deployedAt,
        providerId: labelOf(said.providerId),
        eventKey: said.eventKey,
      });
      if (ignored !== null) return { ignored };
      const details = { deploymentId: id };
      await insertEvent(sql, hook, { action: "deployment.recorded", projectId, details });
      return { id };
    });
  } finally {
    release();
  }
}
