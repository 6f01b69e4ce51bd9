import type { FastifyInstance } from "fastify";
import type { Deps } from "../../../deps.ts";
import { isAppError } from "../../../base/errors.ts";
import { setBadge } from "../../../projects/badges.ts";
import { deleteProject, editProject, isNameOf } from "../../../projects/projects.ts";
import { editStatusPage, removeStatusPage } from "../../../projects/status-pages.ts";
import { readSitemap } from "../../../projects/sitemap.ts";
import { pauseUrl, unwatchUrl, watchUrls } from "../../../projects/watching.ts";
import { describeRefusal } from "../../../words/refusals.ts";
import { describeWait } from "../../kit/age.ts";
import { refuse, type Refused } from "../../kit/forms.ts";
import { findUnconfirmed } from "../../kit/session/confirm.tsx";
import { describeDetailsError, readDetails, readPace } from "./details-form.tsx";
import { ownForms, unlessGone } from "./own-forms.ts";
import { pathOfSettings, SETTINGS_PAGES } from "./settings-forms.ts";
import { sendSettings } from "./settings-page.tsx";
import { describeStatusPageError, readStatusPage } from "./status-page-section.tsx";
import { describeNoSitemap, PROBLEMS, tooManyLines } from "./settings-words.ts";

/** A thousand addresses of 2,048 characters, of which a few are written as three. */
const URLS_FORM = { bodyLimit: 3_145_728 };
const MAX_LINES = 2000;

/** The names of the boxes of what a sitemap lists. */
const isPage = (name: string) => /^page\d{1,3}$/.test(name);

/** The text at the refused form. Throws any error that is not about the form. */
function describeSitemapError(error: unknown): Refused {
  if (isAppError(error, "url_refused"))
    return refuse({ sitemap: describeRefusal(error.parameters) });
  if (isAppError(error, "busy")) return refuse({ sitemap: PROBLEMS.busy }, 503);
  if (!isAppError(error, "too_often")) throw error;
  return refuse({ sitemap: describeWait(error.parameters.retryAfterSeconds) }, 429);
}

/** The settings of a project, and what its owner changes there. */
export function projectSettingsRoutes(door: FastifyInstance, deps: Deps): void {
  for (const page of SETTINGS_PAGES)
    door.get(pathOfSettings(":id", page), (request, reply) => sendSettings(deps, request, reply));

  ownForms(door, deps, "general")(
    "",
    async ({ actor, project, fields }) => {
      const details = readDetails(fields);
      if ("problems" in details) return details;
      return editProject(deps, actor, project.id, { ...details, ...readPace(fields) });
    },
    { describe: describeDetailsError },
  );

  const takeUrls = ownForms(door, deps, "urls");
  takeUrls(
    "",
    async ({ actor, project, fields: { urls = "", ...others }, request, reply }) => {
      const pages = Object.entries(others).flatMap(([name, page]) => (isPage(name) ? [page] : []));
      const lines = [...urls.split(/\r\n?|\n/, MAX_LINES + 1), ...pages];
      if (lines.length > MAX_LINES) return refuse({ urls: tooManyLines(MAX_LINES) });
      if (lines.every((line) => line.trim() === "")) return refuse({ urls: PROBLEMS.noUrls });
      const many = await watchUrls(deps, actor, project.id, lines);
      if (many.refused.length === 0) return undefined;
      const values = { urls: many.refused.map(({ url }) => url).join("\n") };
      return sendSettings(deps, request, reply, { refused: { ...refuse({}), values }, many });
    },
    URLS_FORM,
  );
  takeUrls(
    "/sitemap",
    async ({ actor, project, fields: { sitemap: typed = "" }, request, reply }) => {
      const sitemap = await readSitemap(deps, actor, project.id, typed);
      if (!("pages" in sitemap)) return refuse({ sitemap: describeNoSitemap(sitemap) });
      return sendSettings(deps, request, reply, { sitemap });
    },
    { describe: describeSitemapError },
  );
  takeUrls("/remove", ({ actor, project, fields: { watched = "" } }) =>
    unlessGone("url_not_watched", unwatchUrl(deps, actor, project.id, { id: watched })),
  );
  for (const action of ["pause", "resume"] as const)
    takeUrls(`/${action}`, ({ actor, project, fields: { watched = "" } }) =>
      pauseUrl(deps, actor, project.id, { id: watched }, action === "pause"),
    );

  ownForms(
    door,
    deps,
    "badge",
  )("", ({ actor, project, fields }) =>
    setBadge(deps, actor, project.id, fields["badge"] === "on"),
  );

  const takeStatusPage = ownForms(door, deps, "status-page");
  takeStatusPage(
    "",
    async ({ actor, project, fields }) => {
      const page = readStatusPage(fields);
      if ("problems" in page) return page;
      return editStatusPage(deps, actor, project.id, page, true);
    },
    { describe: describeStatusPageError },
  );
  takeStatusPage("/off", ({ actor, project }) => removeStatusPage(deps, actor, project.id));

  ownForms(door, deps, "delete")(
    "",
    async ({ actor, project, fields: { confirm_name: name = "" }, request, reply }) => {
      if (!isNameOf(project, name)) return refuse({ confirm_name: PROBLEMS.nameWrong });
      const unconfirmed = await findUnconfirmed(deps, request, reply);
      if (unconfirmed !== undefined) return unconfirmed;
      await deleteProject(deps, actor, project.id, name);
      return reply.redirect("/projects", 303);
    },
    { right: "delete" },
  );
}
