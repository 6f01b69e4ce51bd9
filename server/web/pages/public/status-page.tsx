import { type StatusPage, type StatusUrl, STATUS_DAYS } from "../../../db/projects/status-pages.ts";
import { LANGUAGE_NAMES, type Language, type Text } from "../../../../shared/language.ts";
import { renderToString } from "preact-render-to-string";
import { PALETTE } from "../../../../shared/report/style.ts";
import { T, pageReaderOf, ReaderContext, useReader } from "../../kit/reader.tsx";
import { oneLine } from "../../../base/syntax/text.ts";
import { describeLength, describeMoment, describeRange } from "../../kit/time.tsx";
import { packStyle } from "../../kit/style.ts";
import { describeUptime, listDays, toneOf, totalUptime } from "../../kit/uptime.ts";

interface StateWords {
  sign: string;
  tone: "good" | "warn" | "bad" | "soft";
  words: Text;
}

export type PageState = StatusUrl["state"] | "degraded";

export const URL_STATES: Readonly<Record<StatusUrl["state"], StateWords>> = {
  up: { sign: "●", tone: "good", words: { fr: "En ligne", en: "Up" } },
  down: { sign: "■", tone: "bad", words: { fr: "En panne", en: "Down" } },
  maintenance: { sign: "◆", tone: "warn", words: { fr: "En maintenance", en: "Maintenance" } },
  unknown: { sign: "○", tone: "soft", words: { fr: "Inconnu", en: "Unknown" } },
};

const PAGE_STATES: Readonly<Record<PageState, StateWords>> = {
  ...URL_STATES,
  up: { sign: "●", tone: "good", words: { fr: "Tout est en ligne", en: "Everything is up" } },
  degraded: {
    sign: "▲",
    tone: "warn",
    words: { fr: "Panne partielle", en: "Partial outage" },
  },
};

export function stateOf({ urls }: Pick<StatusPage, "urls">): PageState {
  const known = urls.filter(({ state }) => state !== "unknown");
  const down = known.filter(({ state }) => state === "down");
  if (known.length === 0) return "unknown";
  if (down.length === known.length || down.some(({ isAddress }) => isAddress)) return "down";
  if (down.length > 0) return "degraded";
  return known.some(({ state }) => state === "maintenance") ? "maintenance" : "up";
}

const WORDS = {
  status: { fr: "État de", en: "Status of" },
  describes: {
    fr: "Ce qui fonctionne maintenant, la disponibilité des 90 derniers jours, les incidents et la maintenance prévue.",
    en: "What works now, the uptime of the last 90 days, incidents and planned maintenance.",
  },
  now: { fr: "Maintenant", en: "Now" },
  score: { fr: "Ship Score", en: "Ship Score" },
  nothing: { fr: "Cette page n'affiche encore rien.", en: "This page shows nothing yet." },
  uptime: { fr: "de disponibilité", en: "uptime" },
  first: { fr: "il y a 90 jours", en: "90 days ago" },
  today: { fr: "aujourd'hui", en: "today" },
  noUptime: { fr: "Disponibilité pas encore mesurée", en: "Uptime not measured yet" },
  maintenance: { fr: "Maintenance", en: "Maintenance" },
  incidents: { fr: "Incidents", en: "Incidents" },
  noIncidents: { fr: "Aucun incident en 90 jours.", en: "No incidents in 90 days." },
  since: { fr: "depuis le", en: "since" },
  updated: { fr: "État au", en: "As of" },
  feed: { fr: "Flux Atom", en: "Atom feed" },
  by: { fr: "Surveillé par shipscore", en: "Watched by shipscore" },
} as const satisfies Record<string, Text>;

export const STATUS_STYLE = packStyle(`${PALETTE}
* { box-sizing: border-box; }
body { max-width: 50rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: clamp(1.6rem, 1.3rem + 1.6vw, 2.2rem); line-height: 1.25; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.25rem; }
h3 { margin: 0; font-size: 1rem; }
p { margin: .25rem 0; }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: .8rem 0; border-bottom: 1px solid var(--line); }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.now { margin: 1.25rem 0 .25rem; padding: 1rem 1.25rem; border: 2px solid; border-radius: .6rem; font-size: 1.25rem; font-weight: 650; }
.row { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 .75rem; }
div.row span { font-weight: 600; }
.good { color: var(--good); stroke: var(--good); } .warn { color: var(--warn); stroke: var(--warn); } .bad { color: var(--bad); stroke: var(--bad); }
.soft { color: var(--soft); } .none { stroke: var(--line); }
.soft, footer { font-size: .92rem; }
svg { display: block; width: 100%; height: 2rem; margin: .5rem 0 .25rem; }
path { fill: none; stroke-dasharray: 8 2; }
footer { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; margin-top: 3rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
footer a { padding-block: .3rem; color: var(--soft); }`);

/** Fifty long notes would make the page too long. JSON and the feed have them whole. */
const MOST_IN_NOTES = 6000;
const SHORT_NOTE = 80;

/** A worse day has a lower bar. */
const BARS = { good: 30, warn: 24, bad: 15, none: 6 } as const;

interface Shown {
  page: StatusPage;
}

/** Equal days in a row are one dashed line, so that the HTML of twenty strips stays small. */
function Strip({ url, page }: Shown & { url: StatusUrl }) {
  const { language, say } = useReader();
  const days = listDays(url.days, STATUS_DAYS, page.now);
  const uptime = totalUptime(days, url, page.now);
  const tones = days
    .map(({ known }) => known?.uptime ?? null)
    .map((one) => (one === null ? "none" : toneOf(one)));
  const share =
    uptime === undefined
      ? say(WORDS.noUptime)
      : `${describeUptime(uptime, language)} ${say(WORDS.uptime)}`;
  const ends = [WORDS.first, share, WORDS.today];
  const runsOf = (tone: keyof typeof BARS) =>
    tones.flatMap((one, day) => {
      if (one !== tone || tones[day - 1] === tone) return [];
      const end = tones.findIndex((next, position) => position > day && next !== tone);
      return [`M${day * 10 + 1} ${30 - BARS[tone] / 2}H${(end === -1 ? STATUS_DAYS : end) * 10}`];
    });
  return (
    <>
      <svg
        viewBox={`0 0 ${STATUS_DAYS * 10} 30`}
        preserveAspectRatio="none"
        role="img"
        aria-label={share}
      >
        {(Object.keys(BARS) as (keyof typeof BARS)[])
          .filter((tone) => tones.includes(tone))
          .map((tone) => (
            <path class={tone} stroke-width={BARS[tone]} d={runsOf(tone).join("")} />
          ))}
      </svg>
      <p class="row soft">
        {ends.map((text) => (
          <span>
            <T text={text} />
          </span>
        ))}
      </p>
    </>
  );
}

function Urls({ page }: Shown) {
  if (page.urls.length === 0)
    return (
      <p>
        <T text={WORDS.nothing} />
      </p>
    );
  return (
    <ul>
      {page.urls.map((url) => {
        const { sign, tone, words } = URL_STATES[url.state];
        return (
          <li>
            <div class="row">
              <h3>{url.label}</h3>
              <span class={tone}>
                <span aria-hidden="true">{sign}</span> <T text={words} />
              </span>
            </div>
            {url.url !== null && (
              <a href={url.url} rel="nofollow">
                {url.url}
              </a>
            )}
            <Strip url={url} page={page} />
          </li>
        );
      })}
    </ul>
  );
}

function Times({ from, to }: { from: Date; to: Date | null }) {
  const reader = useReader();
  if (to === null)
    return (
      <p class="soft">
        <T text={WORDS.since} /> {describeMoment(from, reader)}
      </p>
    );
  return (
    <p class="soft">
      {describeRange(from, to, reader)}, {describeLength(from, to, reader.language)}
    </p>
  );
}

interface ListProps {
  title: Text;
  items: readonly {
    label: string;
    from: Date;
    to: Date | null;
    note: string | null;
    isOpen: boolean;
  }[];
}

function Events({ title, items }: ListProps) {
  let room = MOST_IN_NOTES;
  const cut = (note: string) => {
    const shown = oneLine(note, Math.max(room, SHORT_NOTE));
    room -= shown.length;
    return shown;
  };
  return (
    <section>
      <h2>
        <T text={title} />
      </h2>
      {items.length === 0 && (
        <p>
          <T text={WORDS.noIncidents} />
        </p>
      )}
      <ul>
        {items.map(({ label, note, isOpen, ...times }) => (
          <li>
            <h3 class={isOpen ? "bad" : undefined}>{label}</h3>
            <Times {...times} />
            {note !== null && <p>{cut(note)}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function renderStatusPage(page: StatusPage, language: Language, origin?: string): string {
  const reader = pageReaderOf({ language, now: page.now });
  const state = PAGE_STATES[stateOf(page)];
  const title = `${reader.say(WORDS.status)} ${page.title}`;
  const description = reader.say(WORDS.describes);
  const other = language === "fr" ? "en" : "fr";
  const feed = `/status/${page.name}.atom`;
  const html = renderToString(
    <ReaderContext.Provider value={reader}>
      <html lang={language}>
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{title}</title>
          <meta name="color-scheme" content="light dark" />
          <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
          <link rel="alternate" type="application/atom+xml" href={feed} />
          <meta name="description" content={description} />
          <meta property="og:title" content={title} />
          <meta property="og:description" content={description} />
          {origin !== undefined && <meta property="og:image" content={`${origin}/card.png`} />}
          <style dangerouslySetInnerHTML={{ __html: STATUS_STYLE }} />
        </head>
        <body>
          <main>
            <h1>{page.title}</h1>
            <p class={`now ${state.tone}`}>
              <span aria-hidden="true">{state.sign}</span> <T text={state.words} />
            </p>
            <p class="soft">
              <T text={WORDS.updated} />{" "}
              <time dateTime={page.now.toISOString()}>{describeMoment(page.now, reader)}</time>
            </p>
            {page.result !== null && page.result.score !== null && (
              <p>
                <T text={WORDS.score} /> <strong>{page.result.score}</strong> / 100
              </p>
            )}
            <h2>
              <T text={WORDS.now} />
            </h2>
            <Urls page={page} />
            {page.maintenance.length > 0 && (
              <Events
                title={WORDS.maintenance}
                items={page.maintenance.map(({ labels, ...one }) => {
                  return { ...one, label: labels.join(", "), isOpen: false };
                })}
              />
            )}
            <Events
              title={WORDS.incidents}
              items={page.incidents.map(({ label, note, since, closedAt }) => {
                return { label, note, from: since, to: closedAt, isOpen: closedAt === null };
              })}
            />
          </main>
          <footer>
            <a href={feed}>
              <T text={WORDS.feed} />
            </a>
            <a href={`/status/${page.name}.json`}>JSON</a>
            <a href={`?lang=${other}`} hreflang={other} lang={other}>
              {LANGUAGE_NAMES[other]}
            </a>
            <span class="soft">
              <T text={WORDS.by} />
            </span>
          </footer>
        </body>
      </html>
    </ReaderContext.Provider>,
  );
  return `<!doctype html>${html}`;
}
