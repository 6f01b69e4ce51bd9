import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { AppError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { getFound } from "../../../db/accounts/callers.ts";
import { findProjectSettings } from "../../../db/projects/project-settings.ts";
import type { Deps } from "../../../deps.ts";
import { parameterOf } from "../../kit/asked.ts";
import { COPY_SCRIPT, CopyStatus, SECRET_SCRIPT } from "../../kit/components.tsx";
import { Tabs } from "../../kit/layout.tsx";
import { readWanted } from "../../kit/session/list-query.ts";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { siteOf } from "../../kit/site.ts";
import { LeaveSection, MEMBERS_A_PAGE, MEMBERS_TAB } from "./members.tsx";
import { ProjectLink } from "./parts.tsx";
import {
  pageOfSettings,
  pathOfSettings,
  projectFormsOf,
  SETTINGS_PAGES,
  type SettingsPage,
  type RefusedSettings,
  type SettingsTab,
} from "./settings-forms.ts";
import { SETTINGS_TITLES, WORDS } from "./settings-words.ts";
import { listWatched, WATCHED_TAB } from "./watched-section.tsx";
import { ALERTS_TAB } from "./alerts.ts";
import { BADGE_TAB } from "./badge.tsx";
import { DELETION_PATH, deletionRoutes } from "./deletion.tsx";
import { DETAILS_TAB } from "./details-form.tsx";
import { GATE_TAB } from "./gates.tsx";
import { HOOKS_TAB } from "./hooks.tsx";
import { MAINTENANCE_TAB } from "./maintenance.tsx";
import { PREVIEWS_TAB } from "./previews.tsx";
import { STATUS_PAGE_TAB } from "./status-page.tsx";

/** The pages of the settings, for the project's owner. */
const TABS: Readonly<Record<SettingsPage, SettingsTab>> = {
  general: DETAILS_TAB,
  urls: WATCHED_TAB,
  people: MEMBERS_TAB,
  hooks: HOOKS_TAB,
  alerts: ALERTS_TAB,
  maintenance: MAINTENANCE_TAB,
  gate: GATE_TAB,
  previews: PREVIEWS_TAB,
  badge: BADGE_TAB,
  "status-page": STATUS_PAGE_TAB,
};

const SCRIPT = `${COPY_SCRIPT}${SECRET_SCRIPT}`;

/** The rows of one page of the lists that may be long: each has several forms. */
const ROWS_A_PAGE: Partial<Record<SettingsPage, number>> = { urls: 18, people: MEMBERS_A_PAGE };

/** Sends a page of the settings of the project in the request's path: to a member how to leave it. */
async function sendSettings(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { refused }: { refused?: RefusedSettings } = {},
): Promise<FastifyReply> {
  const signedIn = getSignedIn(request);
  const { id } = request.params as { id: string };
  const { language, caller } = signedIn;
  const shown = pageOfSettings(request);
  const wanted = {
    ...readWanted(request, listWatched({ id })),
    limit: ROWS_A_PAGE[shown] ?? 0,
  };
  const { sql } = deps.database;
  const settings = getFound(await findProjectSettings(sql, caller, id, shown, wanted));
  if (!settings.isOwn && shown !== "general") throw new AppError("owner_only", { projectId: id });
  // A removal may have emptied the last page.
  const { page } = wanted;
  if (shown === "people" && page > 1 && settings.people.length === 0)
    return reply.redirect(`${pathOfSettings(id, shown)}?page=${page - 1}`, 303);
  const title = say(WORDS.title, language);
  const name = oneLine(settings.name, 100);
  const { Content } = TABS[shown];
  return sendPage(request, reply, {
    title: `${shown === "general" ? "" : `${say(SETTINGS_TITLES[shown], language)} – `}${title} – ${name}`,
    refused,
    script: settings.isOwn ? SCRIPT : undefined,
    children: (
      <>
        <h1>{title}</h1>
        <p class="lead">
          <ProjectLink id={id} name={settings.name} />
        </p>
        {settings.isOwn ? (
          <>
            <Tabs
              label={title}
              tabs={[
                ...SETTINGS_PAGES.map((each) => ({
                  href: pathOfSettings(id, each),
                  label: SETTINGS_TITLES[each],
                  isCurrent: each === shown,
                })),
                { href: DELETION_PATH.replace(":id", id), label: WORDS.delete, isCurrent: false },
              ]}
            />
            <Content
              settings={settings}
              signedIn={signedIn}
              many={refused?.many}
              sitemap={refused?.sitemap}
              wanted={wanted}
              origin={siteOf(deps.config, request.host).origin ?? ""}
              hasMail={deps.mailer !== undefined}
              leastSeconds={deps.config.leastSeconds}
              hasPlaces={deps.config.place !== undefined}
              kind={parameterOf(request, "kind")}
            />
            <CopyStatus />
          </>
        ) : (
          <LeaveSection project={settings} />
        )}
      </>
    ),
  });
}

/** The settings of a project, and what its owner changes there. */
export function projectSettingsRoutes(door: FastifyInstance, deps: Deps): void {
  for (const page of SETTINGS_PAGES) {
    const path = pathOfSettings(":id", page);
    door.get(path, (request, reply) => sendSettings(deps, request, reply));
    const { refusals, addForms } = TABS[page];
    addForms(projectFormsOf(door, deps, { path, refusals, send: sendSettings }), deps, door);
  }
  deletionRoutes(door, deps);
}
