import * as z from "zod";
import { OPERATOR, operatorFor } from "../db/accounts/actors.ts";
import { AppError } from "../base/errors.ts";
import { fault } from "../base/input-faults.ts";
import { column, listColumn } from "./columns.ts";
import type { CommandGroup, ListedRow } from "./command.ts";
import { afterRow, defineById, defineOperation, hasEdit } from "./command.ts";
import { OF_URLS } from "./watched-urls.ts";

function describeBadge(result: ListedRow): string {
  const { url } = result as { url: string | null };
  if (url === null) return "The badge is off. Switched on again, it gets a new address.";
  const hint = url.startsWith("/") ? "With SHIPSCORE_PUBLIC_URL this is a whole URL.\n" : "";
  return `${hint}Whoever knows it sees the project's score. In Markdown:\n![Ship Score](${url})`;
}

const PROJECTS = [
  column("ID", "id"),
  column("STATE", "state"),
  column("NAME", "name"),
  column("URL", "url"),
  column("OWNER", "owner"),
  listColumn("MEMBERS", "members"),
  listColumn("INVITED", "invited"),
];

export const PROJECT: CommandGroup = {
  name: "project",
  description: "manage projects, who sees them and what is watched",
  commands: [
    {
      words: "add <email>",
      description: "add a project and print its id",
      options: [
        { flags: "--name <name>", description: "the project's name", isRequired: true },
        { flags: "--url <url>", description: "its https address", isRequired: true },
      ],
      prints: { field: "id" },
      async load() {
        const { Email, getAccountId } = await import("../access/accounts.ts");
        const { createProject, NewProject } = await import("../projects/projects.ts");
        return defineOperation({
          input: z.object({ email: Email, ...NewProject.shape }),
          async run(deps, { email, ...project }) {
            const actor = operatorFor(await getAccountId(deps.database.sql, email));
            return { ...(await createProject(deps, actor, project)), owner: email };
          },
        });
      },
    },
    {
      words: "list",
      description: "list all projects",
      prints: { batches: PROJECTS },
      async load() {
        const { listAllProjects } = await import("../db/projects/projects.ts");
        return defineOperation({
          input: z.object({ after: afterRow({ name: z.string(), id: z.string() }) }),
          run: ({ database }, { after }) => listAllProjects(database.sql, after),
        });
      },
    },
    {
      words: "show <id>",
      description: "show a project",
      prints: { rows: PROJECTS },
      async load() {
        const { findProjectSummary } = await import("../db/projects/projects.ts");
        return defineById(async ({ database: { sql } }, id) => {
          const project = await findProjectSummary(sql, id);
          if (project === undefined) throw new AppError("project_not_found", { projectId: id });
          return project;
        });
      },
    },
    {
      words: "edit <id>",
      description: "change a project's name, address or pace",
      options: [
        { flags: "--name <name>", description: "its new name" },
        {
          flags: "--url <url>",
          description: "its new https address; the former one is not watched any more",
        },
        {
          flags: "--interval <seconds>",
          description: "between two looks at each of its URLs, up to 3600; none: the server's own",
        },
        {
          flags: "--failures <number>",
          description: "how many failed looks in a row open an incident, 2 to 5",
        },
        {
          flags: "--one-place <on|off>",
          description: "whether what fails from one place alone is an incident",
        },
      ],
      prints: { field: "id" },
      async load() {
        const { editProject, ProjectEdit } = await import("../projects/projects.ts");
        return defineOperation({
          input: ProjectEdit.extend({ id: z.string() }).refine(hasEdit, fault("nothing_to_edit")),
          run: (deps, { id, ...edit }) => editProject(deps, OPERATOR, id, edit),
        });
      },
    },
    {
      words: "remove <id>",
      description: "remove a project for good, for all who see it",
      options: [
        {
          flags: "--name <name>",
          description: "the project's name, to confirm it",
          isRequired: true,
        },
      ],
      prints: { field: "id" },
      async load() {
        const { deleteProject } = await import("../projects/projects.ts");
        return defineOperation({
          input: z.object({ id: z.string(), name: z.string() }),
          run: (deps, { id, name }) => deleteProject(deps, OPERATOR, id, name),
        });
      },
    },
    {
      words: "share <id> <email>",
      description: "invite an e-mail address to a project",
      prints: { field: "id" },
      async load() {
        const { Email } = await import("../access/accounts.ts");
        const { shareProject } = await import("../projects/invitations.ts");
        return defineOperation({
          input: z.object({ id: z.string(), email: Email }),
          async run(deps, { id, email }) {
            await shareProject(deps, OPERATOR, id, email);
          },
        });
      },
    },
    {
      words: "accept <id> <email>",
      description: "accept an invitation on behalf of an account",
      prints: { field: "id" },
      async load() {
        const { Email, getAccountId } = await import("../access/accounts.ts");
        const { acceptInvitation } = await import("../projects/invitations.ts");
        return defineOperation({
          input: z.object({ id: z.string(), email: Email }),
          async run(deps, { id, email }) {
            const actor = operatorFor(await getAccountId(deps.database.sql, email));
            await acceptInvitation(deps, actor, id);
          },
        });
      },
    },
    {
      words: "unshare <id> <email>",
      description: "withdraw an invitation or a membership",
      prints: { field: "id" },
      async load() {
        const { Email } = await import("../access/accounts.ts");
        const { unshareProject } = await import("../projects/members.ts");
        return defineOperation({
          input: z.object({ id: z.string(), email: Email }),
          run: (deps, { id, email }) => unshareProject(deps, OPERATOR, id, email),
        });
      },
    },
    ...OF_URLS,
    {
      words: "badge <id>",
      description: "switch a project's badge on and print its address",
      options: [{ flags: "--off", description: "switch it off; its address is gone for good" }],
      prints: { field: "url", note: describeBadge },
      async load() {
        const { setBadge } = await import("../projects/badges.ts");
        return defineOperation({
          input: z.object({ id: z.string(), off: z.boolean().default(false) }),
          run: async (deps, { id, off }) => ({
            id,
            url: await setBadge(deps, OPERATOR, id, !off),
          }),
        });
      },
    },
  ],
};
