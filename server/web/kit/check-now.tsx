import { randomUUID } from "node:crypto";
import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../base/language.ts";

/** What stands for a value of an address that is not kept. */
const MASK = "***";

export const CHECK_NOW: Text = { fr: "Vérifier maintenant", en: "Check now" };
export const CHECK_AGAIN: Text = { fr: "Vérifier à nouveau", en: "Check again" };

/** Makes a form that is sent twice one check: each page gives its forms keys of their own. */
export function FormKey() {
  return <input type="hidden" name="key" value={randomUUID()} autocomplete="off" />;
}

interface CheckNowProps {
  /** What is checked; an address that lacks masked values has to be typed again. */
  url: string;
  /** `CHECK_NOW`, or `CHECK_AGAIN` beside a result. */
  label: Text;
  isPreview?: boolean;
  language: Language;
}

/** A button that checks an address now, on the quota of whoever presses it, and leads to the check's page. */
export function CheckNow({ url, label, isPreview = false, language }: CheckNowProps) {
  const text = say(label, language);
  const name = `${text} ${url}`;
  if (url.includes(MASK))
    return (
      <a class="button second" href="/checks" aria-label={name}>
        {text}
      </a>
    );
  return (
    <form method="post" action="/checks">
      <input type="hidden" name="url" value={url} />
      {isPreview && <input type="hidden" name="preview" value="on" />}
      <FormKey />
      <button type="submit" class="second" aria-label={name}>
        {text}
      </button>
    </form>
  );
}
