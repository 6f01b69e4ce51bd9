import { AppError } from "../base/errors.ts";
import { OPERATOR } from "../db/accounts/actors.ts";
import type { Deps } from "../deps.ts";
import type { StatusSettings } from "../db/projects/status-pages.ts";
import { column } from "./columns.ts";
import type { CommandGroup, ListedRow } from "./command.ts";
import { defineOperation, ProjectInput } from "./command.ts";

const namesOf = ({ urls }: ListedRow) =>
  (urls as StatusSettings["urls"]).map(({ label }) => label).join(", ");

/** What is chosen of a project's status page, and its address: a path where this server does not know its public URL. */
async function getStatusPage({ database, config }: Deps, project: string) {
  const { requireRightTo } = await import("../projects/rights.ts");
  const { findStatusSettings } = await import("../db/projects/status-pages.ts");
  const { pathOfStatusPage } = await import("../projects/status-pages.ts");
  await requireRightTo(database.sql, OPERATOR, "see", project);
  const { page, urls = [] } = (await findStatusSettings(database.sql, project)) ?? {};
  if (!page) throw new AppError("status_page_off", { projectId: project });
  const path = pathOfStatusPage(page.name);
  const url = config.publicUrl === undefined ? path : new URL(path, config.publicUrl).href;
  return { project, url, ...page, urls };
}

export const STATUS_PAGE: CommandGroup = {
  name: "status-page",
  description: "manage the page at which anybody sees how a project is",
  commands: [
    {
      words: "edit <project>",
      description: "switch a project's status page on, or change it, and print its address",
      options: [
        { flags: "--name <name>", description: "its name, as in /status/NAME", isRequired: true },
        { flags: "--title <text>", description: "its title; the name by default" },
        {
          flags: "--show <url=label>",
          description: "show a watched URL by this label",
          isRepeatable: true,
        },
        { flags: "--hide <url>", description: "stop showing a watched URL", isRepeatable: true },
        { flags: "--addresses", description: "show the addresses of the URLs too" },
        { flags: "--no-addresses", description: "show labels alone" },
        { flags: "--score", description: "show the project's score" },
        { flags: "--no-score", description: "show no score" },
        { flags: "--index", description: "let search engines list it" },
        { flags: "--no-index", description: "keep it out of search engines" },
      ],
      prints: { field: "url" },
      async load() {
        const { editStatusPage, StatusPageEdit } = await import("../projects/status-pages.ts");
        return defineOperation({
          input: StatusPageEdit.extend(ProjectInput.shape),
          async run(deps, { project, ...edit }) {
            await editStatusPage(deps, OPERATOR, project, edit);
            return getStatusPage(deps, project);
          },
        });
      },
    },
    {
      words: "show <project>",
      description: "show what is chosen of a project's status page",
      prints: {
        rows: [column("ADDRESS", "url"), column("TITLE", "title"), ["SHOWS", namesOf]],
      },
      async load() {
        return defineOperation({
          input: ProjectInput,
          run: (deps, { project }) => getStatusPage(deps, project),
        });
      },
    },
    {
      words: "off <project>",
      description: "switch a project's status page off; its name is free for others",
      prints: { field: "project" },
      async load() {
        const { removeStatusPage } = await import("../projects/status-pages.ts");
        return defineOperation({
          input: ProjectInput,
          run: (deps, { project }) => removeStatusPage(deps, OPERATOR, project),
        });
      },
    },
  ],
};
