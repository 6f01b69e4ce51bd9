import * as z from "zod";
import { Name } from "../access/name.ts";
import type { ForAccount, Manager } from "../db/actors.ts";
import { newId } from "../db/id.ts";
import { insertProject } from "../db/projects.ts";
import type { Deps } from "../deps.ts";
import { requireVerifiable } from "./urls.ts";

/** How many projects an account can own. */
export const MAX_PROJECTS = 100;

/** `url`: the project's address. */
export const NewProject = z.object({ name: Name, url: z.string() });
export type NewProject = z.infer<typeof NewProject>;

/** Creates a project for the actor's account; its address is watched from now on. Throws `url_refused`. */
export async function createProject(
  deps: Deps,
  { accountId: ownerId }: ForAccount<Manager>,
  { name, url }: NewProject,
): Promise<NewProject & { id: string }> {
  await requireVerifiable(deps, url);
  const project = { id: newId("prj"), name, url };
  await insertProject(deps.database.sql, { ...project, ownerId });
  return project;
}
