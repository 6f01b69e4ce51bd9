import type { Text } from "../../base/language.ts";
import { CopyField, Notice } from "./components.tsx";
import type { Wording } from "./reader.tsx";

/** A secret that this answer alone shows. */
export interface ShownSecret {
  label: Wording;
  value: string;
  /** That it is shown once, and what to do if it gets lost. */
  hint: Text;
}

/** The only place where a secret is shown. `page`: the path of the page that the answer is of. */
export function SecretNotice({ secret, page }: { secret: ShownSecret; page: string }) {
  return (
    <div data-secret={page}>
      <Notice tone="good">
        <CopyField id="secret" {...secret} />
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
