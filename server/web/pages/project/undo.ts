import type { FastifyInstance } from "fastify";
import type { Text } from "../../../base/language.ts";
import type { Deps } from "../../../deps.ts";
import { undoAct, type NotUndone } from "../../../projects/undo.ts";
import { refuse } from "../../kit/forms.ts";
import { UNDONE_ON } from "./acts.tsx";
import { ownForms } from "./own-forms.ts";
import { pathOfSettings } from "./settings-forms.ts";
import { sendSettings } from "./settings-page.tsx";

const NOT_UNDONE: Readonly<Record<NotUndone, Text>> = {
  late: {
    fr: "Trop tard pour annuler : ce qui est retiré n'est gardé que 10 minutes.",
    en: "Too late to undo: what is removed is kept for 10 minutes only.",
  },
  taken: {
    fr: "Rien n'a été remis : autre chose a pris sa place entre-temps.",
    en: "Nothing was put back: something else has taken its place meanwhile.",
  },
  full: {
    fr: "Rien n'a été remis : la limite est atteinte. Retirez autre chose, puis annulez.",
    en: "Nothing was put back: the limit is reached. Remove something else, then undo.",
  },
};

/** What takes back what was removed from a project. */
export function undoRoutes(door: FastifyInstance, deps: Deps): void {
  for (const page of new Set(Object.values(UNDONE_ON)))
    ownForms(
      door,
      deps,
      page,
    )("/undo", async ({ actor, project: { id }, fields: { act = "" }, request, reply }) => {
      const why = await undoAct(deps, actor, id, act);
      if (why !== undefined)
        return sendSettings(deps, request, reply, { refused: refuse({}), why: NOT_UNDONE[why] });
      const did = encodeURIComponent(act);
      return reply.redirect(`${pathOfSettings(id, page)}?did=${did}#did`, 303);
    });
}
