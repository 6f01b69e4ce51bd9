import type { FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { AppError } from "../../../base/errors.ts";
import type { Text } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { getFound } from "../../../db/accounts/callers.ts";
import {
  findProjectSettings,
  type ListedOn,
  type ProjectSettings,
} from "../../../db/projects/project-settings.ts";
import { MAX_ALERTS } from "../../../db/alerts/outbox.ts";
import type { Deps } from "../../../deps.ts";
import { WINDOWS_SHOWN } from "../../../db/watching/maintenance.ts";
import { MAX_HOOKS } from "../../../projects/hooks.ts";
import { parameterOf } from "../../kit/asked.ts";
import { COPY_SCRIPT, CopyStatus } from "../../kit/copy.tsx";
import { Refusal } from "../../kit/did.tsx";
import type { Refused } from "../../kit/forms.ts";
import { Tabs } from "../../kit/layout.tsx";
import { SECRET_SCRIPT, SecretNotice, type ShownSecret } from "../../kit/secret.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { siteOf } from "../../kit/site.ts";
import { findDid } from "./acts.tsx";
import { LeaveSection, MEMBERS_A_PAGE } from "./members-section.tsx";
import { ProjectLink } from "./parts.tsx";
import { CONTENTS } from "./settings-contents.tsx";
import {
  pageOfSettings,
  pathOfSettings,
  SETTINGS_PAGES,
  type SettingsProps,
} from "./settings-forms.ts";
import { SETTINGS_TITLES, WORDS } from "./settings-words.ts";
import { URLS_A_PAGE } from "./watched-section.tsx";

const LAST_PAGE = 1000;
const SCRIPT = `${COPY_SCRIPT}${SECRET_SCRIPT}`;

/** What an answer shows besides the settings as they are. */
export interface Shown extends Partial<Pick<SettingsProps, "many" | "sitemap">> {
  refused?: Refused;
  /** What is wrong with what was asked, where it has no field. */
  why?: Text;
  secret?: ShownSecret;
}

/** Counted from 1. */
export function pageOf(text: string | undefined): number {
  const page = /^[1-9]\d{0,3}$/.test(text ?? "") ? Number(text) : 1;
  return Math.min(page, LAST_PAGE);
}

/** The lists, with the rows of one of their pages. */
const ROWS: Readonly<Record<ListedOn, number>> = {
  urls: URLS_A_PAGE,
  people: MEMBERS_A_PAGE,
  hooks: MAX_HOOKS,
  alerts: MAX_ALERTS,
  maintenance: WINDOWS_SHOWN,
};

/** The last page of the list, where the one that was asked for is after it: a removal may have emptied that. */
function findLastPage(settings: ProjectSettings, list: ListedOn, page: number): number | undefined {
  const rows = ROWS[list];
  if (list === "people") return settings.people.length > 0 ? undefined : page - 1;
  const count = list === "urls" ? settings.watched : settings[list].length;
  const last = Math.max(1, Math.ceil(count / rows));
  return page > last ? last : undefined;
}

/** Sends a page of the settings of the project in the request's path: to a member how to leave it. */
export async function sendSettings(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { refused, why, secret, many, sitemap }: Shown = {},
): Promise<FastifyReply> {
  const signedIn = getSignedIn(request);
  const { id } = request.params as { id: string };
  const { language, caller } = signedIn;
  const shown = pageOfSettings(request);
  const page = pageOf(parameterOf(request, "page"));
  const list = shown in ROWS ? (shown as ListedOn) : undefined;
  const rows = list === undefined ? 0 : ROWS[list];
  const part = { of: list, offset: (page - 1) * rows, rows };
  const { sql } = deps.database;
  const [read, did] = await Promise.all([
    findProjectSettings(sql, caller, id, part),
    findDid(deps, request, id),
  ]);
  const settings = getFound(read);
  if (!settings.isOwn && shown !== "general") throw new AppError("owner_only", { projectId: id });
  const last = page > 1 && list !== undefined ? findLastPage(settings, list, page) : undefined;
  if (last !== undefined) return reply.redirect(`${pathOfSettings(id, shown)}?page=${last}`, 303);
  const title = say(WORDS.title, language);
  const name = oneLine(settings.name, 100);
  const Content = CONTENTS[shown];
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
              tabs={SETTINGS_PAGES.map((each) => ({
                href: pathOfSettings(id, each),
                label: SETTINGS_TITLES[each],
                isCurrent: each === shown,
              }))}
            />
            {did}
            {why && <Refusal why={why} />}
            {secret && <SecretNotice secret={secret} page={pathOfSettings(id, shown)} />}
            <Content
              settings={settings}
              signedIn={signedIn}
              many={many}
              sitemap={sitemap}
              page={page}
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
