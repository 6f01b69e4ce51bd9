import { say } from "../../../../shared/report/words.ts";
import type { Language, Text } from "../../../base/language.ts";

interface ActionButtonProps {
  /** The path that it is posted to. */
  action: string;
  /** `get` for a page that asks first. */
  method?: "get" | "post";
  label: Text;
  /** The label, and what it acts on. */
  name: Text;
  /** What it is done to, where the path does not say it. */
  sends?: Readonly<Record<string, string>>;
  isPlain?: boolean;
  language: Language;
}

/** A button that does one thing at once. A page may have a hundred, so they go without what is the default. */
export function ActionButton({
  action,
  method = "post",
  label,
  name,
  sends = {},
  isPlain = false,
  language,
}: ActionButtonProps) {
  return (
    <form method={method} action={action}>
      {Object.entries(sends).map(([field, value]) => (
        <input type="hidden" name={field} value={value} />
      ))}
      <button class={isPlain ? "second" : undefined} aria-label={say(name, language)}>
        {say(label, language)}
      </button>
    </form>
  );
}
