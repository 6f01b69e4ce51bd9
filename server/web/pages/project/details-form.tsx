import { isLookupLimit } from "../../../checks/lookups.ts";
import { editProject, NewProject, ProjectEdit } from "../../../projects/projects.ts";
import { AppError, describeRefusal } from "../../../base/errors.ts";
import type { Text } from "../../../../shared/language.ts";
import { describeMs } from "../../kit/time.tsx";
import { AddressField, Field, Select, Form } from "../../kit/fields.tsx";
import { refuse, type Fields, type Refusals, type Refusal } from "../../kit/forms.ts";
import { useReader } from "../../kit/reader.tsx";
import { Section } from "../../kit/layout.tsx";
import { pathOfSettings, type SettingsProps, type SettingsTab } from "./settings-tabs.ts";
import {
  intervalTooShort,
  PROBLEMS,
  TOO_MANY_ACCOUNT_URLS,
  tooManyNames,
  tooManyNewProjects,
  WORDS,
} from "./settings-words.ts";

export function readDetails({ name = "", url = "" }: Fields): NewProject | Refusal {
  const { data, error } = NewProject.safeParse({ name, url });
  if (data !== undefined) return data;
  const fault = error.issues[0]?.message as "name_empty" | "name_too_long" | "name_has_controls";
  return refuse({ name: PROBLEMS[fault] });
}

/** Throws `input_invalid`. */
function readPace({
  interval,
  failures,
  oneLocation,
}: Fields): Pick<ProjectEdit, "interval" | "failures" | "oneLocation"> {
  const { data } = ProjectEdit.safeParse({ interval, failures, oneLocation });
  if (data === undefined)
    throw new AppError("input_invalid", { fault: "interval_invalid", value: "" });
  return data;
}

export const DETAILS_REFUSALS: Refusals = {
  url_refused: (why) => ({ url: describeRefusal(why) }),
  interval_too_short: ({ least }) => ({ interval: intervalTooShort(least) }),
  busy: { url: PROBLEMS.busy },
  too_often: (why) =>
    isLookupLimit(why) ? { url: tooManyNames(why) } : { name: tooManyNewProjects(why) },
  too_many_projects: { name: PROBLEMS.tooManyProjects },
  too_many_account_urls: { url: TOO_MANY_ACCOUNT_URLS },
};

interface DetailsFieldsProps {
  current: { name?: string; url: string };
  hint: Text;
}

export function DetailsFields({ current, hint }: DetailsFieldsProps) {
  return (
    <>
      <Field name="name" label={WORDS.name} value={current.name} />
      <AddressField
        name="url"
        label={WORDS.address}
        value={current.url}
        hint={hint}
        placeholder="https://www.example.com/"
      />
    </>
  );
}

const INTERVALS = [60, 120, 300, 600, 900, 1800, 3600];
const FAILURES = ["2", "3", "4", "5"].map((count) => [count, count] as const);

function Details({ settings, leastSeconds, hasLocations }: SettingsProps) {
  const { id, interval, failures, oneLocation } = settings;
  const { language } = useReader();
  const intervals = [...new Set([...INTERVALS, interval ?? 60])]
    .filter((seconds) => seconds >= leastSeconds || seconds === interval)
    .toSorted((one, other) => one - other);
  return (
    <Section id="details" title={WORDS.details}>
      <Form action={pathOfSettings(id)} submit={WORDS.save}>
        <DetailsFields current={settings} hint={WORDS.newAddressHint} />
        <Select
          name="interval"
          label={WORDS.interval}
          value={String(interval ?? "none")}
          options={[
            ["none", WORDS.serversOwn],
            ...intervals.map(
              (seconds) => [String(seconds), describeMs(seconds * 1000, language)] as const,
            ),
          ]}
        />
        <Select
          name="failures"
          label={WORDS.failures}
          value={String(failures)}
          options={FAILURES}
        />
        {(hasLocations || oneLocation) && (
          <Select
            name="oneLocation"
            label={WORDS.oneLocation}
            value={oneLocation ? "on" : "off"}
            options={[
              ["off", WORDS.onlyShown],
              ["on", WORDS.isIncident],
            ]}
          />
        )}
      </Form>
    </Section>
  );
}

export const DETAILS_TAB: SettingsTab = {
  refusals: DETAILS_REFUSALS,
  Content: Details,
  addForms: (addForm, deps) =>
    addForm("", async ({ actor, project, fields }) => {
      const details = readDetails(fields);
      if ("problems" in details) return details;
      await editProject(deps, actor, project.id, { ...details, ...readPace(fields) });
      return details.url === project.url ? "saved" : "project-moved";
    }),
};
