import { AppError } from "../base/errors.ts";
import { OPERATOR } from "../db/accounts/actors.ts";
import type { Deps } from "../deps.ts";
import type { StatusSettings } from "../db/projects/status-pages.ts";
import { collect, defineOperation, ProjectInput, type AddCommands } from "./command.ts";
import { column, printFields, printTable, type ListedRow } from "./output.ts";

const namesOf = ({ urls }: ListedRow) =>
  (urls as StatusSettings["urls"]).map(({ label }) => label).join(", ");

/** The URL is only a path if this server does not know its public URL. */
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

export const addStatusPageCommands: AddCommands = (program, operate) => {
  const group = program.command("status-page").description("manage a project's public status page");
  operate(
    group
      .command("edit <project>")
      .description("turn a project's status page on, or change it, and print its URL")
      .requiredOption("--name <name>", "its name, as in /status/NAME")
      .option("--title <text>", "its title; the name by default")
      .option("--show <url=label>", "show a watched URL by this label, repeatable", collect)
      .option("--hide <url>", "stop showing a watched URL, repeatable", collect)
      .option("--addresses", "also show the URLs themselves")
      .option("--no-addresses", "show only labels")
      .option("--score", "show the project's score")
      .option("--no-score", "show no score")
      .option("--index", "let search engines list it")
      .option("--no-index", "keep it out of search engines"),
    {
      print: printFields("url"),
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
  );
  operate(
    group.command("show <project>").description("show the settings of a project's status page"),
    {
      print: printTable([column("URL", "url"), column("TITLE", "title"), ["SHOWS", namesOf]]),
      async load() {
        return defineOperation({
          input: ProjectInput,
          run: (deps, { project }) => getStatusPage(deps, project),
        });
      },
    },
  );
  operate(
    group
      .command("off <project>")
      .description("turn a project's status page off; its name becomes available to others"),
    {
      print: printFields("project"),
      async load() {
        const { removeStatusPage } = await import("../projects/status-pages.ts");
        return defineOperation({
          input: ProjectInput,
          run: (deps, { project }) => removeStatusPage(deps, OPERATOR, project),
        });
      },
    },
  );
};
