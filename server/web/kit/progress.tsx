import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../../shared/language.ts";
import { T, useReader } from "./reader.tsx";

const WORDS = {
  waiting: { fr: "En file d'attente", en: "In the queue" },
  position: { fr: "En file d'attente, position", en: "In the queue, position" },
  started: { fr: "Démarrage", en: "Starting" },
} as const;

const STEPS: Readonly<Record<string, Text>> = {
  vetting: { fr: "Résolution du nom du site", en: "Resolving the site's name" },
  visiting: { fr: "Chargement de la page", en: "Loading the page" },
  judging: { fr: "Calcul du score", en: "Calculating the score" },
};

export interface ProgressState {
  state: string;
  position?: number | undefined;
  step?: string | null | undefined;
}

export function describeProgress(
  { state, position, step }: ProgressState,
  language: Language,
): string {
  if (state !== "waiting") return say(STEPS[step ?? ""] ?? WORDS.started, language);
  if (position === undefined) return say(WORDS.waiting, language);
  return `${say(WORDS.position, language)} ${position}`;
}

interface ProgressProps {
  name: string;
  made: ProgressState;
  /** The events are at `PATH/events`. */
  path: string;
  hint: Text;
}

/** `LIVE_SCRIPT`, or a reload, turns the page into the report. */
export function Progress({ name, made, path, hint }: ProgressProps) {
  const { language } = useReader();
  return (
    <>
      <h1 class="address">{name}</h1>
      <p class="progress">
        <span id="live" role="status" data-live data-events={`${path}/events`} data-every="2000">
          {describeProgress(made, language)}
        </span>
      </p>
      <p class="soft">
        <T text={hint} />
      </p>
    </>
  );
}

/**
 * Keeps a page up to date from the event stream at the URL in `data-events`:
 * - `state` sets the text of `#live`.
 * - `changed` fetches the page and replaces each `data-live` part, unless it has the focus.
 * - `end`, or a fetched page without events, reloads the page.
 * - `stop`, or a refused stream, makes the page poll every `data-every` milliseconds.
 */
export const LIVE_SCRIPT = `
const live = document.querySelector("[data-events]");
if (live) {
  const { events: source, every } = live.dataset;
  const events = new EventSource(source);
  const reload = () => location.reload();
  const refresh = async () => {
    const response = await fetch(location.href);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    if (response.status >= 500 || response.status === 429) return;
    if (!page.querySelector("[data-events]")) return reload();
    for (const part of document.querySelectorAll("[data-live]")) {
      const fresh = page.getElementById(part.id);
      if (fresh && !part.contains(document.activeElement)) part.replaceChildren(...fresh.childNodes);
    }
  };
  const tryRefresh = () => refresh().catch(() => {});
  const poll = () => {
    events.close();
    if (every) setInterval(tryRefresh, every);
    else setTimeout(reload, 2000);
  };
  events.addEventListener("state", ({ data }) => {
    document.getElementById("live").textContent = JSON.parse(data).text;
  });
  events.addEventListener("changed", tryRefresh);
  events.addEventListener("stop", poll);
  events.addEventListener("end", () => {
    events.close();
    reload();
  });
  events.onerror = () => {
    if (events.readyState === EventSource.CLOSED) poll();
  };
}
`.replaceAll(/\n +/g, "\n");
