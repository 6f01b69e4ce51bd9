import type { Text } from "../../base/language.ts";
import { useSay } from "./reader.tsx";

const UNDO: Text = { fr: "Annuler", en: "Undo" };

interface DidProps {
  /** What was done, and what happens next, in one or two sentences. */
  said: Text;
  /** What takes it back: where a form is posted to, and the id of what was done. */
  undo?: { action: string; act: string } | undefined;
}

/** Says on a page what its form did. The address leads to it (`#did`), and the page's script gives it the focus. */
export function Did({ said, undo }: DidProps) {
  const say = useSay();
  return (
    <div id="did" class="notice good" role="status" tabIndex={-1}>
      <p>{say(said)}</p>
      {undo && (
        <form method="post" action={`${undo.action}#did`}>
          <input type="hidden" name="act" value={undo.act} />
          <button class="second">{say(UNDO)}</button>
        </form>
      )}
    </div>
  );
}

/** Says on a page why its form, which has no field, was refused. */
export function Refusal({ why }: { why: Text }) {
  const say = useSay();
  return (
    <div id="did" class="notice bad" role="alert" tabIndex={-1}>
      <p>{say(why)}</p>
    </div>
  );
}
