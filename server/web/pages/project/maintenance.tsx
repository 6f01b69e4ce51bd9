import { TIME_ZONES } from "../../../access/account-settings.ts";
import { AppError } from "../../../base/errors.ts";
import type { InputFault } from "../../../base/input-faults.ts";
import type { Window } from "../../../db/watching/maintenance.ts";
import {
  addWindow,
  endMaintenance,
  removeMaintenance,
  TypedWindow,
} from "../../../projects/maintenance.ts";
import { Address } from "../../kit/address.tsx";
import { describeRange, Moment } from "../../kit/time.tsx";
import { Notice } from "../../kit/components.tsx";
import { Field, Select, TextArea, Form, useInputOf } from "../../kit/fields.tsx";
import type { Fields, Refusals } from "../../kit/forms.ts";
import { Section, Tabs, Table } from "../../kit/layout.tsx";
import { T, useReader } from "../../kit/reader.tsx";
import { ActionButton, State } from "./state-badges.tsx";
import {
  DAYS_OF_WEEK,
  MAINTENANCE as WORDS,
  NOT_WATCHED,
  TOO_MANY_WINDOWS,
  WINDOW_FAULTS,
  WINDOW_STATES,
} from "./maintenance-words.ts";
import { pathOfSettings, type SettingsProps, type SettingsTab } from "./settings-tabs.ts";

export function MaintenanceNotice({ next }: { next: Window | undefined }) {
  if (next === undefined) return null;
  const isRunning = next.state === "running";
  return (
    <Notice tone="warn">
      <p>
        <T text={isRunning ? WORDS.running : WORDS.planned} />{" "}
        <Moment at={isRunning ? next.to : next.from} />
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

function Maintenance({ settings, kind }: SettingsProps) {
  const { id, maintenance } = settings;
  const path = pathOfSettings(id, "maintenance");
  const isWeekly = (useInputOf(path).values["kind"] ?? kind) === "weekly";
  return (
    <Section id="maintenance" title={WORDS.title}>
      <p>
        <T text={WORDS.lead} />
      </p>
      <Windows windows={maintenance} path={path} />
      <h3 id="new">
        <T text={WORDS.newOne} />
      </h3>
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

/** Throws `input_invalid`. */
function readWindow({
  kind,
  from = "",
  to = "",
  zone,
  weekly,
  urls = "",
  note,
}: Fields): TypedWindow {
  const { data, error } = TypedWindow.safeParse({
    from,
    to,
    zone: zone || "UTC",
    weekly: kind === "once" ? undefined : weekly || undefined,
    urls: urls
      .split(/\r\n?|\n/)
      .map((url) => url.trim())
      .filter((url) => url !== ""),
    note,
  });
  if (data) return data;
  throw new AppError("input_invalid", { fault: error.issues[0]?.message ?? "", value: "" });
}

const REFUSALS: Refusals = {
  url_not_watched: { urls: NOT_WATCHED },
  too_many_windows: { from: TOO_MANY_WINDOWS },
  input_invalid({ fault }) {
    const known = WINDOW_FAULTS[fault as InputFault];
    return known && { [known.field]: known };
  },
};

export const MAINTENANCE_TAB: SettingsTab = {
  refusals: REFUSALS,
  Content: Maintenance,
  addForms(addForm, deps) {
    addForm("", async ({ actor, project, fields }) => {
      await addWindow(deps, actor, project.id, readWindow(fields));
      return "maintenance-added";
    });
    addForm("/end", async ({ actor, fields: { window = "" } }) => {
      await endMaintenance(deps, actor, window);
      return "maintenance-ended";
    });
    addForm("/remove", async ({ actor, fields: { window = "" } }) => {
      await removeMaintenance(deps, actor, window);
      return "maintenance-removed";
    });
  },
};
