import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../../shared/language.ts";
import { T, useReader } from "./reader.tsx";

const WORDS = {
  waiting: { fr: "En file d'attente", en: "Waiting in the queue" },
  position: { fr: "En attente, en position", en: "Waiting, at position" },
  started: { fr: "L'analyse commence", en: "The scan begins" },
} as const;

const STEPS: Readonly<Record<string, Text>> = {
  vetting: { fr: "Recherche de l'adresse du site", en: "Looking up the site's address" },
  visiting: { fr: "Chargement de la page", en: "Loading the page" },
  judging: { fr: "Calcul du score", en: "Working out the score" },
};

/** How far a check or a scan has come. */
export interface ProgressState {
  state: string;
  position?: number | undefined;
  step?: string | null | undefined;
}

/** How far a check or a scan has come, in words. */
export function describeProgress(
  { state, position, step }: ProgressState,
  language: Language,
): string {
  if (state !== "waiting") return say(STEPS[step ?? ""] ?? WORDS.started, language);
  if (position === undefined) return say(WORDS.waiting, language);
  return `${say(WORDS.position, language)} ${position}`;
}

interface ProgressProps {
  /** What is checked. */
  name: string;
  made: ProgressState;
  /** The path of the page, which becomes the report; its events are below it. */
  path: string;
  /** How the page becomes the report. */
  hint: Text;
}

/** The page of a check or a scan while it runs: it becomes the report by `LIVE_SCRIPT`, or by loading itself again. */
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
 * Keeps a page up to date by the events of the `data-events` that one of its elements names. `state` has the text of
 * `#live`; at `changed` each part `data-live` gets what it has on a fresh page, unless the reader is in it; at
 * `end`, and once a fresh page has no events, the whole page is loaded again. A page whose stream was closed for another
 * asks by itself, each `data-every` milliseconds.
 */
export const LIVE_SCRIPT = `
const told = document.querySelector("[data-events]");
if (told) {
  const { events: source, every } = told.dataset;
  const events = new EventSource(source);
  const reload = () => location.reload();
  const refresh = async () => {
    const answer = await fetch(location.href);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (answer.status >= 500 || answer.status === 429) return;
    if (!page.querySelector("[data-events]")) return reload();
    for (const part of document.querySelectorAll("[data-live]")) {
      const fresh = page.getElementById(part.id);
      if (fresh && !part.contains(document.activeElement)) part.replaceChildren(...fresh.childNodes);
    }
  };
  const tryRefresh = () => refresh().catch(() => {});
  const ask = () => {
    events.close();
    if (every) setInterval(tryRefresh, every);
    else setTimeout(reload, 2000);
  };
  events.addEventListener("state", ({ data }) => {
    document.getElementById("live").textContent = JSON.parse(data).text;
  });
  events.addEventListener("changed", tryRefresh);
  events.addEventListener("stop", ask);
  events.addEventListener("end", () => {
    events.close();
    reload();
  });
  events.onerror = () => {
    if (events.readyState === EventSource.CLOSED) ask();
  };
}
`.replaceAll(/\n +/g, "\n");
