import * as z from "zod";
import { newId } from "../db/id.ts";
import { acceptInvitation, inviteMember, removeMember } from "../db/memberships.ts";
import {
  findOwnerId,
  insertProject,
  listAllProjects,
  lockProject,
  updateProjectState,
} from "../db/projects.ts";
import type { Sql } from "../db/sql.ts";
import { deleteWatchedUrl, insertWatchedUrl } from "../db/watched-urls.ts";
import { Email, getAccountId } from "./accounts.ts";
import { After, defineOperation, refuse } from "./operation.ts";
import { Name } from "./tokens.ts";
import { requireVerifiable } from "./urls.ts";

async function getOwnerId(sql: Sql, projectId: string): Promise<string> {
  const ownerId = await findOwnerId(sql, projectId);
  if (ownerId === undefined)
    throw refuse(`There is no project ${projectId}. List them with: shipscore-server project list`);
  return ownerId;
}

export const addProject = defineOperation({
  input: z.object({ email: Email, name: Name, url: z.string() }),
  async run(deps, { email, name, url }) {
    const ownerId = await getAccountId(deps.database.sql, email);
    await requireVerifiable(deps, url);
    const project = { id: newId("prj"), ownerId, name, url };
    await insertProject(deps.database.sql, project);
    return { id: project.id, name, url, owner: email };
  },
});

export const listProjectsOperation = defineOperation({
  input: z.object({ after: After }),
  run: ({ database }, { after }) => listAllProjects(database.sql, after),
});

const Sharing = z.object({ id: z.string(), email: Email });

export const shareProject = defineOperation({
  input: Sharing,
  async run({ database }, { id, email }) {
    const ownerId = await getOwnerId(database.sql, id);
    const accountId = await getAccountId(database.sql, email);
    if (accountId === ownerId) throw refuse(`${email} owns ${id}.`);
    await inviteMember(database.sql, id, accountId);
    return { id, email };
  },
});

export const acceptProject = defineOperation({
  input: Sharing,
  async run({ database }, { id, email }) {
    const accountId = await getAccountId(database.sql, email);
    if (!(await acceptInvitation(database.sql, id, accountId)))
      throw refuse(`${email} has no invitation to ${id}.`);
    return { id, email };
  },
});

export const unshareProject = defineOperation({
  input: Sharing,
  async run({ database }, { id, email }) {
    const accountId = await getAccountId(database.sql, email);
    if (!(await removeMember(database.sql, id, accountId)))
      throw refuse(`${id} is not shared with ${email}.`);
    return { id, email };
  },
});

const Watching = z.object({ id: z.string(), url: z.string() });

export const watchUrl = defineOperation({
  input: Watching,
  async run(deps, { id, url }) {
    await getOwnerId(deps.database.sql, id);
    await requireVerifiable(deps, url);
    const watchedId = await insertWatchedUrl(deps.database.sql, id, url);
    if (watchedId === undefined) throw refuse(`${id} watches this URL already.`);
    return { id: watchedId, projectId: id, url };
  },
});

export const unwatchUrl = defineOperation({
  input: Watching,
  async run({ database }, { id, url }) {
    await getOwnerId(database.sql, id);
    const watchedId = await database.begin(async (sql) => {
      await lockProject(sql, id);
      const deleted = await deleteWatchedUrl(sql, id, url);
      await updateProjectState(sql, id);
      return deleted;
    });
    if (watchedId === undefined)
      throw refuse(`${id} does not watch this URL besides its address, which is always watched.`);
    return { id: watchedId, projectId: id, url };
  },
});
