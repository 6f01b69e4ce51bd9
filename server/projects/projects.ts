import type { AccountActor } from "../db/actors.ts";
import { newId } from "../db/id.ts";
import { insertProject } from "../db/projects.ts";
import type { Deps } from "../deps.ts";
import { requireVerifiable } from "./urls.ts";

export interface NewProject {
  name: string;
  /** Its address, watched from now on. */
  url: string;
}

/** Creates a project of the actor's account. Throws `url_refused`. */
export async function createProject(
  deps: Deps,
  { accountId: ownerId }: AccountActor,
  { name, url }: NewProject,
): Promise<NewProject & { id: string }> {
  await requireVerifiable(deps, url);
  const project = { id: newId("prj"), name, url };
  await insertProject(deps.database.sql, { ...project, ownerId });
  return project;
}
