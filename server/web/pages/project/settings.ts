import type { FastifyInstance } from "fastify";
import type { Text } from "../../../base/language.ts";
import type { Deps } from "../../../deps.ts";
import { undoAct, type NotUndone } from "../../../projects/undo.ts";
import { refuse } from "../../kit/forms.ts";
import { UNDONE_ON } from "./acts.tsx";
import { takeForms, type Take } from "./own-forms.ts";
import { pathOfSettings, SETTINGS_PAGES, type SettingsPage } from "./settings-forms.ts";
import { sendSettings, TABS } from "./settings-page.tsx";

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

/** Takes back what was removed from a project. */
const takeUndo = (take: Take, deps: Deps, page: SettingsPage) =>
  take("/undo", async ({ actor, project: { id }, fields: { act = "" }, reply, show }) => {
    const why = await undoAct(deps, actor, id, act);
    if (why !== undefined) return show({ refused: refuse({}), why: NOT_UNDONE[why] });
    const did = encodeURIComponent(act);
    return reply.redirect(`${pathOfSettings(id, page)}?did=${did}#did`, 303);
  });

/** The settings of a project, and what its owner changes there. */
export function projectSettingsRoutes(door: FastifyInstance, deps: Deps): void {
  for (const page of SETTINGS_PAGES) {
    const path = pathOfSettings(":id", page);
    door.get(path, (request, reply) => sendSettings(deps, request, reply));
    const { refusals, takeForms: addForms } = TABS[page];
    const take = takeForms(door, deps, { path, refusals, send: sendSettings });
    addForms(take, deps, door);
    if (Object.values(UNDONE_ON).includes(page)) takeUndo(take, deps, page);
  }
}
