import { say } from "../../../../shared/report/words.ts";
import type { ProjectSettings } from "../../../db/projects/project-settings.ts";
import { NewProject, ProjectEdit } from "../../../projects/projects.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import type { Language, Text } from "../../../base/language.ts";
import { describeRefusal } from "../../../words/refusals.ts";
import { describeMs } from "../../kit/age.ts";
import { AddressField, Field, Select } from "../../kit/components.tsx";
import { refuse, type Fields, type Filled, type Refused } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { pathOfSettings } from "./settings-forms.ts";
import { intervalTooShort, PROBLEMS, TOO_MANY_ACCOUNT_URLS, WORDS } from "./settings-words.ts";

/** The project that a form describes, or why it describes none. */
export function readDetails({ name = "", url = "" }: Fields): NewProject | Refused {
  const { data, error } = NewProject.safeParse({ name, url });
  if (data !== undefined) return data;
  const fault = error.issues[0]?.message as "name_empty" | "name_too_long" | "name_has_controls";
  return refuse({ name: PROBLEMS[fault] });
}

/** How often a form says that URLs are looked at, and what opens an incident. Throws `input_invalid`. */
export function readPace({
  interval,
  failures,
  onePlace,
}: Fields): Pick<ProjectEdit, "interval" | "failures" | "onePlace"> {
  const { data } = ProjectEdit.safeParse({ interval, failures, onePlace });
  if (data === undefined)
    throw new AppError("input_invalid", { fault: "interval_invalid", value: "" });
  return data;
}

/** Why a project could not be created or changed as a form said. Throws an error that is not about what was typed. */
export function describeDetailsError(error: unknown): Refused {
  if (isAppError(error, "url_refused")) return refuse({ url: describeRefusal(error.parameters) });
  if (isAppError(error, "interval_too_short"))
    return refuse({ interval: intervalTooShort(error.parameters.least) });
  if (isAppError(error, "busy")) return refuse({ url: PROBLEMS.busy }, 503);
  if (isAppError(error, "too_many_projects")) return refuse({ name: PROBLEMS.tooManyProjects });
  if (isAppError(error, "too_many_account_urls")) return refuse({ url: TOO_MANY_ACCOUNT_URLS });
  throw error;
}

interface DetailsFieldsProps {
  filled: Filled;
  hint: Text;
  language: Language;
}

/** The fields that describe a project. */
export function DetailsFields({ filled, hint, language }: DetailsFieldsProps) {
  const { values, problems } = filled;
  return (
    <>
      <Field
        name="name"
        label={say(WORDS.name, language)}
        value={values["name"]}
        problem={problems["name"]}
      />
      <AddressField
        name="url"
        label={say(WORDS.address, language)}
        value={values["url"]}
        problem={problems["url"]}
        hint={say(hint, language)}
        placeholder="https://www.example.com/"
      />
    </>
  );
}

const INTERVALS = [60, 120, 300, 600, 900, 1800, 3600];
const FAILURES = ["2", "3", "4", "5"].map((count) => [count, count] as const);

interface DetailsSectionProps {
  project: Pick<ProjectSettings, "id" | "name" | "url" | "interval" | "failures" | "onePlace">;
  /** The shortest interval that the operator allows. */
  leastSeconds: number;
  /** Whether servers name their places. */
  hasPlaces: boolean;
  filled: Filled;
  language: Language;
}

/** A project's name and address, and the form that changes them. */
export function DetailsSection(props: DetailsSectionProps) {
  const { project, leastSeconds, hasPlaces, filled, language } = props;
  const { id, name, url, interval, failures, onePlace } = project;
  const { values, problems } = filled;
  const intervals = [...new Set([...INTERVALS, interval ?? 60])]
    .filter((seconds) => seconds >= leastSeconds || seconds === interval)
    .toSorted((one, other) => one - other);
  return (
    <Section id="details" title={say(WORDS.details, language)}>
      <form method="post" action={pathOfSettings(id)}>
        <DetailsFields
          filled={{ ...filled, values: { name, url, ...filled.values } }}
          hint={WORDS.newAddressHint}
          language={language}
        />
        <Select
          name="interval"
          label={say(WORDS.interval, language)}
          hint={undefined}
          problem={problems["interval"]}
          value={values["interval"] ?? String(interval ?? "none")}
          options={[
            ["none", say(WORDS.serversOwn, language)],
            ...intervals.map(
              (seconds) => [String(seconds), describeMs(seconds * 1000, language)] as const,
            ),
          ]}
        />
        <Select
          name="failures"
          label={say(WORDS.failures, language)}
          hint={undefined}
          value={values["failures"] ?? String(failures)}
          options={FAILURES}
        />
        {(hasPlaces || onePlace) && (
          <Select
            name="onePlace"
            label={say(WORDS.onePlace, language)}
            hint={undefined}
            value={values["onePlace"] ?? (onePlace ? "on" : "off")}
            options={[
              ["off", say(WORDS.onlyShown, language)],
              ["on", say(WORDS.isIncident, language)],
            ]}
          />
        )}
        <p class="actions">
          <button type="submit">{say(WORDS.save, language)}</button>
        </p>
      </form>
    </Section>
  );
}
