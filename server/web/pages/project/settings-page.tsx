import { pathOfBadge, setBadge } from "../../../projects/badges.ts";
import { CopyField, COPY_SCRIPT, CopyStatus, SECRET_SCRIPT } from "../../kit/components.tsx";
import { Section, Tabs } from "../../kit/layout.tsx";
import { T, useSay } from "../../kit/reader.tsx";
import { ActionButton, nameProject, ProjectLink } from "./state-badges.tsx";
import {
  pathOfSettings,
  type SettingsProps,
  type SettingsTab,
  requireOwn,
  type OfProject,
  pageOfSettings,
  projectFormsOf,
  SETTINGS_PAGES,
  type SettingsPage,
  type RefusedSettings,
} from "./settings-tabs.ts";
import { WORDS, PROBLEMS, typeName, SETTINGS_TITLES } from "./settings-words.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "../../../deps.ts";
import { deleteProject, isNameOf } from "../../../projects/projects.ts";
import { Field } from "../../kit/fields.tsx";
import { refuse } from "../../kit/forms.ts";
import { addConfirmation } from "../../kit/session/question.tsx";
import { say } from "../../../../shared/report/words.ts";
import { AppError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { getFound } from "../../../db/accounts/callers.ts";
import { findProjectSettings } from "../../../db/projects/project-settings.ts";
import { parameterOf } from "../../kit/request-parameters.ts";
import { readListQuery } from "../../kit/session/paged-list.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { siteOf } from "../../kit/site.ts";
import { LeaveSection, MEMBERS_A_PAGE, MEMBERS_TAB } from "./members.tsx";
import { listWatched, WATCHED_TAB } from "./watched-section.tsx";
import { ALERTS_TAB } from "./alerts.ts";
import { DETAILS_TAB } from "./details-form.tsx";
import { GATE_TAB } from "./gates.tsx";
import { HOOKS_TAB } from "./hooks.tsx";
import { MAINTENANCE_TAB } from "./maintenance.tsx";
import { PREVIEWS_TAB } from "./previews.tsx";
import { STATUS_PAGE_TAB } from "./status-page-settings.tsx";

function BadgeUrls({ path, origin }: { path: string; origin: string }) {
  const address = `${origin}${path}`;
  return (
    <>
      <p>
        <img src={path} alt={useSay()(WORDS.badgeAlt)} height={20} />
      </p>
      <CopyField id="badge-address" label={WORDS.badgeAddress} value={address} />
      <CopyField
        id="badge-markdown"
        label={WORDS.badgeMarkdown}
        value={`![Ship Score](${address})`}
      />
    </>
  );
}

function Badge({ settings: { id, badgeId }, origin }: SettingsProps) {
  const isOn = badgeId !== null;
  return (
    <Section id="badge" title={WORDS.badge}>
      <p>
        <T text={isOn ? WORDS.badgeOn : WORDS.badgeOff} />
      </p>
      {isOn && <BadgeUrls path={pathOfBadge(badgeId)} origin={origin} />}
      <ActionButton
        action={pathOfSettings(id, "badge")}
        label={isOn ? WORDS.switchOff : WORDS.switchOn}
        on={WORDS.ofBadge}
        sends={{ badge: isOn ? "off" : "on" }}
        isPlain={isOn}
      />
    </Section>
  );
}

const BADGE_TAB: SettingsTab = {
  Content: Badge,
  addForms: (addForm, deps) =>
    addForm("", async ({ actor, project, fields }) => {
      const isOn = fields["badge"] === "on";
      await setBadge(deps, actor, project.id, isOn);
      return isOn ? "badge-on" : "badge-off";
    }),
};

const DELETION_PATH = "/projects/:id/settings/delete";

function deletionRoutes(door: FastifyInstance, deps: Deps): void {
  addConfirmation(door, deps, {
    path: DELETION_PATH,
    find: (request) => requireOwn(deps, request as OfProject, "delete"),
    ask: ({ id, name }) => ({
      consequence: WORDS.deletionLead,
      button: WORDS.delete,
      name: nameProject(name),
      back: pathOfSettings(id),
      children: (
        <Field name="confirm_name" label={WORDS.confirmName} hint={typeName(nameProject(name))} />
      ),
    }),
    isSensitive: true,
    async act(project, { actor, fields: { confirm_name: name = "" }, confirm }) {
      if (!isNameOf(project, name)) return refuse({ confirm_name: PROBLEMS.nameWrong });
      const unconfirmed = await confirm();
      if (unconfirmed === undefined) await deleteProject(deps, actor, project.id, name);
      return unconfirmed;
    },
    redirect: () => ({ to: "/projects", done: "project-deleted" }),
  });
}

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

/** Rows of a long list on one page: each row has several forms. */
const ROWS_A_PAGE: Partial<Record<SettingsPage, number>> = { urls: 18, people: MEMBERS_A_PAGE };

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
    ...readListQuery(request, listWatched({ id })),
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
              hasLocations={deps.config.location !== undefined}
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

export function projectSettingsRoutes(door: FastifyInstance, deps: Deps): void {
  for (const page of SETTINGS_PAGES) {
    const path = pathOfSettings(":id", page);
    door.get(path, (request, reply) => sendSettings(deps, request, reply));
    const { refusals, addForms } = TABS[page];
    addForms(projectFormsOf(door, deps, { path, refusals, send: sendSettings }), deps, door);
  }
  deletionRoutes(door, deps);
}
