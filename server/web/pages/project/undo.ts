import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../deps.ts";
import { undoAct } from "../../../projects/undo.ts";
import { fieldsOf, refuse } from "../../kit/forms.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { UNDONE_ON } from "./acts.tsx";
import { NOT_UNDONE } from "./acts-words.ts";
import { formOn, pathOfSettings, requireOwn, type OfProject } from "./settings-forms.ts";
import { sendSettings } from "./settings-page.tsx";

/** What takes back what was removed from a project. */
export function undoRoutes(door: FastifyInstance, deps: Deps): void {
  for (const page of new Set(Object.values(UNDONE_ON))) {
    const path = `${pathOfSettings(":id", page)}/undo`;
    door.post(path, formOn(page), async (request: OfProject, reply) => {
      const { id } = await requireOwn(deps, request);
      const { act = "" } = fieldsOf(request);
      const why = await undoAct(deps, getSignedIn(request).actor, id, act);
      if (why === undefined)
        return reply.redirect(
          `${pathOfSettings(id, page)}?did=${encodeURIComponent(act)}#did`,
          303,
        );
      const refused = refuse({});
      return sendSettings(deps, request, reply, { refused, why: NOT_UNDONE[why] });
    });
  }
}
