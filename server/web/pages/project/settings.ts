import type { FastifyInstance, FastifyReply } from "fastify";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import { setBadge } from "../../../projects/badges.ts";
import { deleteProject, editProject, isNameOf } from "../../../projects/projects.ts";
import { editStatusPage, removeStatusPage } from "../../../projects/status-pages.ts";
import { readSitemap } from "../../../projects/sitemap.ts";
import { pauseUrl, unwatchUrl, watchUrls } from "../../../projects/watching.ts";
import { refuseWith } from "../../../http/failure.ts";
import { describeRefusal } from "../../../words/refusals.ts";
import { describeWait } from "../../kit/age.ts";
import { fieldsOf, refuse, type Refused } from "../../kit/forms.ts";
import { findUnconfirmed } from "../../kit/session/confirm.tsx";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { describeDetailsError, readDetails, readPace } from "./details-form.tsx";
import {
  formOn,
  leadBack,
  pathOfSettings,
  requireOwn,
  SETTINGS_PAGES,
  type OfProject,
} from "./settings-forms.ts";
import { pageOf, sendRefused, sendSettings } from "./settings-page.tsx";
import { describeStatusPageError, readStatusPage } from "./status-page-section.tsx";
import { describeNoSitemap, PROBLEMS, tooManyLines } from "./settings-words.ts";

/** A thousand addresses of 2,048 characters, of which a few are written as three. */
const URLS_FORM = { bodyLimit: 3_145_728 };
const MAX_LINES = 2000;
const URLS = pathOfSettings(":id", "urls");

/** The names of the boxes of what a sitemap lists. */
const isPage = (name: string) => /^page\d{1,3}$/.test(name);

/** The text at the refused form. Throws any error that is not about the form. */
function describeSitemapError(error: unknown, reply: FastifyReply): Refused {
  if (isAppError(error, "url_refused"))
    return refuse({ sitemap: describeRefusal(error.parameters) });
  if (isAppError(error, "busy")) return refuse({ sitemap: PROBLEMS.busy }, 503);
  if (!isAppError(error, "too_often")) throw error;
  refuseWith(reply, 429, error);
  return refuse({ sitemap: describeWait(error.parameters.retryAfterSeconds) }, 429);
}

/** The settings of a project, and what its owner changes there. */
export function projectSettingsRoutes(door: FastifyInstance, deps: Deps): void {
  for (const page of SETTINGS_PAGES)
    door.get(pathOfSettings(":id", page), (request, reply) => sendSettings(deps, request, reply));

  door.post(pathOfSettings(":id"), async (request: OfProject, reply) => {
    await requireOwn(deps, request);
    const fields = fieldsOf(request);
    const details = readDetails(fields);
    if ("problems" in details) return sendRefused(deps, request, reply, details);
    try {
      const edit = { ...details, ...readPace(fields) };
      await editProject(deps, getSignedIn(request).actor, request.params.id, edit);
      return leadBack(request, reply);
    } catch (error) {
      return sendRefused(deps, request, reply, describeDetailsError(error));
    }
  });

  door.post(URLS, URLS_FORM, async (request: OfProject, reply) => {
    await requireOwn(deps, request);
    const { urls = "", ...others } = fieldsOf(request);
    const pages = Object.entries(others).flatMap(([name, page]) => (isPage(name) ? [page] : []));
    const lines = [...urls.split(/\r\n?|\n/, MAX_LINES + 1), ...pages];
    if (lines.length > MAX_LINES)
      return sendRefused(deps, request, reply, refuse({ urls: tooManyLines(MAX_LINES) }));
    if (lines.every((line) => line.trim() === ""))
      return sendRefused(deps, request, reply, refuse({ urls: PROBLEMS.noUrls }));
    const many = await watchUrls(deps, getSignedIn(request).actor, request.params.id, lines);
    if (many.refused.length === 0) return leadBack(request, reply);
    return sendSettings(deps, request, reply, { refused: refuse({}), many });
  });

  door.post(`${URLS}/sitemap`, formOn("urls"), async (request: OfProject, reply) => {
    const { sitemap: typed = "" } = fieldsOf(request);
    const { actor } = getSignedIn(request);
    try {
      const sitemap = await readSitemap(deps, actor, request.params.id, typed);
      if ("pages" in sitemap) return await sendSettings(deps, request, reply, { sitemap });
      return await sendRefused(
        deps,
        request,
        reply,
        refuse({ sitemap: describeNoSitemap(sitemap) }),
      );
    } catch (error) {
      return sendRefused(deps, request, reply, describeSitemapError(error, reply));
    }
  });

  door.post(`${URLS}/remove`, formOn("urls"), async (request: OfProject, reply) => {
    const { watched = "", page } = fieldsOf(request);
    try {
      await unwatchUrl(deps, getSignedIn(request).actor, request.params.id, { id: watched });
    } catch (error) {
      // Somebody removed it already: it is as it was asked for.
      if (!isAppError(error, "url_not_watched")) throw error;
    }
    return leadBack(request, reply, { number: pageOf(page) });
  });

  for (const action of ["pause", "resume"] as const)
    door.post(`${URLS}/${action}`, formOn("urls"), async (request: OfProject, reply) => {
      const { watched = "" } = fieldsOf(request);
      const { actor } = getSignedIn(request);
      await pauseUrl(deps, actor, request.params.id, { id: watched }, action === "pause");
      return leadBack(request, reply);
    });

  door.post(pathOfSettings(":id", "badge"), async (request: OfProject, reply) => {
    const isOn = fieldsOf(request)["badge"] === "on";
    await setBadge(deps, getSignedIn(request).actor, request.params.id, isOn);
    return leadBack(request, reply);
  });

  door.post(pathOfSettings(":id", "status-page"), async (request: OfProject, reply) => {
    await requireOwn(deps, request);
    const page = readStatusPage(fieldsOf(request));
    if ("problems" in page) return sendRefused(deps, request, reply, page);
    try {
      await editStatusPage(deps, getSignedIn(request).actor, request.params.id, page, true);
      return leadBack(request, reply);
    } catch (error) {
      return sendRefused(deps, request, reply, describeStatusPageError(error));
    }
  });

  door.post(
    `${pathOfSettings(":id", "status-page")}/off`,
    formOn("status-page"),
    async (request: OfProject, reply) => {
      await removeStatusPage(deps, getSignedIn(request).actor, request.params.id);
      return leadBack(request, reply);
    },
  );

  door.post(pathOfSettings(":id", "delete"), async (request: OfProject, reply) => {
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
