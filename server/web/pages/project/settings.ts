import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import { setBadge } from "../../../projects/badges.ts";
import { deleteProject, editProject, isNameOf } from "../../../projects/projects.ts";
import { unwatchUrl, watchUrls } from "../../../projects/watching.ts";
import { fieldsOf, refuse } from "../../kit/forms.ts";
import { findUnconfirmed } from "../../kit/session/confirm.tsx";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { describeDetailsError, readDetails } from "./details-form.tsx";
import {
  leadBack,
  ON_SETTINGS,
  requireOwn,
  SETTINGS_PATH,
  type OfProject,
} from "./settings-forms.ts";
import { pageOf, sendRefused, sendSettings } from "./settings-page.tsx";
import { PROBLEMS, tooManyLines } from "./settings-words.ts";

/** A thousand addresses of 2,048 characters, of which a few are written as three. */
const URLS_FORM = { ...ON_SETTINGS, bodyLimit: 3_145_728 };
const MAX_LINES = 2000;

/** The settings of a project, and what its owner changes there. */
export function projectSettingsRoutes(door: FastifyInstance, deps: Deps): void {
  door.get(SETTINGS_PATH, (request, reply) => sendSettings(deps, request, reply));

  door.post(SETTINGS_PATH, async (request: OfProject, reply) => {
    await requireOwn(deps, request);
    const details = readDetails(fieldsOf(request));
    if ("problems" in details) return sendRefused(deps, request, reply, details);
    try {
      await editProject(deps, getSignedIn(request).actor, request.params.id, details);
      return leadBack(request, reply);
    } catch (error) {
      return sendRefused(deps, request, reply, describeDetailsError(error));
    }
  });

  door.post("/projects/:id/urls", URLS_FORM, async (request: OfProject, reply) => {
    await requireOwn(deps, request);
    const { urls = "" } = fieldsOf(request);
    const lines = urls.split(/\r\n?|\n/, MAX_LINES + 1);
    if (lines.length > MAX_LINES)
      return sendRefused(deps, request, reply, refuse({ urls: tooManyLines(MAX_LINES) }));
    if (urls.trim() === "")
      return sendRefused(deps, request, reply, refuse({ urls: PROBLEMS.noUrls }));
    const many = await watchUrls(deps, getSignedIn(request).actor, request.params.id, lines);
    if (many.refused.length === 0) return leadBack(request, reply, "#watched");
    const filled = { values: {}, problems: {} };
    const refused = { action: request.url, status: 422, filled, many };
    return sendSettings(deps, request, reply, { refused });
  });

  door.post("/projects/:id/urls/remove", ON_SETTINGS, async (request: OfProject, reply) => {
    const { watched = "", page } = fieldsOf(request);
    try {
      await unwatchUrl(deps, getSignedIn(request).actor, request.params.id, { id: watched });
    } catch (error) {
      // Somebody removed it already: it is as it was asked for.
      if (!isAppError(error, "url_not_watched")) throw error;
    }
    const number = pageOf(page);
    return leadBack(request, reply, number === 1 ? "#watched" : `?page=${number}#watched`);
  });

  door.post("/projects/:id/badge", ON_SETTINGS, async (request: OfProject, reply) => {
    const isOn = fieldsOf(request)["badge"] === "on";
    await setBadge(deps, getSignedIn(request).actor, request.params.id, isOn);
    return leadBack(request, reply, "#badge");
  });

  door.post("/projects/:id/delete", ON_SETTINGS, async (request: OfProject, reply) => {
    const project = await requireOwn(deps, request, "delete");
    const { confirm_name: name = "" } = fieldsOf(request);
    if (!isNameOf(project, name))
      return sendRefused(deps, request, reply, refuse({ confirm_name: PROBLEMS.nameWrong }));
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed !== undefined) return sendRefused(deps, request, reply, unconfirmed);
    await deleteProject(deps, getSignedIn(request).actor, request.params.id, name);
    return reply.redirect("/projects", 303);
  });
}
