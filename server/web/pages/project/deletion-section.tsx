import { oneLine } from "../../../base/syntax/one-line.ts";
import { Field } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { Section } from "../../kit/layout.tsx";
import { useSay } from "../../kit/reader.tsx";
import { ConfirmField } from "../../kit/session/confirm.tsx";
import { pathOfSettings, type SettingsProps } from "./settings-forms.ts";
import { typeName, WORDS } from "./settings-words.ts";

const MAX_SHOWN = 100;

/** How a project is deleted: its name typed, and the password if that was long ago. */
export function DeletionSection({ settings, signedIn }: SettingsProps) {
  const say = useSay();
  const name = oneLine(settings.name, MAX_SHOWN);
  const button = say(WORDS.delete);
  return (
    <Section id="deletion" title={WORDS.deletion}>
      <p>{say(WORDS.deletionLead)}</p>
      <Form action={pathOfSettings(settings.id, "delete")}>
        <Field name="confirm_name" label={WORDS.confirmName} hint={typeName(name)} />
        <ConfirmField signedIn={signedIn} />
        <p class="actions">
          <button type="submit" class="danger" aria-label={`${button} ${name}`}>
            {button}
          </button>
        </p>
      </Form>
    </Section>
  );
}
