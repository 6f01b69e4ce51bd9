import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError, isAppError } from "../../../base/errors.ts";
import { T, useSay } from "../../kit/reader.tsx";
import { findUrlPage } from "../../../db/watching/url-page.ts";
import type { UrlRow } from "../../../db/projects/project-lists.ts";
import type { Text } from "../../../../shared/language.ts";
import { pauseUrl, unwatchUrl, watchUrls, type WatchedMany } from "../../../projects/watching.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { TextArea, Form } from "../../kit/fields.tsx";
import { refuse, type Refusal } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { fileColumn, pathTo, type ListDeclaration, List } from "../../kit/session/paged-list.tsx";
import type { Outcome } from "../../kit/session/form-handlers.ts";
import { addConfirmation } from "../../kit/session/question.tsx";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { ActionButton } from "./state-badges.tsx";
import { urlsOf } from "./project-lists.tsx";
import {
  pathOfSettings,
  requireOwn,
  type OfProject,
  type RefusedSettings,
  type SettingsProps,
  type SettingsTab,
} from "./settings-tabs.ts";
import { addSitemapForm, SitemapSection } from "./sitemap-section.tsx";
import {
  describeRefused,
  describeUrlError,
  PROBLEMS,
  tooManyLines,
  tooManyNames,
  watchedHint,
  WORDS,
} from "./settings-words.ts";

const LONGEST_REFUSED = 200;
const LONGEST_NAMED = 100;

function RefusedUrls({ many: { refused, added } }: { many: WatchedMany }) {
  const say = useSay();
  const reasons = new Map<string, string[]>();
  for (const { url, error } of refused) {
    const reason = say(describeUrlError(error));
    const urls = reasons.get(reason) ?? [];
    urls.push(oneLine(url, LONGEST_REFUSED));
    reasons.set(reason, urls);
  }
  return (
    <>
      <p>
        <T text={describeRefused(refused.length, added.length)} />
      </p>
      {[...reasons].map(([reason, urls]) => (
        <>
          <p>{reason}</p>
          <ul>
            {urls.map((url) => (
              <li>{url}</li>
            ))}
          </ul>
        </>
      ))}
    </>
  );
}

interface PauseProps {
  projectId: string;
  watched: Pick<UrlRow, "id" | "url" | "isPaused">;
  query?: string;
}

export function PauseButton({ projectId, watched: { id, url, isPaused }, query = "" }: PauseProps) {
  return (
    <ActionButton
      action={`${pathOfSettings(projectId, "urls")}/${isPaused ? "resume" : "pause"}${query}`}
      label={isPaused ? WORDS.resume : WORDS.pause}
      on={oneLine(url, LONGEST_NAMED)}
      sends={{ watched: id }}
      isPlain
    />
  );
}

const ACTIONS_COLUMN: Text = { fr: "", en: "" };

export function listWatched(
  { id, url }: { id: string; url?: string },
  query = "",
): ListDeclaration<UrlRow> {
  const path = pathOfSettings(id, "urls");
  const { columns, ...list } = urlsOf(id, url);
  return {
    ...list,
    name: undefined,
    hasVerdicts: false,
    columns: [
      ...columns.filter(({ name }) => name !== "score" && name !== "verdict"),
      {
        ...fileColumn("id"),
        title: ACTIONS_COLUMN,
        show: (watched) => (
          <>
            <PauseButton projectId={id} watched={watched} query={query} />
            <ActionButton
              action={`${path}/${watched.id}/remove`}
              method="get"
              label={WORDS.remove}
              on={oneLine(watched.url, LONGEST_NAMED)}
              sends={Object.fromEntries(new URLSearchParams(query))}
              isPlain
            />
          </>
        ),
      },
    ],
  };
}

function Watched(props: SettingsProps) {
  const { settings, wanted, many } = props;
  const path = pathOfSettings(settings.id, "urls");
  const query = pathTo("", listWatched(settings), wanted);
  return (
    <>
      <Section id="add" title={WORDS.add}>
        <Form action={`${path}#urls`} submit={WORDS.watch}>
          <TextArea
            name="urls"
            label={WORDS.urls}
            problem={many && <RefusedUrls many={many} />}
            hint={watchedHint(settings.watched + 1)}
            placeholder="https://www.example.com/contact"
          />
        </Form>
      </Section>
      <SitemapSection {...props} />
      <Section id="list" title={WORDS.watched}>
        <List
          list={listWatched(settings, query)}
          wanted={wanted}
          part={settings.urls}
          path={path}
          anchor="#list"
          empty={
            <p>
              <T text={WORDS.noneWatched} />
            </p>
          }
        />
      </Section>
    </>
  );
}

/** A thousand URLs of 2,048 characters, with room for percent-encoding, which writes one character as three. */
const URLS_FORM = { bodyLimit: 3_145_728 };
const MAX_LINES = 2000;

const isPage = (name: string) => /^page\d{1,3}$/.test(name);

/** After this refusal, the pages chosen from a sitemap are in the form's text field. */
function refuseNames(error: unknown, reply: FastifyReply): Refusal {
  if (!isAppError(error, "too_often")) throw error;
  const { parameters } = error;
  reply.header("retry-after", parameters.retryAfterSeconds);
  return refuse({ urls: tooManyNames(parameters) }, 429);
}

export const WATCHED_TAB: SettingsTab = {
  Content: Watched,
  addForms(addForm, deps, door) {
    addForm(
      "",
      async ({
        actor,
        project,
        fields: { urls = "", ...others },
        reply,
      }): Promise<Outcome | RefusedSettings> => {
        const pages = Object.entries(others).flatMap(([name, page]) =>
          isPage(name) ? [page] : [],
        );
        const lines = [...urls.split("\n", MAX_LINES + 1), ...pages];
        if (lines.length > MAX_LINES) return refuse({ urls: tooManyLines(MAX_LINES) });
        if (lines.every((line) => line.trim() === "")) return refuse({ urls: PROBLEMS.noUrls });
        const watching = watchUrls(deps, actor, project.id, lines);
        const many = await watching.catch((error: unknown) => refuseNames(error, reply));
        if ("problems" in many) return { ...many, values: { urls: lines.join("\n") } };
        if (many.refused.length === 0) return many.added.length === 0 ? "urls-known" : "urls-added";
        const values = { urls: many.refused.map(({ url }) => url).join("\n") };
        return { ...refuse({}), values, many };
      },
      URLS_FORM,
    );
    addSitemapForm(addForm, deps);
    for (const action of ["pause", "resume"] as const)
      addForm(`/${action}`, async ({ actor, project, fields: { watched = "" } }) => {
        await pauseUrl(deps, actor, project.id, { id: watched }, action === "pause");
        return action === "pause" ? "url-paused" : "url-resumed";
      });

    const path = pathOfSettings(":id", "urls");
    const listOf = ({ url, params }: FastifyRequest) =>
      path.replace(":id", (params as { id: string }).id) +
      new URL(url, "http://own.invalid").search;
    addConfirmation(door, deps, {
      path: `${path}/:of/remove`,
      async find(request) {
        await requireOwn(deps, request as OfProject);
        const { id: projectId, of: id } = request.params as { id: string; of: string };
        const { caller, language } = getSignedIn(request);
        const watched = await findUrlPage(deps.database.sql, caller, { projectId, id }, language);
        if (watched === undefined || watched.isAddress)
          throw new AppError("url_not_watched", { projectId });
        return { ...watched, list: listOf(request) };
      },
      ask: ({ url, list }) => ({
        consequence: WORDS.urlRemoval,
        button: WORDS.remove,
        name: oneLine(url, LONGEST_NAMED),
        back: list,
      }),
      act: async ({ projectId, id }, { actor }) => {
        await unwatchUrl(deps, actor, projectId, { id });
      },
      redirect: (request) => ({ to: listOf(request), done: "url-removed" }),
      gone: "url_not_watched",
    });
  },
};
