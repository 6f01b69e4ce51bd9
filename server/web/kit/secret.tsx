import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../base/language.ts";
import { CopyField, Notice } from "./components.tsx";
import { CopyButton } from "./copy.tsx";

/** A secret that this answer alone shows. */
export interface ShownSecret {
  label: string;
  value: string;
  /** That it is shown once, and what to do if it gets lost. */
  hint: Text;
}

interface SecretNoticeProps {
  secret: ShownSecret;
  /** The path of the page that the answer is of. */
  page: string;
  language: Language;
}

/** The only place where a secret is shown. */
export function SecretNotice({ secret, page, language }: SecretNoticeProps) {
  const { label, value, hint } = secret;
  return (
    <div data-secret={page}>
      <Notice tone="good">
        <CopyField id="secret" label={label} value={value} hint={say(hint, language)}>
          <CopyButton of="secret" name={label} language={language} />
        </CopyField>
      </Notice>
    </div>
  );
}

/**
 * A second click on the button of a form `data-once` makes no second secret; and once the page with a secret is left,
 * reloaded or gone back to, the secret is not there any more.
 */
export const SECRET_SCRIPT = `
const forms = document.querySelectorAll("form[data-once]");
for (const form of forms) form.addEventListener("submit", (event) => {
  if (form.getAttribute("aria-busy")) event.preventDefault();
  form.setAttribute("aria-busy", "true");
});
addEventListener("pageshow", () => { for (const form of forms) form.removeAttribute("aria-busy"); });
const secret = document.querySelector("[data-secret]");
if (secret) {
  history.replaceState(null, "", secret.dataset.secret);
  addEventListener("pagehide", () => secret.remove());
  addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });
}
`;
