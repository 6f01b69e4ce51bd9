import { useSay } from "../../kit/reader.tsx";
import type { AccountSettings } from "../../../db/accounts/account-settings.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { Field } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { Section } from "../../kit/layout.tsx";
import { ConfirmField } from "../../kit/session/confirm.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { ACCOUNT_WORDS as WORDS } from "./account-words.ts";

const MAX_NAME_LENGTH = 80;

interface DeletionProps {
  projects: AccountSettings["projects"];
  signedIn: SignedInRequest;
}

/** Deletes the account; or says which projects have to be deleted or handed over before. */
export function Deletion({ projects, signedIn }: DeletionProps) {
  const say = useSay();
  if (projects.length > 0)
    return (
      <Section id="delete" title={WORDS.delete}>
        <p>{say(WORDS.deleteFirst)}</p>
        <ul>
          {projects.map(({ id, name }) => (
            <li>
              <a href={`/projects/${id}/settings`}>{oneLine(name, MAX_NAME_LENGTH)}</a>
            </li>
          ))}
        </ul>
      </Section>
    );
  const button = say(WORDS.deleteButton);
  return (
    <Section id="delete" title={WORDS.delete}>
      <p>{say(WORDS.deleteLead)}</p>
      <Form action="/settings/account/delete">
        <Field name="confirm_name" label={WORDS.confirm} hint={WORDS.confirmHint} />
        <ConfirmField signedIn={signedIn} id="delete-current_password" />
        <button type="submit" class="danger" aria-label={`${button} ${signedIn.email}`}>
          {button}
        </button>
      </Form>
    </Section>
  );
}
