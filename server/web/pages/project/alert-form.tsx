import { useReader, useSay } from "../../kit/reader.tsx";
import type { AlertKind } from "../../../alerts/kinds.ts";
import { OCCASIONS, type Occasion } from "../../../db/alerts/alerts.ts";
import type { Language } from "../../../base/language.ts";
import { Checkboxes, Field, Select } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
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
}

/** The form of an alert of one kind. The target of one that is there is shown to nobody, and typed only to change it. */
export function AlertForm({ action, kind, present }: AlertFormProps) {
  const say = useSay();
  const { language } = useReader();
  const on = present?.on ?? ["incident", "drop"];
  const hint = kind === "email" ? WORDS.emailHint : WORDS.urlHint;
  const submit = WORDS[present ? "save" : "add"];
  return (
    <Form action={`${action}#target`} isOnce>
      <input type="hidden" name="kind" value={kind} />
      <Field
        name="target"
        type={kind === "email" ? "email" : "text"}
        label={TARGETS[kind]}
        hint={present ? WORDS.keepHint : hint}
        isRequired={present === undefined}
      />
      <Field name="label" label={WORDS.label} hint={WORDS.labelHint} value={present?.label} />
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
          value={present?.[name]?.toString()}
        />
      ))}
      <Select
        name="language"
        label={WORDS.language}
        value={present?.language ?? language}
        options={[
          ["fr", "Français"],
          ["en", "English"],
        ]}
      />
      <p class="actions">
        <button type="submit" aria-label={say(submit.name)}>
          {say(submit.button)}
        </button>
      </p>
    </Form>
  );
}
