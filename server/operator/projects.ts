import * as z from "zod";
import { Email, getAccountId } from "../access/accounts.ts";
import { Name } from "../access/name.ts";
import { OPERATOR, operatorFor } from "../db/actors.ts";
import { listAllProjects } from "../db/projects.ts";
import { createProject } from "../projects/projects.ts";
import { acceptInvitation, shareProject, unshareProject } from "../projects/sharing.ts";
import { unwatchUrl, watchUrl } from "../projects/watching.ts";
import { After, defineOperation } from "./operation.ts";

const Sharing = z.object({ id: z.string(), email: Email });
const Watching = z.object({ id: z.string(), url: z.string() });

export const projectOperations = {
  "project add": defineOperation({
    input: z.object({ email: Email, name: Name, url: z.string() }),
    async run(deps, { email, name, url }) {
      const actor = operatorFor(await getAccountId(deps.database.sql, email));
      const project = await createProject(deps, actor, { name, url });
      return { ...project, owner: email };
    },
  }),
  "project list": defineOperation({
    input: z.object({ after: After }),
    run: ({ database }, { after }) => listAllProjects(database.sql, after),
  }),
  "project share": defineOperation({
    input: Sharing,
    async run(deps, { id, email }) {
      await shareProject(deps, OPERATOR, id, email);
      return { id, email };
    },
  }),
  "project accept": defineOperation({
    input: Sharing,
    async run(deps, { id, email }) {
      const actor = operatorFor(await getAccountId(deps.database.sql, email));
      await acceptInvitation(deps, actor, id);
      return { id, email };
    },
  }),
  "project unshare": defineOperation({
    input: Sharing,
    async run(deps, { id, email }) {
      await getAccountId(deps.database.sql, email);
      await unshareProject(deps, OPERATOR, id, email);
      return { id, email };
    },
  }),
  "project watch": defineOperation({
    input: Watching,
    async run(deps, { id: projectId, url }) {
      return { id: await watchUrl(deps, OPERATOR, projectId, url), projectId, url };
    },
  }),
  "project unwatch": defineOperation({
    input: Watching,
    async run(deps, { id: projectId, url }) {
      return { id: await unwatchUrl(deps, OPERATOR, projectId, url), projectId, url };
    },
  }),
};
