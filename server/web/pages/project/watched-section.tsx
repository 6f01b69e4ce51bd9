import { say } from "../../../../shared/report/words.ts";
import type { ProjectSettings, WatchedUrl } from "../../../db/projects/project-settings.ts";
import type { Language, Text } from "../../../base/language.ts";
import type { WatchedMany } from "../../../projects/watching.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { Address } from "../../kit/address.tsx";
import { TextArea } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Pager, Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { ActionButton } from "./action-button.tsx";
import { pathOfSettings } from "./settings-forms.ts";
import { URL_STATES } from "./states.tsx";
import { describeRefused, describeUrlError, watchedHint, WORDS } from "./settings-words.ts";

/** The rows of one page. */
export const URLS_A_PAGE = 10;
const LONGEST_REFUSED = 200;
const LONGEST_NAMED = 100;

const nameOf = ({ fr, en }: Text, url: string): Text => {
  const named = oneLine(url, LONGEST_NAMED);
  return { fr: `${fr} ${named}`, en: `${en} ${named}` };
};

interface RefusedUrlsProps {
  many: WatchedMany;
  language: Language;
}

/** Which URLs were not added, by the reason. */
export function RefusedUrls({ many: { refused, added }, language }: RefusedUrlsProps) {
  const reasons = new Map<string, string[]>();
  for (const { url, error } of refused) {
    const reason = say(describeUrlError(error), language);
    reasons.set(reason, [...(reasons.get(reason) ?? []), oneLine(url, LONGEST_REFUSED)]);
  }
  return (
    <>
      <p>{say(describeRefused(refused.length, added.length), language)}</p>
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

interface WatchedSectionProps {
  settings: ProjectSettings;
  /** Counted from 1. */
  page: number;
  filled: Filled;
  /** What became of the URLs that were typed, if some were refused. */
  many?: WatchedMany | undefined;
  language: Language;
}

interface PauseProps {
  projectId: string;
  watched: Pick<WatchedUrl, "id" | "url" | "isPaused">;
  language: Language;
}

/** Has a URL looked at no more for now, or again. */
export function PauseButton({ projectId, watched: { id, url, isPaused }, language }: PauseProps) {
  const label = isPaused ? WORDS.resume : WORDS.pause;
  return (
    <ActionButton
      action={`${pathOfSettings(projectId, "urls")}/${isPaused ? "resume" : "pause"}`}
      label={label}
      name={nameOf(label, url)}
      sends={{ watched: id }}
      isPlain
      language={language}
    />
  );
}

function Rows({ settings: { id, url, urls }, page, language }: WatchedSectionProps) {
  return (
    <Table
      labelledBy="watched"
      head={[say(WORDS.url, language), ""]}
      rows={urls.map((watched) => ({
        key: watched.id,
        cells: [
          <>
            <a href={`/projects/${id}/urls/${watched.id}`}>
              <Address url={watched.url} within={url} />
            </a>
            {watched.isPaused && <div class="soft">{say(URL_STATES.paused.words, language)}</div>}
          </>,
          <>
            <PauseButton projectId={id} watched={watched} language={language} />
            <ActionButton
              action={`${pathOfSettings(id, "urls")}/remove`}
              label={WORDS.remove}
              name={nameOf(WORDS.remove, watched.url)}
              sends={{ watched: watched.id, page: String(page) }}
              isPlain
              language={language}
            />
          </>,
        ],
      }))}
    />
  );
}

/** What a project watches besides its address; adding many at once, and removing each. */
export function WatchedSection(props: WatchedSectionProps) {
  const { settings, page, filled, many, language } = props;
  const path = pathOfSettings(settings.id, "urls");
  const hasMore = page * URLS_A_PAGE < settings.watched;
  return (
    <Section id="watched" title={say(WORDS.watched, language)}>
      {settings.urls.length > 0 ? <Rows {...props} /> : <p>{say(WORDS.noneWatched, language)}</p>}
      <Pager
        first={page > 1 ? path : undefined}
        next={hasMore ? `${path}?page=${page + 1}` : undefined}
        language={language}
      />
      <form method="post" action={`${path}#urls`}>
        <TextArea
          name="urls"
          label={say(WORDS.urls, language)}
          value={many ? many.refused.map(({ url }) => url).join("\n") : filled.values["urls"]}
          problem={many ? <RefusedUrls many={many} language={language} /> : filled.problems["urls"]}
          hint={say(watchedHint(settings.watched + 1), language)}
          placeholder="https://www.example.com/contact"
        />
        <p class="actions">
          <button type="submit">{say(WORDS.watch, language)}</button>
        </p>
      </form>
    </Section>
  );
}
