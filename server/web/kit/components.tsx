import type { ComponentChildren } from "preact";
import { describeCount } from "../../../shared/report/words.ts";
import { T, useReader, useSay, type Wording } from "./reader.tsx";
import type { Text } from "../../../shared/language.ts";

const COPY = {
  copy: { fr: "Copier", en: "Copy" },
  copied: { fr: "Copié", en: "Copied" },
};

interface CopyButtonProps {
  /** The id of what is copied: the value of a field, or a text. */
  of: string;
  /** What it is, for those who do not see where the button stands. */
  name: Wording;
}

/** A button that copies a text. It is there where `COPY_SCRIPT` runs; without, the text can be selected. */
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

/** The id of something, by which the API and the commands know it. */
export function Id({ id }: { id: string }) {
  return (
    <span class="id">
      <code id={id}>{id}</code> <CopyButton of={id} name={id} />
    </span>
  );
}

/** Where `COPY_SCRIPT` says that something was copied. */
export function CopyStatus() {
  return <p id="copied" class="hint" role="status"></p>;
}

/** A page without https may not use the clipboard: it selects the text and has the browser copy it. */
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
  /** The id of the heading that says what is counted. */
  labelledBy: string;
  used: number;
  limit: number;
}

/** How much of a limit is used, in figures and as a bar. */
export function Meter({ labelledBy, used, limit }: MeterProps) {
  const { language } = useReader();
  const figures = [used, limit].map((count) => describeCount(count, language)).join(" / ");
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
  /** What is copied; the label by default. */
  name?: Wording;
  /** What stands beside the field and its button. */
  children?: ComponentChildren;
}

/** A text to copy, which can be selected but not changed, and the button that copies it. */
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

/** A short text apart from the page's own. */
export function Notice({ tone, children }: NoticeProps) {
  return <div class={`notice ${tone}`}>{children}</div>;
}

interface FigureTableProps {
  label: Wording;
  /** The headings of the columns, where they do not go without saying. */
  head?: readonly [ComponentChildren, ComponentChildren];
  /** What is counted or timed, and the figure. */
  rows: readonly (readonly [ComponentChildren, ComponentChildren])[];
}

/** A table of two columns, the second of figures. */
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

const IN_ENGLISH: Text = { fr: " (en anglais)", en: "" };

interface EnglishLinkProps {
  href: string;
  children: ComponentChildren;
}

/** A link to a document that exists in English only. Its text says so to a French reader. */
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
  /** What it acts on, where its place alone says it. */
  on?: Wording;
  /** The label with what it acts on, where that is not all of it. */
  name?: Wording;
}

/** The button that sends a form. */
export function Button({ label, tone, on, name = "" }: ButtonProps) {
  const say = useSay();
  const said = on === undefined ? say(name) : `${say(label)} ${say(on)}`;
  return (
    <button type="submit" class={tone} aria-label={said || undefined}>
      <T text={label} />
    </button>
  );
}
