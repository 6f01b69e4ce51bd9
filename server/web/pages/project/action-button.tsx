import type { Text } from "../../../base/language.ts";
import { useSay, type Wording } from "../../kit/reader.tsx";

interface ActionButtonProps {
  /** The path that it is posted to. */
  action: string;
  /** `get` for a page that asks first. */
  method?: "get" | "post";
  label: Text;
  /** What it acts on. */
  on?: Wording;
  /** The label with what it acts on, where that is not all of it. */
  name?: Wording;
  /** What it is done to, where the path does not say it. */
  sends?: Readonly<Record<string, string>>;
  isPlain?: boolean;
}

/** A button that does one thing at once. A page may have a hundred, so they go without what is the default. */
export function ActionButton(props: ActionButtonProps) {
  const { action, method = "post", label, on = "", sends = {}, isPlain = false } = props;
  const say = useSay();
  return (
    <form method={method} action={action}>
      {Object.entries(sends).map(([field, value]) => (
        <input type="hidden" name={field} value={value} />
      ))}
      <button
        class={isPlain ? "second" : undefined}
        aria-label={say(props.name ?? `${say(label)} ${say(on)}`)}
      >
        {say(label)}
      </button>
    </form>
  );
}
