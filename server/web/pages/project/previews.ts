import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import { editPreviews, PreviewEdit, switchPreviewsOff } from "../../../projects/previews.ts";
import { INPUT_FAULTS } from "../../../words/input-faults.ts";
import { fieldsOf, refuse, type Refused } from "../../kit/forms.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { PREVIEWS } from "./gate-words.ts";
import { refuseFields } from "./gates.ts";
import { formOn, leadBack, pathOfSettings, requireOwn, type OfProject } from "./settings-forms.ts";
import { sendRefused } from "./settings-page.tsx";

const PATH = pathOfSettings(":id", "previews");

/** The text at the refused form. Throws any error that is not about the form. */
function describePreviewsError(error: unknown): Refused {
  if (isAppError(error, "secret_key_missing")) return refuse({ headers: PREVIEWS.noKey });
  if (isAppError(error, "input_invalid")) return refuse({ hosts: INPUT_FAULTS.preview_hosts_open });
  throw error;
}

/** Which previews of a project are checked, as its owner says. */
export function previewRoutes(door: FastifyInstance, deps: Deps): void {
  door.post(PATH, async (request: OfProject, reply) => {
    await requireOwn(deps, request);
    const { hosts = "", headers = "", forget } = fieldsOf(request);
    const typed = headers.trim() !== "" || forget === "on" ? headers : undefined;
    const edit = PreviewEdit.safeParse({ hosts, headers: typed });
    if (!edit.success) return sendRefused(deps, request, reply, refuseFields(edit.error));
    try {
      await editPreviews(deps, getSignedIn(request).actor, request.params.id, edit.data);
    } catch (error) {
      return sendRefused(deps, request, reply, describePreviewsError(error));
    }
    return leadBack(request, reply);
  });

  door.post(`${PATH}/off`, formOn("previews"), async (request: OfProject, reply) => {
    await switchPreviewsOff(deps, getSignedIn(request).actor, request.params.id);
    return leadBack(request, reply);
  });
}
