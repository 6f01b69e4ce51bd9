import type { FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { getFound } from "../../../db/accounts/callers.ts";
import { findMembers, type Members } from "../../../db/projects/members.ts";
import type { ProjectSettings } from "../../../db/projects/project-settings.ts";
import { findProjectSettings } from "../../../db/projects/project-settings.ts";
import type { Deps } from "../../../deps.ts";
import { refuseWith } from "../../../http/failure.ts";
import type { WatchedMany } from "../../../projects/watching.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { parameterOf } from "../../kit/asked.ts";
import { COPY_SCRIPT, CopyStatus } from "../../kit/copy.tsx";
import { fieldsOf, type Filled, inWords, type Refused } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { SECRET_SCRIPT, SecretNotice, type ShownSecret } from "../../kit/secret.tsx";
import { siteOf } from "../../kit/site.ts";
import { sendPage } from "../../kit/session/page.ts";
import { filledOf, getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { ALERTS_A_PAGE, AlertsSection } from "./alerts-section.tsx";
import { BadgeSection } from "./badge-section.tsx";
import { DeletionSection } from "./deletion-section.tsx";
import { DetailsFields } from "./details-form.tsx";
import { HOOKS_A_PAGE, HooksSection } from "./hooks-section.tsx";
import { ProjectName } from "./parts.tsx";
import { LeaveSection, MEMBERS_A_PAGE, MembersSection } from "./members-section.tsx";
import { WORDS } from "./settings-words.ts";
import { URLS_A_PAGE, WatchedSection } from "./watched-section.tsx";

const LAST_PAGE = 1000;
const SCRIPT = `${COPY_SCRIPT}${SECRET_SCRIPT}`;

/** A form of the page that was refused, by the path that it was sent to. */
export interface RefusedForm {
  action: string;
  status: number;
  filled: Filled;
  /** What became of many URLs. */
  many?: WatchedMany;
}

/** What an answer shows besides the settings as they are. */
export interface Shown {
  refused?: RefusedForm;
  secret?: ShownSecret;
}

interface SettingsProps {
  settings: ProjectSettings;
  signedIn: SignedInRequest;
  refused: RefusedForm | undefined;
  page: number;
  /** The page of each section that has pages of its own. */
  pages: Record<"people" | "hooks" | "alerts", number>;
  origin: string;
  hasMail: boolean;
}

/** Counted from 1. */
export function pageOf(text: string | undefined): number {
  const page = /^[1-9]\d{0,3}$/.test(text ?? "") ? Number(text) : 1;
  return Math.min(page, LAST_PAGE);
}

/** How a list is asked for a page of so many rows. */
const partOf = (page: number, rows: number) => ({ offset: (page - 1) * rows, rows });

/** The last page, which replaces a later one that the removal of a URL may have emptied. */
const lastPageOf = ({ id, watched }: ProjectSettings) =>
  `/projects/${id}/settings?page=${Math.max(1, Math.ceil(watched / URLS_A_PAGE))}#watched`;

function DetailsSection({ settings, filled, signedIn }: SettingsProps & { filled: Filled }) {
  const { language } = signedIn;
  const { id, name, url } = settings;
  return (
    <Section id="details" title={say(WORDS.details, language)}>
      <form method="post" action={`/projects/${id}/settings`}>
        <DetailsFields
          filled={{ ...filled, values: { name, url, ...filled.values } }}
          hint={WORDS.newAddressHint}
          language={language}
        />
        <p class="actions">
          <button type="submit">{say(WORDS.save, language)}</button>
        </p>
      </form>
    </Section>
  );
}

function OfOwner(props: SettingsProps & { members: Members }) {
  const { settings, members, signedIn, refused, page, pages, origin, hasMail } = props;
  const { language } = signedIn;
  const path = `/projects/${settings.id}`;
  const filledFor = (action: string) =>
    refused?.action === action ? refused.filled : filledOf(signedIn, action);
  return (
    <>
      <DetailsSection {...props} filled={filledFor(`${path}/settings`)} />
      <WatchedSection
        settings={settings}
        page={page}
        filled={filledFor(`${path}/urls`)}
        many={refused?.many}
        language={language}
      />
      <MembersSection
        projectId={settings.id}
        members={members}
        page={pages.people}
        filled={filledFor(`${path}/people`)}
        signedIn={signedIn}
      />
      <HooksSection
        projectId={settings.id}
        hooks={settings.hooks}
        page={pages.hooks}
        origin={origin}
        added={filledFor(`${path}/hooks`)}
        rotated={filledFor(`${path}/hooks/rotate`)}
        signedIn={signedIn}
      />
      <AlertsSection
        projectId={settings.id}
        alerts={settings.alerts}
        page={pages.alerts}
        hasMail={hasMail}
        filled={filledFor(`${path}/alerts`)}
        signedIn={signedIn}
      />
      <BadgeSection settings={settings} origin={origin} language={language} />
      <DeletionSection
        settings={settings}
        filled={filledFor(`${path}/delete`)}
        signedIn={signedIn}
      />
      <CopyStatus />
    </>
  );
}

/** Sends the settings of the project in the request's path: to its owner all of them, to a member how to leave. */
export async function sendSettings(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { refused, secret }: Shown = {},
): Promise<FastifyReply> {
  const signedIn = getSignedIn(request);
  const { id } = request.params as { id: string };
  const { language, caller } = signedIn;
  const page = pageOf(parameterOf(request, "page"));
  const pageOfSection = (section: string) => pageOf(parameterOf(request, section));
  const pages = {
    people: pageOfSection("people"),
    hooks: pageOfSection("hooks"),
    alerts: pageOfSection("alerts"),
  };
  const { sql } = deps.database;
  const [read, ofOwner] = await Promise.all([
    findProjectSettings(sql, caller, id, partOf(page, URLS_A_PAGE)),
    findMembers(sql, caller, id, partOf(pages.people, MEMBERS_A_PAGE)),
  ]);
  const settings = getFound(read);
  const members = ofOwner?.found;
  if (page > 1 && settings.urls.length === 0) return reply.redirect(lastPageOf(settings), 303);
  const isAfterLast = {
    people: members?.rows.length === 0,
    hooks: settings.hooks.length <= (pages.hooks - 1) * HOOKS_A_PAGE,
    alerts: settings.alerts.length <= (pages.alerts - 1) * ALERTS_A_PAGE,
  };
  for (const section of ["people", "hooks", "alerts"] as const)
    if (pages[section] > 1 && isAfterLast[section])
      return reply.redirect(`/projects/${id}/settings#${section}`, 303);
  const origin = siteOf(deps.config, request.host).origin ?? "";
  const title = say(WORDS.title, language);
  return sendPage(request, reply, {
    title: `${title} – ${oneLine(settings.name, 100)}`,
    status: refused?.status ?? 200,
    script: members ? SCRIPT : undefined,
    children: (
      <>
        <h1>{title}</h1>
        {secret && (
          <SecretNotice secret={secret} page={`/projects/${id}/settings`} language={language} />
        )}
        <p class="lead">
          <a href={`/projects/${settings.id}`}>
            <ProjectName name={settings.name} />
          </a>
        </p>
        {members === undefined ? (
          <LeaveSection project={settings} signedIn={signedIn} />
        ) : (
          <OfOwner
            settings={settings}
            members={members}
            signedIn={signedIn}
            refused={refused}
            page={page}
            pages={pages}
            origin={origin}
            hasMail={deps.mailer !== undefined}
          />
        )}
      </>
    ),
  });
}

/** Sends the settings again with a form of theirs that was refused, as it was typed. */
export function sendRefused(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  refused: Refused,
): Promise<FastifyReply> {
  refuseWith(reply, refused.status);
  const filled = inWords(refused, fieldsOf(request), getSignedIn(request).language);
  return sendSettings(deps, request, reply, {
    refused: { action: request.url, status: refused.status, filled },
  });
}
