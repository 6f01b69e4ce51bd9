import { say } from "../../../../shared/report/words.ts";
import type { ProjectSettings } from "../../../db/projects/project-settings.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { Field } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { ConfirmField } from "../../kit/session/confirm.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { pathOfSettings } from "./settings-forms.ts";
import { typeName, WORDS } from "./settings-words.ts";

const MAX_SHOWN = 100;

interface DeletionSectionProps {
  settings: ProjectSettings;
  filled: Filled;
  signedIn: SignedInRequest;
}

/** How a project is deleted: its name typed, and the password if that was long ago. */
export function DeletionSection({ settings, filled, signedIn }: DeletionSectionProps) {
  const { language } = signedIn;
  const { values, problems } = filled;
  const name = oneLine(settings.name, MAX_SHOWN);
  const button = say(WORDS.delete, language);
  return (
    <Section id="deletion" title={say(WORDS.deletion, language)}>
      <p>{say(WORDS.deletionLead, language)}</p>
      <form method="post" action={pathOfSettings(settings.id, "delete")}>
        <Field
          name="confirm_name"
          label={say(WORDS.confirmName, language)}
          value={values["confirm_name"]}
          problem={problems["confirm_name"]}
          hint={say(typeName(name), language)}
        />
        <ConfirmField signedIn={signedIn} problem={problems["current_password"]} />
        <p class="actions">
          <button type="submit" class="danger" aria-label={`${button} ${name}`}>
            {button}
          </button>
        </p>
      </form>
    </Section>
  );
}
