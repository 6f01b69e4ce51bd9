import type { Text } from "../../../base/language.ts";
import { Field } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { useSay } from "../../kit/reader.tsx";
import { FIELDS, NO_MAIL, SENT } from "./link-words.ts";

/** The words of a page that asks for an address to send a link to. */
export interface MailFormWords {
  title: Text;
  lead: Text;
  button: Text;
  /** What the next page says. */
  sent: Text;
}

interface MailFormProps {
  action: string;
  words: MailFormWords;
}

/** The page that asks for the address. */
export function MailForm({ action, words, next }: MailFormProps & { next: string | undefined }) {
  const say = useSay();
  return (
    <>
      <h1>{say(words.title)}</h1>
      <p class="lead">{say(words.lead)}</p>
      <Form action={action}>
        {next && <input type="hidden" name="next" value={next} />}
        <Field name="email" label={FIELDS.email} type="email" autocomplete="username" isRequired />
        <button type="submit">{say(words.button)}</button>
      </Form>
    </>
  );
}

/** The page after the form: the same whatever the address. */
export function SentPage({ action, words }: MailFormProps) {
  const say = useSay();
  return (
    <>
      <h1>{say(SENT.title)}</h1>
      <p class="lead">{say(words.sent)}</p>
      <p>{say(SENT.nothing)}</p>
      <p>
        <a href={action}>{say(SENT.again)}</a>
      </p>
    </>
  );
}

/** What there is to do where no e-mails are sent. */
export function NoMailPage({ words }: Pick<MailFormProps, "words">) {
  const say = useSay();
  return (
    <>
      <h1>{say(words.title)}</h1>
      <p class="lead">{say(NO_MAIL)}</p>
      <pre>
        <code>shipscore-server account link you@example.com</code>
      </pre>
    </>
  );
}
