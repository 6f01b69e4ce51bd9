import { useSay } from "../../kit/reader.tsx";
import type { WatchedUrl } from "../../../db/projects/project-settings.ts";
import type { WatchedMany } from "../../../projects/watching.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { Address } from "../../kit/address.tsx";
import { TextArea } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { Pager, Section } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { ActionButton } from "./action-button.tsx";
import { pathOfSettings, type SettingsProps } from "./settings-forms.ts";
import { SitemapSection } from "./sitemap-section.tsx";
import { URL_STATES } from "./states.tsx";
import { describeRefused, describeUrlError, watchedHint, WORDS } from "./settings-words.ts";

/** The rows of one page. */
export const URLS_A_PAGE = 10;
const LONGEST_REFUSED = 200;
const LONGEST_NAMED = 100;

/** Which URLs were not added, by the reason. */
function RefusedUrls({ many: { refused, added } }: { many: WatchedMany }) {
  const say = useSay();
  const reasons = new Map<string, string[]>();
  for (const { url, error } of refused) {
    const reason = say(describeUrlError(error));
    reasons.set(reason, [...(reasons.get(reason) ?? []), oneLine(url, LONGEST_REFUSED)]);
  }
  return (
    <>
      <p>{say(describeRefused(refused.length, added.length))}</p>
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
  watched: Pick<WatchedUrl, "id" | "url" | "isPaused">;
}

/** Has a URL looked at no more for now, or again. */
export function PauseButton({ projectId, watched: { id, url, isPaused } }: PauseProps) {
  return (
    <ActionButton
      action={`${pathOfSettings(projectId, "urls")}/${isPaused ? "resume" : "pause"}`}
      label={isPaused ? WORDS.resume : WORDS.pause}
      on={oneLine(url, LONGEST_NAMED)}
      sends={{ watched: id }}
      isPlain
    />
  );
}

function Rows({ settings: { id, url, urls }, page }: SettingsProps) {
  const say = useSay();
  return (
    <Table
      labelledBy="watched"
      head={[WORDS.url, ""]}
      rows={urls.map((watched) => ({
        key: watched.id,
        cells: [
          <>
            <a href={`/projects/${id}/urls/${watched.id}`}>
              <Address url={watched.url} within={url} />
            </a>
            {watched.isPaused && <div class="soft">{say(URL_STATES.paused.words)}</div>}
          </>,
          <>
            <PauseButton projectId={id} watched={watched} />
            <ActionButton
              action={`${pathOfSettings(id, "urls")}/remove`}
              label={WORDS.remove}
              on={oneLine(watched.url, LONGEST_NAMED)}
              sends={{ watched: watched.id, page: String(page) }}
              isPlain
            />
          </>,
        ],
      }))}
    />
  );
}

/** What a project watches besides its address; adding many at once, removing each, and what a sitemap lists. */
export function WatchedSection(props: SettingsProps) {
  const { settings, page, many } = props;
  const say = useSay();
  const path = pathOfSettings(settings.id, "urls");
  const hasMore = page * URLS_A_PAGE < settings.watched;
  return (
    <>
      <Section id="watched" title={WORDS.watched}>
        {settings.urls.length > 0 ? <Rows {...props} /> : <p>{say(WORDS.noneWatched)}</p>}
        <Pager
          first={page > 1 ? path : undefined}
          next={hasMore ? `${path}?page=${page + 1}` : undefined}
        />
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
    </>
  );
}
