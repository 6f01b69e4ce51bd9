import { SERVICE_NAMES } from "../../../base/hook-providers.ts";
import { T } from "../../kit/reader.tsx";
import type { ProjectPage } from "../../../db/projects/project-page.ts";
import type { Text } from "../../../../shared/language.ts";
import { Section } from "../../kit/layout.tsx";
import { pathOfSettings } from "./settings-tabs.ts";
import { State } from "./state-badges.tsx";

const TITLE: Text = { fr: "Pour commencer", en: "Get started" };

const STEPS = {
  result: {
    what: { fr: "Un premier résultat", en: "A first result" },
    button: { fr: "Recharger", en: "Reload" },
  },
  alert: {
    what: { fr: "Une alerte quand le site est en panne", en: "An alert when the site is down" },
    button: { fr: "Ajouter une alerte", en: "Add an alert" },
  },
  hook: {
    what: {
      fr: `Les déploiements de ${SERVICE_NAMES} ou de votre CI`,
      en: `Deployments from ${SERVICE_NAMES} or your CI`,
    },
    button: { fr: "Connecter", en: "Connect" },
  },
  badge: {
    what: { fr: "Un badge avec le score", en: "A badge with the score" },
    button: { fr: "Activer le badge", en: "Turn the badge on" },
  },
} satisfies Record<string, Record<"what" | "button", Text>>;

interface ChecklistProps {
  project: Pick<ProjectPage, "id" | "isOwn" | "lastCheckedAt" | "setUp">;
}

export function Checklist({ project: { id, isOwn, lastCheckedAt, setUp } }: ChecklistProps) {
  const done: ReadonlySet<string> = new Set([...(lastCheckedAt ? ["result"] : []), ...setUp]);
  const steps = Object.entries(STEPS);
  if (!isOwn || done.size === steps.length) return null;
  const paths: Readonly<Record<string, string>> = {
    alert: pathOfSettings(id, "alerts"),
    hook: pathOfSettings(id, "hooks"),
    badge: pathOfSettings(id, "badge"),
  };
  return (
    <Section id="checklist" title={TITLE}>
      <ul class="checklist">
        {steps.map(([step, { what, button }]) => (
          <li>
            <State
              state={
                done.has(step)
                  ? { sign: "✓", tone: "good", words: what }
                  : { sign: "○", tone: "soft", words: what }
              }
            />
            {!done.has(step) && (
              <a class="button second" href={paths[step] ?? `/projects/${id}`}>
                <T text={button} />
              </a>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
