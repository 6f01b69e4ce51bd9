import type { Command } from "commander";
import * as z from "zod";
import { OPERATOR, operatorFor } from "../db/accounts/actors.ts";
import { AppError } from "../base/errors.ts";
import { fault } from "../base/input-faults.ts";
import {
  afterRow,
  defineById,
  defineList,
  defineOperation,
  hasEdit,
  type AddCommands,
  type Operate,
} from "./command.ts";
import {
  column,
  dateColumn,
  listColumn,
  printFields,
  printTable,
  type ListedRow,
} from "./output.ts";

function describeBadge(result: ListedRow): string {
  const { url } = result as { url: string | null };
  if (url === null) return "The badge is off. If you turn it on again, it gets a new URL.";
  const hint = url.startsWith("/") ? "Set SHIPSCORE_PUBLIC_URL to get a complete URL.\n" : "";
  return `${hint}Anyone who knows the URL can see the project's score. In Markdown:\n![Ship Score](${url})`;
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

function addUrlCommands(group: Command, operate: Operate): void {
  operate(
    group
      .command("urls <project>")
      .description("list the URLs that a project watches, with their states"),
    {
      print: printTable([
        column("ID", "id"),
        column("STATE", "state"),
        dateColumn("SINCE", "since", "minute"),
        ["PAUSED", ({ paused }) => (paused ? "paused" : "")],
        column("FAILS FROM", "failsFrom"),
        column("URL", "url"),
      ]),
      async load() {
        const { listUrlStates } = await import("../db/watching/watched-urls.ts");
        return defineList(listUrlStates);
      },
    },
  );
  operate(group.command("watch <id> <url>").description("watch another URL in a project"), {
    print: printFields("id"),
    async load() {
      const { watchUrl } = await import("../projects/watching.ts");
      return defineOperation({
        input: z.object({ id: z.string(), url: z.string() }),
        async run(deps, { id: projectId, url }) {
          return { id: await watchUrl(deps, OPERATOR, projectId, url), projectId, url };
        },
      });
    },
  });
  operate(
    group.command("unwatch <id> <url>").description("stop watching a URL and close its incident"),
    {
      print: printFields("id"),
      async load() {
        const { unwatchUrl } = await import("../projects/watching.ts");
        return defineOperation({
          input: z.object({ id: z.string(), url: z.string() }),
          async run(deps, { id: projectId, url }) {
            return { id: await unwatchUrl(deps, OPERATOR, projectId, { url }), projectId, url };
          },
        });
      },
    },
  );
  for (const isPaused of [true, false]) {
    const description = isPaused
      ? "stop probing a URL for now; its incident closes without a message"
      : "probe a paused URL again";
    const words = `${isPaused ? "pause" : "resume"} <project> <url>`;
    operate(group.command(words).description(description), {
      print: printFields("id"),
      async load() {
        const { pauseUrl } = await import("../projects/watching.ts");
        return defineOperation({
          input: z.object({ project: z.string(), url: z.string() }),
          async run(deps, { project: projectId, url }) {
            const id = await pauseUrl(deps, OPERATOR, projectId, { url }, isPaused);
            return { id, projectId, url };
          },
        });
      },
    });
  }
}

export const addProjectCommands: AddCommands = (program, operate) => {
  const group = program
    .command("project")
    .description("manage projects, their members and their watched URLs");
  operate(
    group
      .command("add <email>")
      .description("add a project and print its ID")
      .requiredOption("--name <name>", "the project's name")
      .requiredOption("--url <url>", "the project's https URL"),
    {
      print: printFields("id"),
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
  );
  operate(group.command("list").description("list all projects"), {
    print: printTable(PROJECTS),
    isBatched: true,
    async load() {
      const { listAllProjects } = await import("../db/projects/projects.ts");
      return defineOperation({
        input: z.object({ after: afterRow({ name: z.string(), id: z.string() }) }),
        run: ({ database }, { after }) => listAllProjects(database.sql, after),
      });
    },
  });
  operate(group.command("show <id>").description("show a project"), {
    print: printTable(PROJECTS),
    async load() {
      const { findProjectSummary } = await import("../db/projects/projects.ts");
      return defineById(async ({ database: { sql } }, id) => {
        const project = await findProjectSummary(sql, id);
        if (project === undefined) throw new AppError("project_not_found", { projectId: id });
        return project;
      });
    },
  });
  operate(
    group
      .command("edit <id>")
      .description("change a project's name, URL or probe settings")
      .option("--name <name>", "the new name")
      .option("--url <url>", "the new https URL; the old one is no longer watched")
      .option(
        "--interval <seconds>",
        "the time between two probes of each URL, up to 3600; none: the server's default",
      )
      .option("--failures <number>", "how many failed probes in a row open an incident, 2 to 5")
      .option("--one-location <on|off>", "whether a failure from only one location is an incident"),
    {
      print: printFields("id"),
      async load() {
        const { editProject, ProjectEdit } = await import("../projects/projects.ts");
        return defineOperation({
          input: ProjectEdit.extend({ id: z.string() }).refine(hasEdit, fault("nothing_to_edit")),
          run: (deps, { id, ...edit }) => editProject(deps, OPERATOR, id, edit),
        });
      },
    },
  );
  operate(
    group
      .command("remove <id>")
      .description("remove a project for good, for all its members")
      .requiredOption("--name <name>", "the project's name, to confirm"),
    {
      print: printFields("id"),
      async load() {
        const { deleteProject } = await import("../projects/projects.ts");
        return defineOperation({
          input: z.object({ id: z.string(), name: z.string() }),
          run: (deps, { id, name }) => deleteProject(deps, OPERATOR, id, name),
        });
      },
    },
  );
  operate(
    group.command("share <id> <email>").description("invite an e-mail address to a project"),
    {
      print: printFields("id"),
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
  );
  operate(
    group
      .command("accept <id> <email>")
      .description("accept an invitation on behalf of an account"),
    {
      print: printFields("id"),
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
  );
  operate(
    group.command("unshare <id> <email>").description("withdraw an invitation or a membership"),
    {
      print: printFields("id"),
      async load() {
        const { Email } = await import("../access/accounts.ts");
        const { unshareProject } = await import("../projects/members.ts");
        return defineOperation({
          input: z.object({ id: z.string(), email: Email }),
          run: (deps, { id, email }) => unshareProject(deps, OPERATOR, id, email),
        });
      },
    },
  );
  addUrlCommands(group, operate);
  operate(
    group
      .command("badge <id>")
      .description("turn a project's badge on and print its URL")
      .option("--off", "turn it off; its URL stops working for good"),
    {
      print: printFields("url", describeBadge),
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
  );
};
