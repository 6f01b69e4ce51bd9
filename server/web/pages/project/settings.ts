import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../deps.ts";
import { deletionRoutes } from "./deletion.tsx";
import { takeForms } from "./own-forms.ts";
import { pathOfSettings, SETTINGS_PAGES } from "./settings-forms.ts";
import { sendSettings, TABS } from "./settings-page.tsx";

/** The settings of a project, and what its owner changes there. */
export function projectSettingsRoutes(door: FastifyInstance, deps: Deps): void {
  for (const page of SETTINGS_PAGES) {
    const path = pathOfSettings(":id", page);
    door.get(path, (request, reply) => sendSettings(deps, request, reply));
    const { refusals, takeForms: addForms } = TABS[page];
    addForms(takeForms(door, deps, { path, refusals, send: sendSettings }), deps, door);
  }
  deletionRoutes(door, deps);
}
