import { OPERATOR } from "../db/accounts/actors.ts";
import { defineList, defineOperation, ProjectInput, type AddCommands } from "./command.ts";
import { listColumn, printFields, printTable } from "./output.ts";

export const addPreviewCommands: AddCommands = (program, operate) => {
  const group = program
    .command("preview")
    .description("manage which previews of a project are checked");
  operate(
    group
      .command("edit <project>")
      .description("set the hosts whose previews are checked when an incoming webhook reports them")
      .requiredOption(
        "--hosts <patterns>",
        "hosts, separated by commas, such as my-site-*.vercel.app",
      )
      .option(
        "--headers-stdin",
        "read request headers for the previews from standard input, one per line as NAME: VALUE",
      ),
    {
      print: printFields("project"),
      async load() {
        const { editPreviews, PreviewEdit } = await import("../projects/previews.ts");
        return defineOperation({
          input: PreviewEdit.extend(ProjectInput.shape),
          run: async (deps, { project, ...edit }) => ({
            project,
            ...(await editPreviews(deps, OPERATOR, project, edit)),
          }),
        });
      },
    },
  );
  operate(
    group
      .command("show <project>")
      .description("show the hosts of a project's previews, and the names of their headers"),
    {
      print: printTable([listColumn("HOSTS", "hosts"), listColumn("HEADERS", "headers")]),
      async load() {
        const { findPreviews } = await import("../db/projects/previews.ts");
        return defineList(async (sql, project) => {
          const { hosts, headers } = await findPreviews(sql, project);
          return { hosts, headers };
        });
      },
    },
  );
  operate(
    group.command("off <project>").description("check no more previews, and delete the headers"),
    {
      print: printFields("project"),
      async load() {
        const { switchPreviewsOff } = await import("../projects/previews.ts");
        return defineOperation({
          input: ProjectInput,
          run: async (deps, { project }) => ({
            project,
            ...(await switchPreviewsOff(deps, OPERATOR, project)),
          }),
        });
      },
    },
  );
};
