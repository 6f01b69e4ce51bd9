import { LANGUAGE_NAMES, type Text, type Language } from "../../../../shared/language.ts";
import { T, useSay, useReader } from "../../kit/reader.tsx";
import type { ShownAlert } from "../../../db/alerts/alert-settings.ts";
import { ALERT_KINDS, findKind, type AlertKind } from "../../../alerts/kinds.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { Button } from "../../kit/components.tsx";
import { useInputOf, Form, Checkboxes, Field, Select } from "../../kit/fields.tsx";
import { Section, Tabs, Table } from "../../kit/layout.tsx";
import { ALERT_STATES, ALERTS as WORDS, OCCASION_WORDS, STATE_REASONS } from "./alerts-words.ts";
import { pathOfSettings, type SettingsProps } from "./settings-tabs.ts";
import { State } from "./state-badges.tsx";
import { OCCASIONS, type Occasion } from "../../../db/alerts/alerts.ts";

interface AlertFormProps {
  action: string;
  kind: AlertKind;
  current?: {
    label: string;
    on: readonly Occasion[];
    language: Language;
    after: number | null;
    remind: number | null;
  };
}

/** The target of an existing alert is a secret, so the field is empty and only needed for a new target. */
export function AlertForm({ action, kind, current }: AlertFormProps) {
  const { language } = useReader();
  const on = current?.on ?? ["incident", "drop"];
  const hint = kind === "email" ? WORDS.emailHint : WORDS.urlHint;
  const submit = WORDS[current ? "save" : "add"];
  return (
    <Form action={`${action}#target`} isOnce>
      <input type="hidden" name="kind" value={kind} />
      <Field
        name="target"
        type={kind === "email" ? "email" : "text"}
        label={findKind(kind).field}
        hint={current ? WORDS.keepHint : hint}
        isRequired={current === undefined}
      />
      <Field name="label" label={WORDS.label} hint={WORDS.labelHint} value={current?.label} />
      <Checkboxes
        name="on"
        label={WORDS.on}
        boxes={OCCASIONS.map((occasion) => ({
          name: occasion,
          label: OCCASION_WORDS[occasion],
          isTicked: on.includes(occasion),
        }))}
      />
      {(["after", "remind"] as const).map((name) => (
        <Field
          name={name}
          type="number"
          label={WORDS[name]}
          hint={WORDS[`${name}Hint`]}
          value={current?.[name]?.toString()}
        />
      ))}
      <Select
        name="language"
        label={WORDS.language}
        value={current?.language ?? language}
        options={Object.entries(LANGUAGE_NAMES)}
      />
      <p class="actions">
        <Button label={submit.button} name={submit.name} />
      </p>
    </Form>
  );
}

const LONGEST_TARGET = 60;

export const targetOf = ({ target }: ShownAlert): string => oneLine(target, LONGEST_TARGET);

export function nameAlert(alert: ShownAlert): Text {
  const { fr, en } = findKind(alert.kind).name;
  const shown = oneLine(alert.label, LONGEST_TARGET) || targetOf(alert);
  return { fr: `${fr} ${shown}`, en: `${en} ${shown}` };
}

export function AlertStatus({ alert }: { alert: ShownAlert }) {
  const say = useSay();
  const why = STATE_REASONS[alert.state]?.(targetOf(alert));
  return (
    <>
      <State state={ALERT_STATES[alert.state]} /> {why && say(why)}
    </>
  );
}

function Alerts({ settings: { id, alerts } }: SettingsProps) {
  const say = useSay();
  return (
    <Table
      head={[WORDS.target, WORDS.on, WORDS.state]}
      rows={alerts.map((alert) => ({
        key: alert.id,
        cells: [
          <>
            <a href={`/projects/${id}/alerts/${alert.id}`}>
              <T text={nameAlert(alert)} />
            </a>
            {alert.label !== "" && <div class="soft">{targetOf(alert)}</div>}
          </>,
          alert.on.map((occasion) => say(OCCASION_WORDS[occasion])).join(", "),
          <AlertStatus alert={alert} />,
        ],
      }))}
    />
  );
}

export function AlertsSection(props: SettingsProps) {
  const { settings, hasMail } = props;
  const path = pathOfSettings(settings.id, "alerts");
  const kinds = ALERT_KINDS.filter((kind) => kind !== "email" || hasMail);
  const wanted = useInputOf(path).values["kind"] ?? props.kind;
  const chosen = ALERT_KINDS.find((kind) => kind === wanted) ?? kinds[0] ?? "webhook";
  return (
    <Section id="alerts" title={WORDS.title}>
      <p>
        <T text={WORDS.lead} />{" "}
        <a href="/docs/alerts">
          <T text={WORDS.help} />
        </a>
        .
      </p>
      <Alerts {...props} />
      <h3 id="new">
        <T text={WORDS.newOne} />
      </h3>
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
