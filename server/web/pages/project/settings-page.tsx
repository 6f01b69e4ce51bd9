import type { FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { AppError } from "../../../base/errors.ts";
import type { Text } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { getFound } from "../../../db/accounts/callers.ts";
import { findProjectSettings } from "../../../db/projects/project-settings.ts";
import type { Deps } from "../../../deps.ts";
import { parameterOf } from "../../kit/asked.ts";
import { COPY_SCRIPT, CopyStatus } from "../../kit/copy.tsx";
import { Refusal } from "../../kit/did.tsx";
import type { Refused } from "../../kit/forms.ts";
import { Tabs } from "../../kit/layout.tsx";
import { SECRET_SCRIPT, SecretNotice, type ShownSecret } from "../../kit/secret.tsx";
import { readWanted } from "../../kit/session/list-query.ts";
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
  type SettingsPage,
  type SettingsProps,
} from "./settings-forms.ts";
import { SETTINGS_TITLES, WORDS } from "./settings-words.ts";
import { listWatched } from "./watched-section.tsx";

const SCRIPT = `${COPY_SCRIPT}${SECRET_SCRIPT}`;

/** What an answer shows besides the settings as they are. */
export interface Shown extends Partial<Pick<SettingsProps, "many" | "sitemap">> {
  refused?: Refused;
  /** What is wrong with what was asked, where it has no field. */
  why?: Text;
  secret?: ShownSecret;
}

/** The rows of one page of the lists that may be long: each has several forms. */
const ROWS_A_PAGE: Partial<Record<SettingsPage, number>> = { urls: 18, people: MEMBERS_A_PAGE };

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
  const wanted = {
    ...readWanted(request, listWatched({ id })),
    limit: ROWS_A_PAGE[shown] ?? 0,
  };
  const { sql } = deps.database;
  const [read, did] = await Promise.all([
    findProjectSettings(sql, caller, id, shown, wanted),
    findDid(deps, request, id),
  ]);
  const settings = getFound(read);
  if (!settings.isOwn && shown !== "general") throw new AppError("owner_only", { projectId: id });
  // A removal may have emptied the last page.
  const { page } = wanted;
  if (shown === "people" && page > 1 && settings.people.length === 0)
    return reply.redirect(`${pathOfSettings(id, shown)}?page=${page - 1}`, 303);
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
