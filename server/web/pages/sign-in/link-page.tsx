import { say } from "../../../../shared/report/words.ts";
import type { LinkToShow } from "../../../db/accounts/links.ts";
import type { Language } from "../../../base/language.ts";
import { Field } from "../../kit/components.tsx";
import type { Filled } from "../../kit/forms.ts";
import { CodeField } from "../../kit/session/code-field.tsx";
import { PASSWORD_HINT } from "../../kit/session/password-words.ts";
import { TIME_ZONE_SCRIPT, TimeZoneField } from "../../kit/session/time-zone.tsx";
import type { VisitorPage } from "../../kit/session/visitor-page.ts";
import { FIELDS, LINK_PAGES } from "./link-words.ts";

interface FieldsProps {
  link: LinkToShow;
  filled: Filled;
  language: Language;
}

/** What a link asks for before it does what it does. */
function LinkFields({ link, filled: { values, problems }, language }: FieldsProps) {
  const { kind } = link;
  if (kind === "email" || kind === "sign_in") return null;
  return (
    <>
      {kind === "first_account" ? (
        <Field
          name="email"
          label={say(FIELDS.email, language)}
          type="email"
          autocomplete="username"
          value={values["email"]}
          problem={problems["email"]}
          isRequired
        />
      ) : (
        // Only for password managers, which keep a password by it.
        <input type="text" autocomplete="username" value={emailOf(link)} readOnly hidden />
      )}
      <Field
        name="password"
        label={say(kind === "password" ? FIELDS.newPassword : FIELDS.password, language)}
        type="password"
        autocomplete="new-password"
        hint={say(PASSWORD_HINT, language)}
        problem={problems["password"]}
        isRequired
      />
    </>
  );
}

/** The address that a link is about: the one that an account gets, or has. */
const emailOf = ({ kind, email, accountEmail }: LinkToShow) =>
  (kind === "email" || kind === "sign_up" ? email : accountEmail) ?? "";

/** The page of a link, with the one form that uses it. */
export function createLinkPage(
  path: string,
  link: LinkToShow,
  filled: Filled,
  language: Language,
): VisitorPage {
  const { title, lead, button } = LINK_PAGES[link.kind];
  return {
    title: say(title, language),
    script: TIME_ZONE_SCRIPT,
    children: (
      <>
        <h1>{say(title, language)}</h1>
        <p class="lead">{say(lead(emailOf(link)), language)}</p>
        <form method="post" action={path}>
          <TimeZoneField />
          <LinkFields link={link} filled={filled} language={language} />
          {link.hasSecondFactor && link.kind !== "email" && (
            <CodeField problem={filled.problems["code"]} language={language} isRequired />
          )}
          <button type="submit">{say(button, language)}</button>
        </form>
      </>
    ),
  };
}
