import { say } from "../../../../shared/report/words.ts";
import { TIME_ZONES } from "../../../access/account-settings.ts";
import type { ProjectPage } from "../../../db/projects/project-page.ts";
import type { Window } from "../../../db/watching/maintenance.ts";
import { Address } from "../../kit/address.tsx";
import { describeRange } from "../../kit/age.ts";
import { Field, Notice, Select, TextArea } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section, Tabs } from "../../kit/layout.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { Table } from "../../kit/table.tsx";
import { Moment } from "../../kit/time.tsx";
import { ActionButton } from "./action-button.tsx";
import { DAYS_OF_WEEK, MAINTENANCE as WORDS, WINDOW_STATES } from "./maintenance-words.ts";
import { pathOfSettings } from "./settings-forms.ts";
import { State } from "./states.tsx";

interface NoticeProps {
  project: ProjectPage;
  signedIn: SignedInRequest;
}

/** The maintenance of a project that runs, or else the next. */
export function MaintenanceNotice({ project: { maintenance }, signedIn }: NoticeProps) {
  const [next] = maintenance;
  if (next === undefined) return null;
  const isRunning = next.state === "running";
  return (
    <Notice tone="warn">
      <p>
        {say(isRunning ? WORDS.runs : WORDS.comes, signedIn.language)}{" "}
        <Moment at={isRunning ? next.to : next.from} reader={signedIn} />
        {next.note !== null && ` · ${next.note}`}
      </p>
    </Notice>
  );
}

interface SectionProps {
  projectId: string;
  windows: readonly Window[];
  /** `weekly` for the form of what comes each week. */
  kind: string | undefined;
  filled: Filled;
  signedIn: SignedInRequest;
}

function Windows({ projectId, windows, signedIn }: SectionProps) {
  const { language } = signedIn;
  const act = ({ id, note, urls }: Window, action: "end" | "remove", label = WORDS[action]) => {
    const named = note ?? urls?.[0] ?? "";
    return (
      <ActionButton
        action={`${pathOfSettings(projectId, "maintenance")}/${action}`}
        label={label}
        name={{ fr: `${label.fr} ${named}`, en: `${label.en} ${named}` }}
        sends={{ window: id }}
        isPlain
        language={language}
      />
    );
  };
  return (
    <Table
      labelledBy="maintenance"
      head={[say(WORDS.state, language), say(WORDS.when, language), say(WORDS.what, language), ""]}
      rows={windows.map((window) => ({
        key: window.id,
        cells: [
          <State state={WINDOW_STATES[window.state]} language={language} />,
          <>
            {describeRange(window.from, window.to, signedIn)}
            {window.weekly && `, ${say(WORDS.weekly, language)}`}
          </>,
          <>
            {window.urls === null && say(WORDS.all, language)}
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

function WindowForm({ projectId, kind, filled: { values, problems }, signedIn }: SectionProps) {
  const { language, timeZone } = signedIn;
  const isWeekly = kind === "weekly";
  const type = isWeekly ? "time" : "datetime-local";
  const field = (name: "from" | "to" | "zone" | "note") => ({
    name,
    label: say(WORDS[name], language),
    value: values[name],
    problem: problems[name],
  });
  return (
    <form method="post" action={pathOfSettings(projectId, "maintenance")} data-once>
      <input type="hidden" name="kind" value={isWeekly ? "weekly" : "once"} />
      {isWeekly && (
        <Select
          name="weekly"
          label={say(WORDS.day, language)}
          hint={undefined}
          value={values["weekly"] ?? "sunday"}
          options={DAYS_OF_WEEK.map(([day, name]) => [day, say(name, language)])}
        />
      )}
      <Field {...field("from")} type={type} isRequired />
      <Field
        {...field("to")}
        type={type}
        hint={isWeekly ? say(WORDS.untilHint, language) : undefined}
        isRequired
      />
      <Field
        {...field("zone")}
        value={values["zone"] ?? timeZone ?? "UTC"}
        suggestions={TIME_ZONES}
      />
      <TextArea
        name="urls"
        rows={3}
        label={say(WORDS.urls, language)}
        hint={say(WORDS.urlsHint, language)}
        value={values["urls"]}
        problem={problems["urls"]}
      />
      <Field {...field("note")} hint={say(WORDS.noteHint, language)} />
      <p class="actions">
        <button type="submit">{say(WORDS.add, language)}</button>
      </p>
    </form>
  );
}

/** The times in which failing is no incident, and the form that adds one. */
export function MaintenanceSection(props: SectionProps) {
  const { projectId, windows, filled, signedIn } = props;
  const { language } = signedIn;
  const path = pathOfSettings(projectId, "maintenance");
  const kind = filled.values["kind"] ?? props.kind;
  const tab = (label: keyof typeof WORDS, href: string, isCurrent: boolean) => ({
    href: `${href}#new`,
    label: say(WORDS[label], language),
    isCurrent,
  });
  return (
    <Section id="maintenance" title={say(WORDS.title, language)}>
      <p>{say(WORDS.lead, language)}</p>
      {windows.length > 0 && <Windows {...props} />}
      <h3 id="new">{say(WORDS.newOne, language)}</h3>
      <Tabs
        label={say(WORDS.newOne, language)}
        tabs={[
          tab("once", `${path}?kind=once`, kind !== "weekly"),
          tab("eachWeek", `${path}?kind=weekly`, kind === "weekly"),
        ]}
      />
      <WindowForm {...props} kind={kind} />
    </Section>
  );
}
