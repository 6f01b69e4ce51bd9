import { say } from "../../../../shared/report/words.ts";
import type { Language, Text } from "../../../base/language.ts";
import { Field } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import type { VisitorPage } from "../../kit/session/visitor-page.ts";
import { FIELDS, NO_MAIL, SENT } from "./link-words.ts";

/** The words of a page that asks for an address to send a link to. */
export interface MailFormWords {
  title: Text;
  lead: Text;
  button: Text;
  /** What the next page says. */
  sent: Text;
}

/** The page that asks for the address. */
export function createMailForm(
  action: string,
  { title, lead, button }: MailFormWords,
  { values, problems, next }: Filled & { next: string | undefined },
  language: Language,
): VisitorPage {
  return {
    title: say(title, language),
    isIndexed: true,
    children: (
      <>
        <h1>{say(title, language)}</h1>
        <p class="lead">{say(lead, language)}</p>
        <form method="post" action={action}>
          {next && <input type="hidden" name="next" value={next} />}
          <Field
            name="email"
            label={say(FIELDS.email, language)}
            type="email"
            autocomplete="username"
            value={values["email"]}
            problem={problems["email"]}
            isRequired
          />
          <button type="submit">{say(button, language)}</button>
        </form>
      </>
    ),
  };
}

/** The page after the form: the same whatever the address. */
export function createSentPage(
  action: string,
  { sent }: MailFormWords,
  language: Language,
): VisitorPage {
  return {
    title: say(SENT.title, language),
    children: (
      <>
        <h1>{say(SENT.title, language)}</h1>
        <p class="lead">{say(sent, language)}</p>
        <p>{say(SENT.nothing, language)}</p>
        <p>
          <a href={action}>{say(SENT.again, language)}</a>
        </p>
      </>
    ),
  };
}

/** What there is to do where no e-mails are sent. */
export function createNoMailPage({ title }: MailFormWords, language: Language): VisitorPage {
  return {
    title: say(title, language),
    isIndexed: true,
    children: (
      <>
        <h1>{say(title, language)}</h1>
        <p class="lead">{say(NO_MAIL, language)}</p>
        <pre>
          <code>shipscore-server account link you@example.com</code>
        </pre>
      </>
    ),
  };
}
