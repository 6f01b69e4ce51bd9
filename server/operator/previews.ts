import { OPERATOR } from "../db/accounts/actors.ts";
import { listColumn } from "./columns.ts";
import type { CommandGroup } from "./command.ts";
import { defineList, defineOperation, ProjectInput } from "./command.ts";

export const PREVIEW: CommandGroup = {
  name: "preview",
  description: "manage which previews of a project are checked",
  commands: [
    {
      words: "edit <project>",
      description: "check the previews of these hosts when a hook reports them",
      options: [
        {
          flags: "--hosts <patterns>",
          description: "hosts, separated by commas, such as my-site-*.vercel.app",
          isRequired: true,
        },
        {
          flags: "--headers-stdin",
          description:
            "read the headers that open them from standard input, a line NAME: VALUE each",
          reads: "headers",
        },
      ],
      prints: { field: "project" },
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
    {
      words: "show <project>",
      description: "show the hosts of a project's previews, and the names of their headers",
      prints: { rows: [listColumn("HOSTS", "hosts"), listColumn("HEADERS", "headers")] },
      async load() {
        const { findPreviews } = await import("../db/projects/previews.ts");
        return defineList(async (sql, project) => {
          const { hosts, headers } = await findPreviews(sql, project);
          return { hosts, headers };
        });
      },
    },
    {
      words: "off <project>",
      description: "check no preview any more, and forget the headers",
      prints: { field: "project" },
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
  ],
};
