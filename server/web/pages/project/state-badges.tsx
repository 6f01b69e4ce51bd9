import type { Text } from "../../../../shared/language.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import type { ComponentChildren } from "preact";
import type { ProjectState } from "../../../../shared/project.ts";
import { T, useSay, type Wording } from "../../kit/reader.tsx";
import type { WatchedUrl } from "../../../db/projects/project-page.ts";

export const DASH = "–";

const LONGEST_NAME = 100;

export const nameProject = (name: string): string => oneLine(name, LONGEST_NAME);

export const titleOf = ({ fr, en }: Text, project: string): Text => ({
  fr: `${fr} – ${nameProject(project)}`,
  en: `${en} – ${nameProject(project)}`,
});

interface ProjectLinkProps {
  id: string;
  name: string;
}

export const ProjectLink = ({ id, name }: ProjectLinkProps) => (
  <a href={`/projects/${id}`}>{nameProject(name)}</a>
);

/** Sign and words say all that the color says, for readers who cannot see it. */
export interface StateWords {
  sign: string;
  tone: "good" | "warn" | "bad" | "soft";
  words: Text;
}

const PROJECT_STATES: Readonly<Record<ProjectState, StateWords>> = {
  up: { sign: "●", tone: "good", words: { fr: "En ligne", en: "Up" } },
  degraded: { sign: "▲", tone: "warn", words: { fr: "Dégradé", en: "Degraded" } },
  down: { sign: "■", tone: "bad", words: { fr: "En panne", en: "Down" } },
  unknown: { sign: "○", tone: "soft", words: { fr: "Pas encore connu", en: "Not known yet" } },
};

/** After one failed probe, which the next probe must confirm. */
const SUSPECT: StateWords = {
  sign: "▲",
  tone: "warn",
  words: { fr: "Échec à confirmer", en: "Failure to be confirmed" },
};

export const INCIDENT_STATES = {
  open: { sign: "■", tone: "bad", words: { fr: "En échec depuis", en: "Failing for" } },
  closed: { sign: "●", tone: "good", words: { fr: "Clos après", en: "Closed after" } },
} as const satisfies Record<string, StateWords>;

export const URL_STATES = {
  up: { sign: "●", tone: "good", words: { fr: "En ligne", en: "Up" } },
  failing: { sign: "■", tone: "bad", words: { fr: "En échec", en: "Failing" } },
  suspect: SUSPECT,
  paused: { sign: "○", tone: "soft", words: { fr: "En pause", en: "Paused" } },
  unknown: {
    sign: "○",
    tone: "soft",
    words: { fr: "Pas encore contrôlée", en: "Not probed yet" },
  },
} as const satisfies Record<string, StateWords>;

interface StateProps {
  state: StateWords;
  children?: ComponentChildren;
}

export function State({ state, children }: StateProps) {
  const say = useSay();
  return (
    <span class={`state ${state.tone}`}>
      <span aria-hidden="true">{state.sign}</span> {children ?? say(state.words)}
    </span>
  );
}

interface ProjectStateProps {
  project: { state: ProjectState; lastCheckedAt: Date | null };
  children?: ComponentChildren;
}

export function ProjectStateMark({ project, children }: ProjectStateProps) {
  const { state, lastCheckedAt } = project;
  const isSuspect = state === "unknown" && lastCheckedAt !== null;
  return <State state={isSuspect ? SUSPECT : PROJECT_STATES[state]}>{children}</State>;
}

type UrlState = Pick<WatchedUrl, "hasOpenIncident" | "isPaused" | "failsFrom" | "lastOutcome">;

function stateOf({ hasOpenIncident, isPaused, lastOutcome }: UrlState): keyof typeof URL_STATES {
  if (hasOpenIncident) return "failing";
  if (isPaused) return "paused";
  if (lastOutcome === null) return "unknown";
  return lastOutcome === "good" ? "up" : "suspect";
}

/** A URL is failing after two failed probes in a row, from two locations if there are two. */
export function UrlStateMark({ url }: { url: UrlState }) {
  const { failsFrom, hasOpenIncident } = url;
  if (failsFrom !== null && !hasOpenIncident)
    return (
      <State state={SUSPECT}>
        <T text={{ fr: "Échec constaté depuis", en: "Failing from" }} /> {failsFrom}{" "}
        <T text={{ fr: "seulement", en: "only" }} />
      </State>
    );
  return <State state={URL_STATES[stateOf(url)]} />;
}

interface ActionButtonProps {
  action: string;
  /** `get` for a button that opens a confirmation page. */
  method?: "get" | "post";
  label: Text;
  on?: Wording;
  name?: Wording;
  sends?: Readonly<Record<string, string>>;
  isPlain?: boolean;
}

/** A page may have a hundred of these forms, so default attributes are left out. */
export function ActionButton(props: ActionButtonProps) {
  const { action, method = "post", label, on = "", sends = {}, isPlain = false } = props;
  const say = useSay();
  return (
    <form method={method} action={action}>
      {Object.entries(sends).map(([field, value]) => (
        <input type="hidden" name={field} value={value} />
      ))}
      <button
        class={isPlain ? "second" : undefined}
        aria-label={say(props.name ?? `${say(label)} ${say(on)}`)}
      >
        <T text={label} />
      </button>
    </form>
  );
}
