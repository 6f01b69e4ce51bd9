import { useReader, useSay } from "../../kit/reader.tsx";
import { TIME_ZONES } from "../../../access/account-settings.ts";
import type { Window } from "../../../db/watching/maintenance.ts";
import { Address } from "../../kit/address.tsx";
import { describeRange } from "../../kit/age.ts";
import { Notice } from "../../kit/components.tsx";
import { Field, Select, TextArea } from "../../kit/fields.tsx";
import { Form, useTypedInto } from "../../kit/form.tsx";
import { Section, Tabs } from "../../kit/layout.tsx";
import { Table } from "../../kit/table.tsx";
import { Moment } from "../../kit/time.tsx";
import { ActionButton } from "./action-button.tsx";
import { DAYS_OF_WEEK, MAINTENANCE as WORDS, WINDOW_STATES } from "./maintenance-words.ts";
import { pathOfSettings, type SettingsProps } from "./settings-forms.ts";
import { State } from "./states.tsx";

/** The maintenance of a project that runs, or else the next. */
export function MaintenanceNotice({ next }: { next: Window | undefined }) {
  const say = useSay();
  if (next === undefined) return null;
  const isRunning = next.state === "running";
  return (
    <Notice tone="warn">
      <p>
        {say(isRunning ? WORDS.runs : WORDS.comes)} <Moment at={isRunning ? next.to : next.from} />
        {next.note !== null && ` · ${next.note}`}
      </p>
    </Notice>
  );
}

function Windows({ windows, path }: { windows: readonly Window[]; path: string }) {
  const reader = useReader();
  const { say } = reader;
  const act = ({ id, note, urls }: Window, action: "end" | "remove", label = WORDS[action]) => (
    <ActionButton
      action={`${path}/${action}`}
      label={label}
      on={note ?? urls?.[0] ?? ""}
      sends={{ window: id }}
      isPlain
    />
  );
  return (
    <Table
      labelledBy="maintenance"
      head={[WORDS.state, WORDS.when, WORDS.what, ""]}
      rows={windows.map((window) => ({
        key: window.id,
        cells: [
          <State state={WINDOW_STATES[window.state]} />,
          <>
            {describeRange(window.from, window.to, reader)}
            {window.weekly && `, ${say(WORDS.weekly)}`}
          </>,
          <>
            {window.urls === null && say(WORDS.all)}
            {window.urls?.map((url) => (
              <div>
                <Address url={url} />
              </div>
            ))}
            {window.note !== null && <div class="soft">{window.note}</div>}
          </>,
          window.state !== "over" && (
            <>
              {act(window, "end", window.state === "running" ? WORDS.end : WORDS.skip)}
              {window.weekly && act(window, "remove")}
            </>
          ),
        ],
      }))}
    />
  );
}

function WindowForm({ path, isWeekly }: { path: string; isWeekly: boolean }) {
  const type = isWeekly ? "time" : "datetime-local";
  return (
    <Form action={path} submit={WORDS.add} isOnce>
      <input type="hidden" name="kind" value={isWeekly ? "weekly" : "once"} />
      {isWeekly && <Select name="weekly" label={WORDS.day} value="sunday" options={DAYS_OF_WEEK} />}
      <Field name="from" label={WORDS.from} type={type} isRequired />
      <Field
        name="to"
        label={WORDS.to}
        type={type}
        hint={isWeekly ? WORDS.untilHint : undefined}
        isRequired
      />
      <Field
        name="zone"
        label={WORDS.zone}
        value={useReader().timeZone ?? "UTC"}
        suggestions={TIME_ZONES}
      />
      <TextArea name="urls" rows={3} label={WORDS.urls} hint={WORDS.urlsHint} />
      <Field name="note" label={WORDS.note} hint={WORDS.noteHint} />
    </Form>
  );
}

/** The times in which failing is no incident, and the form that adds one. */
export function MaintenanceSection({ settings, kind }: SettingsProps) {
  const say = useSay();
  const { id, maintenance } = settings;
  const path = pathOfSettings(id, "maintenance");
  const isWeekly = (useTypedInto(path).values["kind"] ?? kind) === "weekly";
  return (
    <Section id="maintenance" title={WORDS.title}>
      <p>{say(WORDS.lead)}</p>
      {maintenance.length > 0 && <Windows windows={maintenance} path={path} />}
      <h3 id="new">{say(WORDS.newOne)}</h3>
      <Tabs
        label={WORDS.newOne}
        tabs={[
          { href: `${path}?kind=once#new`, label: WORDS.once, isCurrent: !isWeekly },
          { href: `${path}?kind=weekly#new`, label: WORDS.eachWeek, isCurrent: isWeekly },
        ]}
      />
      <WindowForm path={path} isWeekly={isWeekly} />
    </Section>
  );
}
