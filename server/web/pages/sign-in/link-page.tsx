import type { LinkToShow } from "../../../db/accounts/links.ts";
import { Field } from "../../kit/fields.tsx";
import { Form } from "../../kit/form.tsx";
import { useSay } from "../../kit/reader.tsx";
import { CodeField } from "../../kit/session/code-field.tsx";
import { PASSWORD_HINT } from "../../kit/session/password-words.ts";
import { TimeZoneField } from "../../kit/session/time-zone.tsx";
import { FIELDS, LINK_PAGES } from "./link-words.ts";

/** What a link asks for before it does what it does. */
function LinkFields({ link }: { link: LinkToShow }) {
  const { kind } = link;
  if (kind === "email" || kind === "sign_in") return null;
  return (
    <>
      {kind === "first_account" ? (
        <Field name="email" label={FIELDS.email} type="email" autocomplete="username" isRequired />
      ) : (
        // Only for password managers, which keep a password by it.
        <input type="text" autocomplete="username" value={emailOf(link)} readOnly hidden />
      )}
      <Field
        name="password"
        label={kind === "password" ? FIELDS.newPassword : FIELDS.password}
        type="password"
        autocomplete="new-password"
        hint={PASSWORD_HINT}
        isRequired
      />
    </>
  );
}

/** The address that a link is about: the one that an account gets, or has. */
const emailOf = ({ kind, email, accountEmail }: LinkToShow) =>
  (kind === "email" || kind === "sign_up" ? email : accountEmail) ?? "";

/** The page of a link, with the one form that uses it. */
export function LinkPage({ path, link }: { path: string; link: LinkToShow }) {
  const say = useSay();
  const { title, lead, button } = LINK_PAGES[link.kind];
  return (
    <>
      <h1>{say(title)}</h1>
      <p class="lead">{say(lead(emailOf(link)))}</p>
      <Form action={path}>
        <TimeZoneField />
        <LinkFields link={link} />
        {link.hasSecondFactor && link.kind !== "email" && <CodeField isRequired />}
        <button type="submit">{say(button)}</button>
      </Form>
    </>
  );
}
