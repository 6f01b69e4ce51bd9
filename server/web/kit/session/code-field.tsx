import { say } from "../../../../shared/report/words.ts";
import type { Language } from "../../../base/language.ts";
import { Field } from "../components.tsx";
import { CODE } from "./sign-in-words.ts";

interface CodeFieldProps {
  language: Language;
  problem?: string | undefined;
  /** Where several forms of a page have the field: its id. */
  id?: string | undefined;
  isRequired?: boolean;
}

/** The field for a code of the second factor. */
export function CodeField({ language, problem, id, isRequired = false }: CodeFieldProps) {
  return (
    <Field
      name="code"
      {...(id !== undefined && { id })}
      label={say(CODE.label, language)}
      hint={say(CODE.hint, language)}
      autocomplete="one-time-code"
      problem={problem}
      isRequired={isRequired}
    />
  );
}
