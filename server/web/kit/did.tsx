import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../base/language.ts";

const UNDO: Text = { fr: "Annuler", en: "Undo" };

interface DidProps {
  /** What was done, and what happens next, in one or two sentences. */
  said: Text;
  /** What takes it back: where a form is posted to, and the id of what was done. */
  undo?: { action: string; act: string } | undefined;
  language: Language;
}

/** Says on a page what its form did. The address leads to it (`#did`), and the page's script gives it the focus. */
export function Did({ said, undo, language }: DidProps) {
  return (
    <div id="did" class="notice good" role="status" tabIndex={-1}>
      <p>{say(said, language)}</p>
      {undo && (
        <form method="post" action={`${undo.action}#did`}>
          <input type="hidden" name="act" value={undo.act} />
          <button class="second">{say(UNDO, language)}</button>
        </form>
      )}
    </div>
  );
}

/** Says on a page why its form, which has no field, was refused. */
export function Refusal({ why, language }: { why: Text; language: Language }) {
  return (
    <div id="did" class="notice bad" role="alert" tabIndex={-1}>
      <p>{say(why, language)}</p>
    </div>
  );
}
