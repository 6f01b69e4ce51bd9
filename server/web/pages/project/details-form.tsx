import { say } from "../../../../shared/report/words.ts";
import { NewProject } from "../../../projects/projects.ts";
import { isAppError } from "../../../base/errors.ts";
import type { Language, Text } from "../../../base/language.ts";
import { describeRefusal } from "../../../words/refusals.ts";
import { AddressField, Field } from "../../kit/components.tsx";
import { refuse, type Fields, type Filled, type Refused } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { pathOfSettings } from "./settings-forms.ts";
import { PROBLEMS, TOO_MANY_ACCOUNT_URLS, WORDS } from "./settings-words.ts";

/** The project that a form describes, or why it describes none. */
export function readDetails({ name = "", url = "" }: Fields): NewProject | Refused {
  const { data, error } = NewProject.safeParse({ name, url });
  if (data !== undefined) return data;
  const fault = error.issues[0]?.message as "name_empty" | "name_too_long" | "name_has_controls";
  return refuse({ name: PROBLEMS[fault] });
}

/** Why a project could not be created or changed as a form said. Throws an error that is not about what was typed. */
export function describeDetailsError(error: unknown): Refused {
  if (isAppError(error, "url_refused")) return refuse({ url: describeRefusal(error.parameters) });
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

interface DetailsSectionProps {
  project: { id: string; name: string; url: string };
  filled: Filled;
  language: Language;
}

/** A project's name and address, and the form that changes them. */
export function DetailsSection({ project, filled, language }: DetailsSectionProps) {
  const { id, name, url } = project;
  return (
    <Section id="details" title={say(WORDS.details, language)}>
      <form method="post" action={pathOfSettings(id)}>
        <DetailsFields
          filled={{ ...filled, values: { name, url, ...filled.values } }}
          hint={WORDS.newAddressHint}
          language={language}
        />
        <p class="actions">
          <button type="submit">{say(WORDS.save, language)}</button>
        </p>
      </form>
    </Section>
  );
}
