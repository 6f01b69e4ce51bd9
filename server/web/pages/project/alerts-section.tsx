import { say } from "../../../../shared/report/words.ts";
import type { ShownAlert } from "../../../db/alerts/alert-settings.ts";
import { ALERT_KINDS, findKind } from "../../../alerts/kinds.ts";
import type { Language, Text } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import type { Filled } from "../../kit/forms.ts";
import { Section, Tabs } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { AlertForm } from "./alert-form.tsx";
import { ALERT_STATES, ALERTS as WORDS, OCCASION_WORDS, WHY } from "./alerts-words.ts";
import { pathOfSettings } from "./settings-forms.ts";
import { State } from "./states.tsx";

interface AlertsProps {
  projectId: string;
  /** Newest first. */
  alerts: readonly ShownAlert[];
  /** The kind of alert that is asked for. */
  kind: string | undefined;
  /** Whether this server sends e-mails. */
  hasMail: boolean;
  /** What was typed into the form that adds one. */
  filled: Filled;
  signedIn: SignedInRequest;
}

const LONGEST_TARGET = 60;

/** What is shown of an alert's target. */
export const targetOf = ({ target }: ShownAlert): string => oneLine(target, LONGEST_TARGET);

/** By its kind, and its label or else its target. */
export function nameAlert(alert: ShownAlert): Text {
  const { fr, en } = findKind(alert.kind).name;
  const shown = oneLine(alert.label, LONGEST_TARGET) || targetOf(alert);
  return { fr: `${fr} ${shown}`, en: `${en} ${shown}` };
}

/** The state of an alert, why it is in it, and what to do. */
export function Standing({ alert, language }: { alert: ShownAlert; language: Language }) {
  const why = WHY[alert.state]?.(targetOf(alert));
  return (
    <>
      <State state={ALERT_STATES[alert.state]} language={language} /> {why && say(why, language)}
    </>
  );
}

function Alerts({ alerts, projectId, signedIn: { language } }: AlertsProps) {
  if (alerts.length === 0) return null;
  return (
    <Table
      labelledBy="alerts"
      head={[WORDS.target, WORDS.on, WORDS.state].map((text) => say(text, language))}
      rows={alerts.map((alert) => ({
        key: alert.id,
        cells: [
          <>
            <a href={`/projects/${projectId}/alerts/${alert.id}`}>
              {say(nameAlert(alert), language)}
            </a>
            {alert.label !== "" && <div class="soft">{targetOf(alert)}</div>}
          </>,
          alert.on.map((occasion) => say(OCCASION_WORDS[occasion], language)).join(", "),
          <Standing alert={alert} language={language} />,
        ],
      }))}
    />
  );
}

/** Whom a project tells of what happens to it, and the form that adds an alert of one kind. */
export function AlertsSection(props: AlertsProps) {
  const { projectId, filled, hasMail, signedIn } = props;
  const { language } = signedIn;
  const kinds = ALERT_KINDS.filter((kind) => kind !== "email" || hasMail);
  const asked = filled.values["kind"] ?? props.kind;
  const chosen = ALERT_KINDS.find((kind) => kind === asked) ?? kinds[0] ?? "webhook";
  const path = pathOfSettings(projectId, "alerts");
  return (
    <Section id="alerts" title={say(WORDS.title, language)}>
      <p>
        {say(WORDS.lead, language)} <a href="/docs/alerts">{say(WORDS.help, language)}</a>.
      </p>
      <Alerts {...props} />
      <h3 id="new">{say(WORDS.newOne, language)}</h3>
      <Tabs
        label={say(WORDS.newOne, language)}
        tabs={kinds.map((kind) => ({
          href: `${path}?kind=${kind}#new`,
          label: say(findKind(kind).name, language),
          isCurrent: kind === chosen,
        }))}
      />
      <AlertForm action={path} kind={chosen} filled={filled} language={language} />
    </Section>
  );
}
