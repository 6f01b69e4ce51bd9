import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findActorsProject, type ActorsProject } from "../../../db/projects/roles.ts";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import { setBadge } from "../../../projects/badges.ts";
import { deleteProject, editProject, isNameOf } from "../../../projects/projects.ts";
import { requireRight, type Right } from "../../../projects/rights.ts";
import { unwatchUrl, watchUrls } from "../../../projects/watching.ts";
import { fieldsOf } from "../../kit/forms.ts";
import { findUnconfirmed } from "../../kit/session/confirm.tsx";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { describeDetailsError, readDetails } from "./details-form.tsx";
import { refuse } from "./refused-form.ts";
import { pageOf, sendRefused, sendSettings } from "./settings-page.tsx";
import { PROBLEMS, tooManyLines } from "./settings-words.ts";

const PATH = "/projects/:id/settings";
const FORM = { config: { formOn: PATH } };
/** A thousand addresses of 2,048 characters, of which a few are written as three. */
const URLS_FORM = { ...FORM, bodyLimit: 3_145_728 };
const MAX_LINES = 2000;

type OfProject = { Params: { id: string } };
type Request = FastifyRequest<OfProject>;

/** The settings of a project, and what its owner changes there. */
export function projectSettingsRoutes(door: FastifyInstance, deps: Deps): void {
  /** Before anything is said about what was typed. Throws the refusal of `RIGHTS`. */
  async function requireOwn(request: Request, right: Right): Promise<ActorsProject> {
    const { id: projectId } = request.params;
    const project = await findActorsProject(
      deps.database.sql,
      getSignedIn(request).actor,
      projectId,
    );
    return requireRight(project, right, { projectId });
  }

  const goBack = (request: Request, reply: FastifyReply, place = "") =>
    reply.redirect(`/projects/${request.params.id}/settings${place}`, 303);

  door.get<OfProject>(PATH, (request, reply) => sendSettings(deps, request, reply));

  door.post<OfProject>(PATH, async (request, reply) => {
    await requireOwn(request, "change");
    const details = readDetails(fieldsOf(request));
    if ("problems" in details) return sendRefused(deps, request, reply, details);
    try {
      await editProject(deps, getSignedIn(request).actor, request.params.id, details);
      return goBack(request, reply);
    } catch (error) {
      return sendRefused(deps, request, reply, describeDetailsError(error));
    }
  });

  door.post<OfProject>("/projects/:id/urls", URLS_FORM, async (request, reply) => {
    await requireOwn(request, "change");
    const { urls = "" } = fieldsOf(request);
    const lines = urls.split(/\r\n?|\n/, MAX_LINES + 1);
    if (lines.length > MAX_LINES)
      return sendRefused(deps, request, reply, refuse({ urls: tooManyLines(MAX_LINES) }));
    if (urls.trim() === "")
      return sendRefused(deps, request, reply, refuse({ urls: PROBLEMS.noUrls }));
    const many = await watchUrls(deps, getSignedIn(request).actor, request.params.id, lines);
    if (many.refused.length === 0) return goBack(request, reply, "#watched");
    const filled = { values: {}, problems: {} };
    const refused = { action: request.url, status: 422, filled, many };
    return sendSettings(deps, request, reply, { refused });
  });

  door.post<OfProject>("/projects/:id/urls/remove", FORM, async (request, reply) => {
    const { watched = "", page } = fieldsOf(request);
    try {
      await unwatchUrl(deps, getSignedIn(request).actor, request.params.id, { id: watched });
    } catch (error) {
      // Somebody removed it already: it is as it was asked for.
      if (!isAppError(error, "url_not_watched")) throw error;
    }
    const number = pageOf(page);
    return goBack(request, reply, number === 1 ? "#watched" : `?page=${number}#watched`);
  });

  door.post<OfProject>("/projects/:id/badge", FORM, async (request, reply) => {
    const isOn = fieldsOf(request)["badge"] === "on";
    await setBadge(deps, getSignedIn(request).actor, request.params.id, isOn);
    return goBack(request, reply, "#badge");
  });

  door.post<OfProject>("/projects/:id/delete", FORM, async (request, reply) => {
    const project = await requireOwn(request, "delete");
    const { confirm_name: name = "" } = fieldsOf(request);
    if (!isNameOf(project, name))
      return sendRefused(deps, request, reply, refuse({ confirm_name: PROBLEMS.nameWrong }));
    const unconfirmed = await findUnconfirmed(deps, request, reply);
    if (unconfirmed !== undefined) {
      const { status, problem } = unconfirmed;
      const problems = { current_password: { fr: problem, en: problem } };
      return sendRefused(deps, request, reply, { status, problems });
    }
    await deleteProject(deps, getSignedIn(request).actor, request.params.id, name);
    return reply.redirect("/projects", 303);
  });
}
