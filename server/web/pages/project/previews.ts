import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import { editPreviews, PreviewEdit, switchPreviewsOff } from "../../../projects/previews.ts";
import { INPUT_FAULTS } from "../../../words/input-faults.ts";
import { refuse, type Refused } from "../../kit/forms.ts";
import { PREVIEWS } from "./gate-words.ts";
import { refuseFields } from "./gates.ts";
import { ownForms } from "./own-forms.ts";

/** The text at the refused form. Throws any error that is not about the form. */
function describePreviewsError(error: unknown): Refused {
  if (isAppError(error, "secret_key_missing")) return refuse({ headers: PREVIEWS.noKey });
  if (isAppError(error, "input_invalid")) return refuse({ hosts: INPUT_FAULTS.preview_hosts_open });
  throw error;
}

/** Which previews of a project are checked, as its owner says. */
export function previewRoutes(door: FastifyInstance, deps: Deps): void {
  const take = ownForms(door, deps, "previews");
  take(
    "",
    async ({ actor, project, fields: { hosts = "", headers = "", forget } }) => {
      const typed = headers.trim() !== "" || forget === "on" ? headers : undefined;
      const edit = PreviewEdit.safeParse({ hosts, headers: typed });
      if (!edit.success) return refuseFields(edit.error);
      return editPreviews(deps, actor, project.id, edit.data);
    },
    { describe: describePreviewsError },
  );
  take("/off", ({ actor, project }) => switchPreviewsOff(deps, actor, project.id));
}
