import { say } from "../../../../shared/report/words.ts";
import type { Language, Text } from "../../../base/language.ts";

interface PasskeyButtonProps {
  label: Text;
  /** What it says if the browser gave no answer. */
  failed: Text;
  /** The path of what is asked of the passkey. */
  asks: string;
  /** The hidden field that the answer is sent in. */
  field: "passkey" | "credential";
  language: Language;
}

/** Sends its form with what a passkey answered; needs `PASSKEY_SCRIPT`, and is not seen without it. */
export function PasskeyButton({ label, failed, asks, field, language }: PasskeyButtonProps) {
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
        {say(label, language)}
      </button>
      <p role="status" class="problem" data-failed={say(failed, language)} />
    </div>
  );
}
