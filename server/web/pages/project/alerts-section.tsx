import { useSay } from "../../kit/reader.tsx";
import type { ShownAlert } from "../../../db/alerts/alert-settings.ts";
import { ALERT_KINDS, findKind } from "../../../alerts/kinds.ts";
import type { Text } from "../../../base/language.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { useTypedInto } from "../../kit/form.tsx";
import { Section, Tabs } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { AlertForm } from "./alert-form.tsx";
import { ALERT_STATES, ALERTS as WORDS, OCCASION_WORDS, WHY } from "./alerts-words.ts";
import { pathOfSettings, type SettingsProps } from "./settings-forms.ts";
import { State } from "./states.tsx";

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
export function Standing({ alert }: { alert: ShownAlert }) {
  const say = useSay();
  const why = WHY[alert.state]?.(targetOf(alert));
  return (
    <>
      <State state={ALERT_STATES[alert.state]} /> {why && say(why)}
    </>
  );
}

function Alerts({ settings: { id, alerts } }: SettingsProps) {
  const say = useSay();
  if (alerts.length === 0) return null;
  return (
    <Table
      labelledBy="alerts"
      head={[WORDS.target, WORDS.on, WORDS.state]}
      rows={alerts.map((alert) => ({
        key: alert.id,
        cells: [
          <>
            <a href={`/projects/${id}/alerts/${alert.id}`}>{say(nameAlert(alert))}</a>
            {alert.label !== "" && <div class="soft">{targetOf(alert)}</div>}
          </>,
          alert.on.map((occasion) => say(OCCASION_WORDS[occasion])).join(", "),
          <Standing alert={alert} />,
        ],
      }))}
    />
  );
}

/** Whom a project tells of what happens to it, and the form that adds an alert of one kind. */
export function AlertsSection(props: SettingsProps) {
  const { settings, hasMail } = props;
  const say = useSay();
  const path = pathOfSettings(settings.id, "alerts");
  const kinds = ALERT_KINDS.filter((kind) => kind !== "email" || hasMail);
  const asked = useTypedInto(path).values["kind"] ?? props.kind;
  const chosen = ALERT_KINDS.find((kind) => kind === asked) ?? kinds[0] ?? "webhook";
  return (
    <Section id="alerts" title={WORDS.title}>
      <p>
        {say(WORDS.lead)} <a href="/docs/alerts">{say(WORDS.help)}</a>.
      </p>
      <Alerts {...props} />
      <h3 id="new">{say(WORDS.newOne)}</h3>
      <Tabs
        label={WORDS.newOne}
        tabs={kinds.map((kind) => ({
          href: `${path}?kind=${kind}#new`,
          label: findKind(kind).name,
          isCurrent: kind === chosen,
        }))}
      />
      <AlertForm action={path} kind={chosen} />
    </Section>
  );
}
