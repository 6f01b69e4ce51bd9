import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../deps.ts";
import { deleteProject, isNameOf } from "../../../projects/projects.ts";
import { Field } from "../../kit/fields.tsx";
import { refuse } from "../../kit/forms.ts";
import { askBefore } from "../../kit/session/question.tsx";
import { nameProject } from "./parts.tsx";
import { pathOfSettings, requireOwn, type OfProject } from "./settings-forms.ts";
import { PROBLEMS, typeName, WORDS } from "./settings-words.ts";

export const DELETION_PATH = "/projects/:id/settings/delete";

/** The page that deletes a project, once its name is typed. */
export function deletionRoutes(door: FastifyInstance, deps: Deps): void {
  askBefore(door, deps, {
    path: DELETION_PATH,
    find: (request) => requireOwn(deps, request as OfProject, "delete"),
    ask: ({ id, name }) => ({
      consequence: WORDS.deletionLead,
      button: WORDS.delete,
      name: nameProject(name),
      back: pathOfSettings(id),
      children: (
        <Field name="confirm_name" label={WORDS.confirmName} hint={typeName(nameProject(name))} />
      ),
    }),
    isSensitive: true,
    async act(project, { actor, fields: { confirm_name: name = "" }, confirm }) {
      if (!isNameOf(project, name)) return refuse({ confirm_name: PROBLEMS.nameWrong });
      const unconfirmed = await confirm();
      if (unconfirmed === undefined) await deleteProject(deps, actor, project.id, name);
      return unconfirmed;
    },
    redirect: () => ({ to: "/projects", done: "project-deleted" }),
  });
}
