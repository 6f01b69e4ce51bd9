import { say } from "../../../../shared/report/words.ts";
import type { AccountSettings } from "../../../db/accounts/account-settings.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { Field } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { ConfirmField } from "../../kit/session/confirm.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { ACCOUNT_WORDS as WORDS } from "./account-words.ts";

const MAX_NAME_LENGTH = 80;

interface DeletionProps {
  projects: AccountSettings["projects"];
  filled: Filled;
  signedIn: SignedInRequest;
}

/** Deletes the account; or says which projects have to be deleted or handed over before. */
export function Deletion({ projects, filled: { values, problems }, signedIn }: DeletionProps) {
  const { language, email } = signedIn;
  if (projects.length > 0)
    return (
      <Section id="delete" title={say(WORDS.delete, language)}>
        <p>{say(WORDS.deleteFirst, language)}</p>
        <ul>
          {projects.map(({ id, name }) => (
            <li>
              <a href={`/projects/${id}/settings`}>{oneLine(name, MAX_NAME_LENGTH)}</a>
            </li>
          ))}
        </ul>
      </Section>
    );
  const button = say(WORDS.deleteButton, language);
  return (
    <Section id="delete" title={say(WORDS.delete, language)}>
      <p>{say(WORDS.deleteLead, language)}</p>
      <form method="post" action="/settings/account/delete">
        <Field
          name="confirm_name"
          label={say(WORDS.confirm, language)}
          hint={say(WORDS.confirmHint, language)}
          value={values["confirm_name"]}
          problem={problems["confirm_name"]}
        />
        <ConfirmField
          signedIn={signedIn}
          problem={problems["current_password"]}
          id="delete-current_password"
        />
        <button type="submit" class="danger" aria-label={`${button} ${email}`}>
          {button}
        </button>
      </form>
    </Section>
  );
}
