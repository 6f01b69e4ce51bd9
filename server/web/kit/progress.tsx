import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../base/language.ts";
import { useReader } from "./reader.tsx";

const WORDS = {
  waiting: { fr: "En attente d'une place", en: "Waiting for a place" },
  place: { fr: "En attente, à la place", en: "Waiting, at place" },
  started: { fr: "L'analyse commence", en: "The scan begins" },
} as const;

const STEPS: Readonly<Record<string, Text>> = {
  vetting: { fr: "Recherche de l'adresse du site", en: "Looking up the site's address" },
  visiting: { fr: "Chargement de la page", en: "Loading the page" },
  judging: { fr: "Calcul du score", en: "Working out the score" },
};

/** How far a check or a scan has come. */
export interface ProgressMade {
  state: string;
  place?: number | undefined;
  step?: string | null | undefined;
}

/** How far a check or a scan has come, in words. */
export function describeProgress({ state, place, step }: ProgressMade, language: Language): string {
  if (state !== "waiting") return say(STEPS[step ?? ""] ?? WORDS.started, language);
  if (place === undefined) return say(WORDS.waiting, language);
  return `${say(WORDS.place, language)} ${place}`;
}

interface ProgressProps {
  /** What is checked. */
  name: string;
  made: ProgressMade;
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
      <p class="soft">{say(hint, language)}</p>
    </>
  );
}
