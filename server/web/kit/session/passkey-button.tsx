import type { Text } from "../../../base/language.ts";
import { useSay } from "../reader.tsx";

interface PasskeyButtonProps {
  label: Text;
  /** What it says if the browser gave no answer. */
  failed: Text;
  /** The path of what is asked of the passkey. */
  asks: string;
  /** The hidden field that the answer is sent in. */
  field: "passkey" | "credential";
}

/** Sends its form with what a passkey answered; needs `PASSKEY_SCRIPT`, and is not seen without it. */
export function PasskeyButton({ label, failed, asks, field }: PasskeyButtonProps) {
  const say = useSay();
  return (
    <div class="field">
      <input type="hidden" name={field} />
      <button
        type="button"
        class={field === "passkey" ? "second" : undefined}
        hidden
        data-passkey={asks}
        data-field={field}
      >
        {say(label)}
      </button>
      <p role="status" class="problem" data-failed={say(failed)} />
    </div>
  );
}
