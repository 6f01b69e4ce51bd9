import type { ComponentChildren } from "preact";
import { describeCount, typeset } from "../../../shared/report/words.ts";
import { T, useReader, useSay, type Wording } from "./reader.tsx";
import type { Text } from "../../../shared/language.ts";

const COPY = {
  copy: { fr: "Copier", en: "Copy" },
  copied: { fr: "Copié", en: "Copied" },
};

interface CopyButtonProps {
  /** The id of the field or element whose text is copied. */
  of: string;
  /** Completes the button's accessible name. */
  name: Wording;
}

/** Hidden unless `COPY_SCRIPT` runs; the text can still be selected. */
export function CopyButton({ of, name }: CopyButtonProps) {
  const say = useSay();
  const copy = say(COPY.copy);
  return (
    <button
      type="button"
      class="second"
      hidden
      data-copies={of}
      data-done={say(COPY.copied)}
      aria-label={`${copy} ${say(name)}`}
    >
      {copy}
    </button>
  );
}

export function Id({ id }: { id: string }) {
  return (
    <span class="id">
      <code id={id}>{id}</code> <CopyButton of={id} name={id} />
    </span>
  );
}

/** `COPY_SCRIPT` announces here that a text was copied. */
export function CopyStatus() {
  return <p id="copied" class="hint" role="status"></p>;
}

/** A page over http may not use the clipboard API, so the script falls back to `execCommand`. */
export const COPY_SCRIPT = `
for (const button of document.querySelectorAll("[data-copies]")) {
  const source = document.getElementById(button.dataset.copies);
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
    } catch {
      if (source.select) source.select();
      else getSelection().selectAllChildren(source);
      if (!document.execCommand("copy")) return;
    }
    button.textContent = document.getElementById("copied").textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}
`.replaceAll(/\n +/g, "\n");

interface MeterProps {
  labelledBy: string;
  used: number;
  limit: number;
}

export function Meter({ labelledBy, used, limit }: MeterProps) {
  const { language } = useReader();
  const counts = [used, limit].map((count) => describeCount(count, language));
  const figures = typeset(counts.join(" / "), language);
  return (
    <p class="meter">
      <span>{figures}</span>{" "}
      <progress aria-labelledby={labelledBy} value={Math.min(used, limit)} max={limit}>
        {figures}
      </progress>
    </p>
  );
}

interface CopyFieldProps {
  id: string;
  label: Wording;
  value: string;
  hint?: Wording;
  name?: Wording;
  children?: ComponentChildren;
}

export function CopyField({ id, label, value, hint, name = label, children }: CopyFieldProps) {
  return (
    <div class="field">
      <label for={id}>
        <T text={label} />
      </label>
      <div class="row">
        <input
          id={id}
          value={value}
          readOnly
          autocomplete="off"
          spellcheck={false}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        />
        <CopyButton of={id} name={name} />
        {children}
      </div>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          <T text={hint} />
        </p>
      )}
    </div>
  );
}

interface NoticeProps {
  tone: "good" | "warn" | "bad";
  children: ComponentChildren;
}

export function Notice({ tone, children }: NoticeProps) {
  return <div class={`notice ${tone}`}>{children}</div>;
}

interface FigureTableProps {
  label: Wording;
  head?: readonly [ComponentChildren, ComponentChildren];
  rows: readonly (readonly [ComponentChildren, ComponentChildren])[];
}

export function FigureTable({ label, head, rows }: FigureTableProps) {
  const say = useSay();
  return (
    <table class="figures" aria-label={say(label)}>
      {head && (
        <thead>
          <tr>
            {head.map((cell) => (
              <th scope="col">{cell}</th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(([name, figure]) => (
          <tr>
            <th scope="row">{name}</th>
            <td>{figure}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Only this response shows it. */
export interface ShownSecret {
  label: Wording;
  value: string;
  hint: Text;
}

/** The only place where a secret is shown. `page` is the path that the address bar gets. */
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
 * Keeps a second click on a form with `data-once` from creating a second secret. Removes the secret once its page is left,
 * reloaded or reopened from the history.
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

const IN_ENGLISH: Text = { fr: " (en anglais)", en: "" };

interface EnglishLinkProps {
  href: string;
  children: ComponentChildren;
}

export function EnglishLink({ href, children }: EnglishLinkProps) {
  return (
    <a href={href} hreflang="en">
      {children}
      <T text={IN_ENGLISH} />
    </a>
  );
}

interface ButtonProps {
  label: Wording;
  tone?: "second" | "danger" | undefined;
  /** The item that the button acts on. Completes the accessible name where only the button's position shows the item. */
  on?: Wording;
  /** The whole accessible name, if label and item are not enough. */
  name?: Wording;
}

export function Button({ label, tone, on, name = "" }: ButtonProps) {
  const say = useSay();
  const said = on === undefined ? say(name) : `${say(label)} ${say(on)}`;
  return (
    <button type="submit" class={tone} aria-label={said || undefined}>
      <T text={label} />
    </button>
  );
}
