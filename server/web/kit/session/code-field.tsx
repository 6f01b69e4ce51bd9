import { Field } from "../fields.tsx";
import { CODE } from "./sign-in-words.ts";

interface CodeFieldProps {
  /** Where several forms of a page have the field. */
  id?: string | undefined;
  isRequired?: boolean;
}

/** The field for a code of the second factor. */
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
