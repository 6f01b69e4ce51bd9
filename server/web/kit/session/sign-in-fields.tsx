import { Field } from "../fields.tsx";
import { CODE } from "./sign-in-words.ts";

interface CodeFieldProps {
  id?: string | undefined;
  isRequired?: boolean;
}

export const CodeField = (props: CodeFieldProps) => (
  <Field
    name="code"
    label={CODE.label}
    hint={CODE.hint}
    autocomplete="one-time-code"
    isSecret
    {...props}
  />
);

/** For a form that begins a session. Needs `TIME_ZONE_SCRIPT`. */
export function TimeZoneField() {
  return <input type="hidden" name="time_zone" disabled data-zone />;
}

export const TIME_ZONE_SCRIPT = `
for (const field of document.querySelectorAll("[data-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
  field.disabled = false;
}
`;
