import { say } from "../../../../shared/report/words.ts";
import type { AlertKind } from "../../../alerts/kinds.ts";
import { OCCASIONS, type Occasion } from "../../../db/alerts/alerts.ts";
import type { Language } from "../../../base/language.ts";
import { Checkboxes, Field, Select } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { ALERTS as WORDS, OCCASION_WORDS, TARGETS } from "./alerts-words.ts";

interface AlertFormProps {
  action: string;
  kind: AlertKind;
  /** The alert as it is; undefined for a new one. */
  present?: {
    label: string;
    on: readonly Occasion[];
    language: Language;
    after: number | null;
    remind: number | null;
  };
  /** What was typed. */
  filled: Filled;
  language: Language;
}

/** The form of an alert of one kind. The target of one that is there is shown to nobody, and typed only to change it. */
export function AlertForm({ action, kind, present, filled, language }: AlertFormProps) {
  const { values, problems } = filled;
  const isTyped = Object.keys(values).length > 0;
  const on = present?.on ?? ["incident", "drop"];
  const hint = kind === "email" ? WORDS.emailHint : WORDS.urlHint;
  const submit = WORDS[present ? "save" : "add"];
  return (
    <form method="post" action={`${action}#target`} data-once>
      <input type="hidden" name="kind" value={kind} />
      <Field
        name="target"
        type={kind === "email" ? "email" : "text"}
        label={say(TARGETS[kind], language)}
        hint={say(present ? WORDS.keepHint : hint, language)}
        value={values["target"]}
        problem={problems["target"]}
        isRequired={present === undefined}
      />
      <Field
        name="label"
        label={say(WORDS.label, language)}
        hint={say(WORDS.labelHint, language)}
        value={values["label"] ?? present?.label}
        problem={problems["label"]}
      />
      <Checkboxes
        name="on"
        label={say(WORDS.on, language)}
        problem={problems["on"]}
        boxes={OCCASIONS.map((occasion) => ({
          name: occasion,
          label: say(OCCASION_WORDS[occasion], language),
          isTicked: isTyped ? values[occasion] === "on" : on.includes(occasion),
        }))}
      />
      {(["after", "remind"] as const).map((name) => (
        <Field
          name={name}
          type="number"
          label={say(WORDS[name], language)}
          hint={say(WORDS[`${name}Hint`], language)}
          value={values[name] ?? present?.[name]?.toString()}
          problem={problems[name]}
        />
      ))}
      <Select
        name="language"
        label={say(WORDS.language, language)}
        hint={undefined}
        value={values["language"] ?? present?.language ?? language}
        options={[
          ["fr", "Français"],
          ["en", "English"],
        ]}
      />
      <p class="actions">
        <button type="submit" aria-label={say(submit.name, language)}>
          {say(submit.button, language)}
        </button>
      </p>
    </form>
  );
}
