import { say } from "../../../../shared/report/words.ts";
import { ALERT_KINDS, findKind } from "../../../alerts/kinds.ts";
import { OCCASIONS } from "../../../db/alerts/alerts.ts";
import { Checkboxes, Field, Select } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { pathOfSettings } from "./settings-forms.ts";
import { ALERTS as WORDS, OCCASION_WORDS } from "./alerts-words.ts";

export interface AlertFormProps {
  projectId: string;
  /** Whether this server sends e-mails. */
  hasMail: boolean;
  /** What was typed into it. */
  filled: Filled;
  signedIn: SignedInRequest;
}

/** The form that adds an alert to a project. */
export function AlertForm({ projectId, hasMail, filled, signedIn }: AlertFormProps) {
  const { values, problems } = filled;
  const { language } = signedIn;
  const kinds = ALERT_KINDS.filter((kind) => kind !== "email" || hasMail);
  const isNew = Object.keys(values).length === 0;
  return (
    <form method="post" action={pathOfSettings(projectId, "alerts")} data-once>
      <Select
        name="kind"
        label={say(WORDS.kind, language)}
        hint={undefined}
        value={values["kind"] ?? "webhook"}
        options={kinds.map((kind) => [kind, say(findKind(kind).name, language)])}
      />
      <Field
        name="target"
        label={say(WORDS.typed, language)}
        hint={say(WORDS.typedHint, language)}
        value={values["target"]}
        problem={problems["target"]}
        isRequired
      />
      <Checkboxes
        name="on"
        label={say(WORDS.on, language)}
        problem={problems["on"]}
        boxes={OCCASIONS.map((occasion) => ({
          name: occasion,
          label: say(OCCASION_WORDS[occasion], language),
          isTicked: isNew ? occasion !== "ship" : values[occasion] === "on",
        }))}
      />
      <Select
        name="language"
        label={say(WORDS.language, language)}
        hint={undefined}
        value={values["language"] ?? language}
        options={[
          ["fr", "Français"],
          ["en", "English"],
        ]}
      />
      <p class="actions">
        <button type="submit" aria-label={say(WORDS.addName, language)}>
          {say(WORDS.add, language)}
        </button>
      </p>
    </form>
  );
}
